import type { RequestEvent } from "../api/client.ts";
import { redactDiagnostics } from "../engine/redact.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Outcome, Wait } from "../model/outcome.ts";
import { plural } from "../model/plural.ts";
import { completeCommands } from "../model/suggested-command.ts";
import { renderDiagnostics, renderDiagnosticsJson } from "../report/diagnostics.ts";
import { safeLine, sanitize } from "../report/escape.ts";
import type { Format } from "../report/options.ts";
import type { ListReadStats } from "../snapshot/snapshot.ts";
import type { ExitCode } from "./exit-codes.ts";
import type { ServiceOptions } from "./options.ts";
import { toolVersion, type Runtime } from "./runtime.ts";

/**
 * Writes a result to stdout. The values of JSON and HTML are redacted already. To redact their text would damage them: an HTML
 * file names its script by a hash. Other text is redacted here.
 */
export function printResult(runtime: Runtime, format: Format, text: string): void {
  if (format === "json" || format === "html") runtime.raw("stdout", text);
  else runtime.out(text);
}

/**
 * Reports diagnostics on stderr, as text or as JSON lines.
 *
 * @param verbose whether each warning is listed with its place; false for commands that have `--verbose` and were not given it
 */
export function reportDiagnostics(runtime: Runtime, diagnostics: readonly Diagnostic[], verbose = true): void {
  const shown = redactDiagnostics(
    diagnostics.map((one) => withCommand(runtime, one)),
    runtime.redactor,
  );
  if (runtime.jsonLines === true) return shown.forEach((diagnostic) => writeEvent(runtime, "diagnostic", diagnostic));
  const view = { color: runtime.color.stderr, width: runtime.errColumns, verbose };
  if (shown.length > 0) runtime.err(renderDiagnostics(shown, view));
}

/** The same diagnostic with the arguments of the run in the commands of its hint. */
function withCommand({ given }: Runtime, diagnostic: Diagnostic): Diagnostic {
  const { hint } = diagnostic;
  return hint === undefined ? diagnostic : { ...diagnostic, hint: completeCommands(hint, given.complete) };
}

/** Prints the document of a command that has no plan: `validate`, and any command that failed before it had one. */
export function printDiagnostics(
  runtime: Runtime,
  command: string,
  exitCode: ExitCode,
  diagnostics: readonly Diagnostic[],
): void {
  const shown = redactDiagnostics(
    diagnostics.map((one) => withCommand(runtime, one)),
    runtime.redactor,
  );
  const errorsFirst = shown.toSorted((a, b) => Number(a.severity !== "error") - Number(b.severity !== "error"));
  const document = renderDiagnosticsJson({
    type: "driftline.diagnostics",
    schema_version: 1,
    tool_version: toolVersion(),
    command,
    exit_code: exitCode,
    changes: [],
    diagnostics: errorsFirst,
  });
  printResult(runtime, "json", document);
}

/** Writes one event as a line of JSON on stderr. Its values are redacted already. */
function writeEvent({ raw }: Pick<Runtime, "raw">, event: string, data: object): void {
  raw("stderr", `${safeLine({ type: "driftline.progress", schema_version: 1, event, ...data })}\n`);
}

/** The same runtime with JSON lines on stderr: each line of text becomes an event of its own. */
export function withJsonLines(runtime: Runtime): Runtime {
  const err = (text: string): void => {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    for (const line of lines) writeEvent(runtime, "message", { text: runtime.redactor.text(line) });
  };
  return { ...runtime, err, jsonLines: true };
}

/** Reports progress on stderr. */
export interface Progress {
  readonly request: (event: RequestEvent) => void;
  readonly outcome: (outcome: Outcome) => void;
  readonly wait: (wait: Wait) => void;
  /** Clears the status line. */
  readonly done: () => void;
}

