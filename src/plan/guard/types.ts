import type { Blocked, ChangeWithWork } from "../../model/change.ts";
import type { LiveSnapshot } from "../../model/live.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import type { RenameCandidates } from "./rename-detection.ts";

/** What the rules decide on. */
export interface GuardInput {
  readonly graph: DesiredGraph;
  readonly snapshot: LiveSnapshot;
  /** Creates, and the unmanaged objects that are probably the same. */
  readonly renameCandidates: RenameCandidates;
  /** The objects that resources were matched with, by `claimKey`. */
  readonly claims: ReadonlySet<string>;
  readonly prune: boolean;
}

/** Returns why a change is refused, or null. `all` are all executable changes of the plan. */
export type Rule = (change: ChangeWithWork, input: GuardInput, all: readonly ChangeWithWork[]) => Blocked | null;
