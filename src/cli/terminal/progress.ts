/** What a command reports while it works. Whether there is a status line at all: streams.ts; when it is drawn: status-line.ts. */
import { hintJson } from "../../model/document-json.ts";
import type { ClientOptions, RequestEvent } from "../../api/client.ts";
import type { Outcome, Wait } from "../../model/outcome.ts";
import { plural } from "../../model/plural.ts";
import { sanitize } from "../../model/quote.ts";
import type { ServiceOptions } from "../program/options.ts";
import { writeEvent } from "./output.ts";
import type { Runtime } from "../runtime.ts";
import { StatusLine } from "./status-line.ts";

/** Reports progress on stderr. */
export interface Progress {
  readonly request: (event: RequestEvent) => void;
  readonly send?: ClientOptions["onSend"];
  readonly page?: ClientOptions["onPage"];
  /** An outcome as an event. As text, it is a part of the result. */
  readonly outcome?: (outcome: Outcome) => void;
  /** What is done from now on, as the status line shows it in the place of requests. */
  readonly work?: ((state: () => string) => void) | undefined;
  readonly wait?: (wait: Wait) => void;
  /** Clears the status line. */
  readonly done: () => void;
}

/** Progress as JSON lines, or as lines of text with a status line on a terminal. */
export function createProgress(runtime: Runtime, options: Pick<ServiceOptions, "progress" | "verbose">): Progress {
  if (options.progress === "json") return jsonProgress(runtime);
  if (runtime.quiet === true) return SILENT;
  const { status: show, redactor } = runtime;
  const status = show === undefined ? undefined : new StatusLine(runtime.clock, (text) => show(redactor.text(text)));
  let requests = 0;
  let quietUntil = 0;
  /** Whether the wait ends so soon after the last line about a limit of our own that this line is enough. */
  const isCalm = ({ type, waitMs = 0 }: RequestEvent): boolean => {
    if (type !== "paced" || options.verbose === true) return false;
    const now = runtime.clock.now();
    if (now + waitMs <= quietUntil) return true;
    quietUntil = now + CALM;
    return false;
  };
  return {
    request: (event) => {
      if (event.type === "request") {
        requests += 1;
        status?.countRequest();
      }
      const isLimit = event.type === "throttled" || event.type === "paced";
      if (isLimit && status !== undefined && options.verbose !== true) return status.showLimit(event.waitMs ?? 0);
      if (isCalm(event)) return;
      const waited = waitReason(event, requests);
      if (waited !== undefined) runtime.err(waitingText(runtime, event.waitMs ?? 0, waited));
      else if (options.verbose === true) runtime.err(sanitize(describeRequest(event)) + "\n");
    },
    send: status && ((request) => status.showSent(request)),
    work: status && ((state) => status.showWork(state)),
    page: status && ((list) => status.showList(list)),
    wait: ({ address, reason, until }) => {
      const waitMs = until - runtime.clock.now();
      if (waitMs > LONG_WAIT) runtime.err(`${sanitize(address)}: ${waitingText(runtime, waitMs, `because ${reason}`)}`);
    },
    done: () => status?.end(),
  };
}

function ignore(): void {
  // Nothing is reported.
}

const SILENT: Progress = { request: ignore, done: ignore };

/** Waits that are longer are reported without `--verbose`. Milliseconds. */
const LONG_WAIT = 5_000;

/** A low limit of our own makes every request wait. Then one line is shown in this time. Milliseconds. */
const CALM = 30_000;

/**
 * What a request waits for, if that has to be reported.
 *
 * @param requests how many have ended
 */
function waitReason(
  { type, method, path, status, reason, waitMs = 0 }: RequestEvent,
  requests: number,
): string | undefined {
  if (type === "throttled") return "because of the service's rate limit";
  const done = requests === 0 ? "" : ` (${plural(requests, "request")} so far)`;
  if (type === "paced") return `to stay below the limit of requests per minute${done}`;
  if (type === "slow") return `for the answer to ${method} ${path}, which arrives slowly`;
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
    outcome: ({ address, kind, name, action, status, id, error }) =>
      writeEvent(runtime, "outcome", { address, kind, name, action, status, id, error: error && hintJson(error) }),
    done: ignore,
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
