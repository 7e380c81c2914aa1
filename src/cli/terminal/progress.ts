/** What a command reports while it works. Whether there is a status line at all: streams.ts; when it is drawn: status-line.ts. */
import { hintJson } from "../../model/document-json.ts";
import type { ClientOptions, RequestEvent } from "../../api/client.ts";
import type { Outcome, Wait } from "../../model/outcome.ts";
import { sanitize } from "../../model/text/quote.ts";
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
  readonly work?: (state: () => string) => void;
  readonly wait?: (wait: Wait) => void;
  /** Clears the status line. */
  readonly done: () => void;
}

/** Progress as JSON lines, or as lines of text with a status line on a terminal. */
export function createProgress(runtime: Runtime, options: Pick<ServiceOptions, "progress" | "verbose">): Progress {
  if (options.progress === "json") return jsonProgress(runtime);
  if (runtime.quiet === true) return SILENT;
  const { status: onTerminal, redactor } = runtime;
  const log = inLog(runtime);
  const show = onTerminal ?? log.show;
  const status = new StatusLine(runtime.clock, (text) => show(redactor.text(text)));
  const isCalm = options.verbose === true ? () => false : calmReasons(runtime);
  return {
    request: (event) => {
      if (event.type === "request") status.countRequest();
      const { type, waitMs = 0 } = event;
      if (options.verbose !== true && (type === "throttled" || type === "paced")) {
        if (onTerminal !== undefined) status.showLimit(waitMs);
        // The answer and the requests behind it announce the same pause.
        else if (!isCalm("limit", type === "paced" ? OWN_CALM : CALM, waitMs))
          log.pause(redactor.text(status.textWith(waitMs)), waitMs);
        return;
      }
      const waited = waitReason(event);
      if (waited !== undefined) runtime.err(waitingText(runtime, waitMs, waited));
      else if (options.verbose === true) runtime.err(sanitize(describeRequest(event)) + "\n");
    },
    send: onTerminal && ((request) => status.showSent(request)),
    work: (state) => status.showWork(state),
    page: (list) => status.showList(list),
    wait: ({ address, reason, until }) => {
      const waitMs = until - runtime.clock.now();
      if (waitMs > LONG_WAIT && !isCalm(reason))
        runtime.err(`${sanitize(address)}: ${waitingText(runtime, waitMs, `because ${reason}`)}`);
    },
    done: () => status.end(),
  };
}

/** Whether the last line about the same reason is so new that it is enough. */
function calmReasons({ clock }: Runtime): (reason: string, calm?: number, waitMs?: number) => boolean {
  const quietUntil = new Map<string, number>();
  return (reason, calm = CALM, waitMs = 0) => {
    const now = clock.now();
    if (now + waitMs <= (quietUntil.get(reason) ?? 0)) return true;
    quietUntil.set(reason, now + Math.max(calm, waitMs + SAME_PAUSE));
    return false;
  };
}

/** How often the status is a line of a log. Milliseconds. */
const LOG_EVERY = 10_000;

/** Where a line cannot be drawn anew. A pause is one line, and nothing follows until it is over. */
function inLog({ clock, err }: Runtime): {
  readonly show: (status: string) => void;
  readonly pause: (status: string, waitMs: number) => void;
} {
  let due = clock.now() + LOG_EVERY;
  return {
    show: (status) => {
      if (status === "" || clock.now() < due) return;
      due = clock.now() + LOG_EVERY;
      err(`${status}\n`);
    },
    pause: (status, waitMs) => {
      due = Math.max(due, clock.now() + waitMs);
      err(`${status}\n`);
    },
  };
}

function ignore(): void {
  // Nothing is reported.
}

const SILENT: Progress = { request: ignore, done: ignore };

/** Waits that are longer are reported without `--verbose`. Milliseconds. */
const LONG_WAIT = 5_000;

/** In an outage, or at a limit, many wait for one reason. Then one line is shown in this time. Milliseconds. */
const CALM = 10_000;
/** The same for a low limit of our own, which makes every request wait. Milliseconds. */
const OWN_CALM = 30_000;
/** Waits for one moment end so close to each other. Milliseconds. */
const SAME_PAUSE = 2_000;

/** What a request waits for, if that has to be reported. */
function waitReason({ type, method, path, status, reason, waitMs = 0 }: RequestEvent): string | undefined {
  if (type === "throttled") return "because of the service's rate limit";
  if (type === "paced") return "to stay below the limit of requests per minute";
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
