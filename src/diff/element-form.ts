import { kinds } from "../kinds/registry.ts";
import type { Json } from "../model/json.ts";
import { pointerKeys } from "../model/pointer.ts";
import type { KindName } from "../model/kind-name.ts";
import { normalizedItem, policiesAt } from "./equal.ts";

/** The form in which the elements of a set are compared, as a text: a tag in upper case is the same tag. */
export function elementForm(kind: KindName, path: string): (item: Json) => string {
  const policies = policiesAt(kinds[kind], pointerKeys(path));
  return (item) => normalizedItem(item, policies);
}
