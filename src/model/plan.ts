import type { Action, Change } from "./change.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { KindName } from "./kind-name.ts";
import type { Modified } from "./live.ts";

export interface PlanOptions {
  readonly prune: boolean;
  /** Addresses that the plan is limited to, with their children; empty for no limit. */
  readonly only: readonly string[];
  /** Addresses whose write-only fields are sent again. */
  readonly rotate: readonly string[];
  /** Addresses whose pinned object may be created anew if it is missing; absent if there are none. */
  readonly recreate?: readonly string[] | undefined;
}

export type Summary = Readonly<Record<Action | "blocked" | "unmanaged", number>>;

export interface Unmanaged {
  readonly kind: KindName;
  readonly scope: string;
  readonly id: string;
  readonly key: string | null;
}

/** Everything that apply will do, as data. */
export interface Plan {
  readonly summary: Summary;
  readonly options: PlanOptions;
  readonly changes: readonly Change[];
  readonly unmanaged: readonly Unmanaged[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A change in a document. */
export interface ShownChange extends Omit<Change, "work"> {
  /** In a drift: when the object was changed last, and by whom, if the service reports that. */
  readonly modified?: Modified | undefined;
}

/**
 * A plan in the form that is printed, saved and hashed, without secrets and without `work`. schemas/plan.schema.json
 * describes it.
 */
export interface PlanDocument {
  readonly type: "driftline.plan" | "driftline.drift";
  readonly schema_version: 1;
  readonly hash: string;
  readonly config_hash: string;
  readonly tool_version: string;
  readonly url: string;
  readonly options: PlanOptions;
  readonly summary: Summary;
  readonly changes: readonly ShownChange[];
  readonly unmanaged: readonly Unmanaged[];
  readonly diagnostics: readonly Diagnostic[];
}
