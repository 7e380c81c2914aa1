import type { Change } from "./change.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { PlanDocument } from "./plan.ts";

/**
 * How a change ended. `applied`: done and verified. `unchanged`: nothing was to be done. `yielded`: another run created the
 * object at the same time, and that one stays. `skipped`: nothing was written.
 * `unverified`: something was written, but not everything is shown as declared: the service refused or ignored a part, or
 * could not be read. `unknown`: it may or may not have happened.
 */
export type Status = "applied" | "unchanged" | "yielded" | "failed" | "skipped" | "unverified" | "unknown";

/**
 * The code of a write that an outage stopped: the circuit of its operation is open. Scripts may test for it, so it
 * does not change.
 */
export const CIRCUIT_OPEN = "family_stopped";

export interface OutcomeError extends Pick<Diagnostic, "code" | "message" | "hint" | "command"> {
  /** JSON Pointers of the declared fields that the error is about. Absent if it is not about fields. */
  readonly paths?: readonly string[] | undefined;
}

export interface Outcome extends Omit<Change, "work"> {
  readonly status: Status;
  readonly error: OutcomeError | null;
  /** Id of the object that this run created and took back, because that of another run is older. Absent if there is none. */
  readonly taken_back?: string | undefined;
  /** The number of requests of this change. */
  readonly requests: number;
  /** When it ended, in ISO 8601. Absent if nothing was sent for it. */
  readonly ended_at?: string | undefined;
}

/** A run of a pipeline. */
export interface PipelineRun {
  /** The address of its page. */
  readonly url: string;
  /** The user name, on GitHub or GitLab, of the person who started it. Undefined if the pipeline does not give it. */
  readonly started_by?: string | undefined;
}

/** Who made an apply, and when. */
export interface ApplyRecord {
  /** ISO 8601. */
  readonly started_at: string;
  readonly ended_at: string;
  /** The commit of the configuration, with its subject. Absent if it is not known. */
  readonly commit?: string | undefined;
  /** The run of the pipeline that it was a part of. Absent outside of one. */
  readonly pipeline?: PipelineRun | undefined;
  /** Names the key: the last four characters of its SHA-256. */
  readonly key_hash_end: string;
  /** The e-mail address of the key's user as `service.self` claims it. Nothing proves it. */
  readonly declared_user?: string | undefined;
  /** The options that lifted blocks of what was tried, each as it is typed. Absent if there are none. */
  readonly lifted_by?: readonly string[] | undefined;
  /** Whether Ctrl-C or a signal ended it. Absent if not. */
  readonly interrupted?: true | undefined;
}

/** The document that apply prints. schemas/outcomes.schema.json describes it. */
export interface OutcomesDocument extends Omit<PlanDocument, "type" | "changes" | "effects"> {
  readonly type: "driftline.outcomes";
  readonly changes: readonly Outcome[];
  readonly record: ApplyRecord;
  readonly statuses: Readonly<Record<Status, number>>;
  /** The number of requests of the run, including reads. */
  readonly requests: number;
}

/** Whether the service is as declared, without another run. */
export function isAsDeclared({ status }: Pick<Outcome, "status">): boolean {
  return status === "applied" || status === "unchanged";
}

/** A change that waits, while others go on. */
export interface Wait {
  readonly address: string;
  /** What it waits for, as the rest of a sentence that says until when. */
  readonly reason: string;
  /** When the wait ends at the latest. Milliseconds since 1970. */
  readonly until: number;
}
