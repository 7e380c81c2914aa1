import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../model/live.ts";
import { withSiblings } from "./registry.ts";

/** The objects that a snapshot shows of a kind in a scope. A sibling kind may show them, so its objects are among them. */
export function listedObjects(
  { lists }: Pick<LiveSnapshot, "lists">,
  scope: string,
  kind: KindName,
): readonly LiveObject[] {
  return withSiblings(kind).flatMap((name) => lists.get(listKey(scope, name))?.objects ?? []);
}
