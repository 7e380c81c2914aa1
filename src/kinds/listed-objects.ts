import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveObject, type LiveWorld } from "../model/live.ts";
import { withSiblings } from "./registry.ts";

/** The objects that a world shows of a kind in a scope. A sibling kind may show them, so its objects are among them. */
export function listedObjects(
  { lists }: Pick<LiveWorld, "lists">,
  scope: string,
  kind: KindName,
): readonly LiveObject[] {
  return withSiblings(kind).flatMap((name) => lists.get(listKey(scope, name))?.objects ?? []);
}
