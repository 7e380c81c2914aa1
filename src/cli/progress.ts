import type { RequestEvent } from "../api/client.ts";
import type { Outcome } from "../model/outcome.ts";
import { plural } from "../model/plural.ts";
import { sanitize } from "../report/index.ts";
import { writeEvent } from "./json-lines.ts";
import type { ServiceOptions } from "./options.ts";
import { redactOutcome } from "../engine/redact.ts";
import type { Runtime } from "./runtime.ts";

/** Tells on stderr what is going on. */
export interface Progress {
  readonly request: (event: RequestEvent) => void;
  readonly outcome: (outcome: Outcome) => void;
  /** Takes away the line that is overwritten. */
  readonly done: () => void;
}

/** JSON lines, or plain lines and, on a terminal, a line that counts. */
export function createProgress(runtime: Runtime, options: Pick<ServiceOptions, "progress" | "verbose">): Progress {
  if (options.progress === "json") return jsonProgress(runtime);
  let sent = 0;
  return {
    request: (event) => {
      if (event.type === "request") sent += 1;
      runtime.status(plural(sent, "request"));
      if (event.type === "throttled") runtime.err(`waiting ${seconds(event.waitMs)} for the service's rate limit\n`);
      else if (options.verbose === true) runtime.err(sanitize(describe(event)) + "\n");
    },
    outcome: ({ action, address, status }) => {
      if (action !== "no_op") runtime.err(sanitize(`${address}: ${status}`) + "\n");
    },
    done: () => runtime.status(""),
  };
}

function jsonProgress(runtime: Runtime): Progress {
  return {
    request: ({ type, path, ...data }) => writeEvent(runtime, type, { ...data, path: runtime.redactor.text(path) }),
    outcome: (outcome) => {
      const { address, kind, action, status, id, error } = redactOutcome(outcome, runtime.redactor);
      writeEvent(runtime, "outcome", { address, kind, action, status, id, error });
    },
    done: () => undefined,
  };
}

function describe({ type, method, path, status, attempt, reason, waitMs }: RequestEvent): string {
  if (type === "request")
    return `${method} ${path} ${status === undefined || status === null ? "" : String(status)}`.trimEnd();
  return `try ${String(attempt)} of ${method} ${path} failed (${reason ?? "no answer"}), again in ${seconds(waitMs)}`;
}

function seconds(ms: number | undefined): string {
  return `${((ms ?? 0) / 1000).toFixed(1)} s`;
}
