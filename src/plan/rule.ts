import type { Blocked, Change } from "../model/change.ts";
import type { LiveObject, LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";

/** What rules look at. */
export interface GuardInput {
  readonly graph: DesiredGraph;
  readonly snapshot: LiveSnapshot;
  /** Objects that nothing declared claims. */
  readonly unmanaged: readonly LiveObject[];
  readonly prune: boolean;
}

/** Why a change is refused, null where this rule does not refuse it. `all` is what it is held against. */
export type Rule = (change: Change, input: GuardInput, all: readonly Change[]) => Blocked | null;
