import type { Blocked, Change, Work } from "../../model/change.ts";
import type { LiveObject, LiveSnapshot } from "../../model/live.ts";
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

/** A change with work attached. Changes with action `unknown` have none, so rules skip them. */
export interface ExecutableChange extends Change {
  readonly work: Work;
}

/** A change of an object that exists. */
export interface LiveChange extends ExecutableChange {
  readonly work: Work & { readonly live: LiveObject };
}

/** Returns why a change is refused, or null. `all` are all executable changes of the plan. */
export type Rule = (change: ExecutableChange, input: GuardInput, all: readonly ExecutableChange[]) => Blocked | null;
