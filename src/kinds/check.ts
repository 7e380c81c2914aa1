/**
 * What a plan is checked for before it is shown. A check looks at one change after the other, and says what it found: why the change
 * is refused, or what somebody has to know. It never makes a change.
 */
import type { Blocked, Change, ChangeWithWork, Work } from "../model/change.ts";
import type { LiveObject, LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";

/** What checks decide on. */
export interface CheckedPlan {
  /** All changes, with the blocks of the checks before. */
  readonly changes: readonly Change[];
  readonly graph: DesiredGraph;
  readonly snapshot: LiveSnapshot;
  /** The objects that resources were matched with, by `claimKey`. */
  readonly claims: ReadonlySet<string>;
  /** The objects that no resource has claimed. */
  readonly unmanaged: readonly LiveObject[];
  readonly prune: boolean;
}

/** What a check found out about a change. */
export interface Finding {
  /** Why it is refused, by the rule of the check if it names no other. A block of an earlier check stays. */
  readonly blocked?: Omit<Blocked, "rule"> & Partial<Pick<Blocked, "rule">>;
  /** What apply, or what comes after the checks, has to know. */
  readonly work?: Pick<Work, "moved" | "needsApproval">;
}

export interface Check {
  /** The rule that it blocks by. Checks are made in the order of the rules. */
  readonly rule: Blocked["rule"];
  /** Prepares what it needs of the whole plan, and returns what it says about one change. */
  readonly look: (plan: CheckedPlan) => (change: ChangeWithWork) => Finding | undefined;
}
