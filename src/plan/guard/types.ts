import type { Blocked, Change, Work } from "../../model/change.ts";
import type { LiveSnapshot } from "../../model/live.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import type { RenameCandidates } from "./rename-detection.ts";

/** What rules look at. */
export interface GuardInput {
  readonly graph: DesiredGraph;
  readonly snapshot: LiveSnapshot;
  /** What is about to be created, and unmanaged objects that are perhaps the same. */
  readonly twins: RenameCandidates;
  readonly prune: boolean;
}

/** A change of which it is known what it would do: of what is unknown there is nothing to refuse. */
export interface ExecutableChange extends Change {
  readonly work: Work;
}

export function isExecutable(change: Change): change is ExecutableChange {
  return change.work !== null;
}

/** Why a change is refused, null where this rule does not refuse it. `all` are all that are decided. */
export type Rule = (change: ExecutableChange, input: GuardInput, all: readonly ExecutableChange[]) => Blocked | null;
