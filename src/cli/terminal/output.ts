import { CODES } from "../../model/diagnostic-codes.ts";
import { version } from "../../generated/version.ts";
import { hintJson } from "../../model/document-json.ts";
import { command, type Suggestion } from "../../model/command.ts";
import { redacted } from "../../engine/redact.ts";
import type { Diagnostic, DiagnosticsDocument } from "../../model/diagnostic.ts";
import { plural } from "../../model/text/plural.ts";
import { renderDiagnostics } from "../../report/diagnostics.ts";
import { sanitize } from "../../model/text/quote.ts";
import { safeJson, safeLine } from "../../report/escape.ts";
import type { Format } from "../../report/options.ts";
import type { ListReadStats } from "../../kinds/world.ts";
import type { ExitCode } from "../exit-codes.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Whether a result is redacted already. To redact the text of JSON and HTML would damage it: an HTML file names its script by a hash.
 */
export function isRedacted(format: Format | "csv"): boolean {
  return format === "json" || format === "html";
}

export function printResult(runtime: Runtime, format: Format | "csv", text: string): void {
  if (isRedacted(format)) runtime.raw("stdout", text);
  else runtime.out(text);
}

/**
 * Reports diagnostics on stderr, as text or as JSON lines.
 *
 * @param options those of the command, if `--verbose` is one of them: without it, warnings are not listed one by one
 */
export function reportDiagnostics(
  runtime: Runtime,
  diagnostics: readonly Diagnostic[],
  { verbose }: { readonly verbose?: boolean } = { verbose: true },
): void {
  const ready = readyDiagnostics(runtime, diagnostics);
  if (runtime.jsonLines === true)
    return ready.forEach((diagnostic) => writeEvent(runtime, "diagnostic", hintJson(diagnostic)));
  const view = { color: runtime.color.stderr, width: runtime.errColumns, verbose: verbose === true };
  if (ready.length > 0) runtime.err(renderDiagnostics(ready, view));
}

/** Diagnostics of the connection and of the key, about which `doctor` shows more. */
const ABOUT_SETUP: ReadonlySet<string> = new Set([
  "no_url",
  "invalid_url",
  "no_api_key",
  "wrong_api_key",
  CODES.accessDenied,
  "unreadable",
]);

/**
 * The diagnostics without secrets, with the arguments of the run in the commands of their hints. The last one about the setup ends
 * with the command that shows more, if it has no command of its own.
 */
function readyDiagnostics(
  { redactor, quiet, invocation }: Pick<Runtime, "redactor" | "quiet" | "invocation">,
  diagnostics: readonly Diagnostic[],
): readonly Diagnostic[] {
  const notQuiet = diagnostics.filter(({ severity }) => severity === "error" || quiet !== true);
  const last = notQuiet.findLast(({ severity, code }) => severity === "error" && ABOUT_SETUP.has(code));
  const runnable = notQuiet.map((one): Diagnostic => {
    if (one.code === CODES.outage) return { ...one, hint: GO_ON, command: invocation.again() };
    const isToDoctor = one === last && one.command === undefined;
    const { command: words, ...told } = isToDoctor ? { ...one, ...withDoctor(one.hint) } : one;
    return words === undefined ? told : { ...told, command: invocation.toRunnable(words) };
  });
  return redacted(runnable, redactor);
}

const GO_ON = "Nothing was written there. To go on once it answers:";

/** A hint that ends with the command that shows more. */
export function withDoctor(hint = ""): Suggestion {
  const end = hint === "" ? "" : /[.!?]$/u.test(hint) ? " " : ". ";
  return { hint: `${hint}${end}To see more:`, command: command("doctor") };
}

/** Prints the document of a command that has no plan: `validate`, and any command that failed before it had one. */
export function printDiagnostics(
  runtime: Runtime,
  name: string,
  exitCode: ExitCode,
  diagnostics: readonly Diagnostic[],
): void {
  const ready = readyDiagnostics({ ...runtime, quiet: false }, diagnostics);
  const errorsFirst = ready.toSorted((a, b) => Number(a.severity !== "error") - Number(b.severity !== "error"));
  const document: DiagnosticsDocument = {
    type: "driftline.diagnostics",
    schema_version: 1,
    tool_version: version,
    command: name,
    exit_code: exitCode,
    changes: [],
    diagnostics: errorsFirst.map((one) => hintJson(one)),
  };
  printResult(runtime, "json", safeJson(document));
}

/** Writes one event as a line of JSON on stderr. Its values are redacted already. */
export function writeEvent({ raw }: Pick<Runtime, "raw">, event: string, data: object): void {
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

/** How many requests a plan took, and how many of them were pages of lists. */
export function requestSummary(requests: number, stats: readonly ListReadStats[]): string {
  const pages = stats.reduce((sum, list) => sum + list.pages, 0);
  return `${plural(requests, "request")}, ${plural(pages, "page")}`;
}

/** One line for each list that was read. */
export function describeReads(stats: readonly ListReadStats[]): string {
  return stats.map((list) => `${sanitize(describeRead(list))}\n`).join("");
}

function describeRead({ scope, operation, kinds, pages, rows, isTrimmed }: ListReadStats): string {
  const where = scope === "" ? "" : ` of ${scope}`;
  if (pages === 0)
    return `read ${plural(rows, "object")} of ${operation}${where} one by one, because their ids are declared`;
  const parallel = pages > 1 ? ", all but the first in parallel" : "";
  const shared = kinds.length > 1 ? `; shared by ${kinds.join(", ")}` : "";
  const kept = isTrimmed ? "; undeclared rows are kept by identity only" : "";
  return `listed ${operation}${where}: ${plural(rows, "row")} in ${plural(pages, "page")}${parallel}${shared}${kept}`;
}
