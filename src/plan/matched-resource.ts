import type { Kind } from "../kinds/kind.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveWorld } from "../model/live.ts";
import type { Resource } from "../model/resource.ts";
import { unknownChange } from "./make-change.ts";
import type { Match, Problem } from "./match.ts";

/** A pin that no list at the place of its resource shows. */
export type MissingPin = Extract<Match, { readonly type: "pin_missing" }>;

/** A declared resource whose live object was looked for. */
export interface MatchedResource {
  readonly kind: Kind;
  readonly resource: Resource;
  readonly rotate: boolean;
  /** The missing pin of a resource that is to be created anew. */
  readonly missingPin: MissingPin | undefined;
  readonly world: LiveWorld;
  readonly diagnostics: Diagnostic[];
}

/** Reports what only a person can decide, and leaves the resource alone. */
export function reportProblem({ resource, diagnostics }: MatchedResource, problem: Problem): Change {
  diagnostics.push({ severity: "error", ...problem, address: resource.address, ...resource.position });
  return unknownChange(resource, problem.message);
}
