import type { Blocked, Change } from "../model/change.ts";
import type { LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";
import type { Twins } from "./twins.ts";

/** What rules look at. */
export interface GuardInput {
  readonly graph: DesiredGraph;
  readonly snapshot: LiveSnapshot;
  /** What is about to be created, and unmanaged objects that are perhaps the same. */
  readonly twins: Twins;
  readonly prune: boolean;
}

/** Why a change is refused, null where this rule does not refuse it. `all` is what it is held against. */
export type Rule = (change: Change, input: GuardInput, all: readonly Change[]) => Blocked | null;