/** Progress as JSON lines, or as lines of text with a counter on a terminal. */
export function createProgress(runtime: Runtime, options: Pick<ServiceOptions, "progress" | "verbose">): Progress {
  if (options.progress === "json") return jsonProgress(runtime);
  let sent = 0;
  return {
    request: (event) => {
      if (event.type === "request") sent += 1;
      runtime.status(plural(sent, "request"));
      const waited = waitReason(event);
      if (waited !== undefined) runtime.err(waitingText(runtime, event.waitMs ?? 0, waited));
      else if (options.verbose === true) runtime.err(sanitize(describeRequest(event)) + "\n");
    },
    wait: ({ address, reason, until }) => {
      const waitMs = until - runtime.clock.now();
      if (waitMs > LONG_WAIT) runtime.err(`${sanitize(address)}: ${waitingText(runtime, waitMs, `because ${reason}`)}`);
    },
    outcome: ({ action, address, status }) => {
      if (action !== "no_op") runtime.err(sanitize(`${address}: ${status}`) + "\n");
    },
    done: () => runtime.status(""),
  };
}

/** Waits that are longer are reported without `--verbose`. Milliseconds. */
const LONG_WAIT = 5_000;

/** What a request waits for, if that has to be reported. */
function waitReason({ type, method, path, status, reason, waitMs = 0 }: RequestEvent): string | undefined {
  if (type === "throttled") return "because of the service's rate limit";
  if (type === "paced") return "to stay below the limit of requests per minute";
  if (type !== "retry" || waitMs <= LONG_WAIT) return undefined;
  const answer = status === undefined || status === null ? `failed (${reason ?? "no answer"})` : `answered ${status}`;
  return `to send ${method} ${path} again, which ${answer}`;
}

/** One line that says until when something waits, and what for. */
function waitingText({ clock }: Runtime, waitMs: number, why: string): string {
  const until = new Date(clock.now() + waitMs).toISOString().replace(/\.\d+Z$/u, "Z");
  return `waiting until ${until} (${seconds(waitMs)}) ${sanitize(why)}\n`;
}

function jsonProgress(runtime: Runtime): Progress {
  return {
    wait: ({ address, reason, until }) =>
      writeEvent(runtime, "waiting", { address, reason, until: new Date(until).toISOString() }),
    request: ({ type, path, ...data }) => writeEvent(runtime, type, { ...data, path: runtime.redactor.text(path) }),
    outcome: ({ address, kind, action, status, id, error }) =>
      writeEvent(runtime, "outcome", { address, kind, action, status, id, error }),
    done: () => undefined,
  };
}

function describeRequest({ type, method, path, status, attempt, reason, waitMs }: RequestEvent): string {
  if (type === "request")
    return `${method} ${path} ${status === undefined || status === null ? "" : String(status)}`.trimEnd();
  return `try ${String(attempt)} of ${method} ${path} failed (${reason ?? "no answer"}), again in ${seconds(waitMs)}`;
}

function seconds(ms: number | undefined): string {
  return `${((ms ?? 0) / 1000).toFixed(1)} s`;
}

/** How many requests a plan took, and how many of them were pages of lists. */
export function requestSummary(requests: number, stats: readonly ListReadStats[]): string {
  const pages = stats.reduce((sum, list) => sum + list.pages, 0);
  return `${plural(requests, "request")}, ${plural(pages, "page")}`;
}

/** One line for each list that was read. */
export function describeReads(stats: readonly ListReadStats[]): string {
  return stats.map((list) => `${sanitize(describeRead(list))}\n`).join("");
}

function describeRead({ scope, operation, kinds, pages, rows, trimmed }: ListReadStats): string {
  const where = scope === "" ? "" : ` of ${scope}`;
  if (pages === 0)
    return `read ${plural(rows, "object")} of ${operation}${where} one by one, because their ids are declared`;
  const parallel = pages > 1 ? ", all but the first in parallel" : "";
  const shared = kinds.length > 1 ? `; shared by ${kinds.join(", ")}` : "";
  const kept = trimmed ? "; undeclared rows are kept by identity only" : "";
  return `listed ${operation}${where}: ${plural(rows, "row")} in ${plural(pages, "page")}${parallel}${shared}${kept}`;
}
