import type { Kind } from "../kinds/kind.ts";
import type { Change } from "../model/change.ts";
import { type Diagnostic, warningAt } from "../model/diagnostic.ts";
import type { LiveObject } from "../model/live.ts";
import { quoted, visible } from "../model/quote.ts";
import type { Resource } from "../model/resource.ts";

/**
 * Warns of a removal by a pin whose object has another name than the declared one. With an update that is a rename. A removal gives
 * no name, so one of the two is wrong: the pin, or the name.
 */
export function removesOtherName(
  { identity, name: kind }: Kind,
  resource: Resource,
  { action }: Change,
  live: LiveObject,
): readonly Diagnostic[] {
  const declared = identity.declaredKeys(resource.values, resource.name);
  const [first] = declared;
  if (action !== "delete" || first === undefined || declared.some((key) => live.keys.includes(key))) return [];
  const [found] = live.keys;
  const has = found === undefined ? "no name" : `the name ${quoted(found)}`;
  const message = `the ${kind} that is removed (id ${visible(live.id)}) has ${has} on the service, not ${quoted(first)}`;
  const hint = "Correct the pinned id if another one is meant. Otherwise declare the name that it has.";
  return [warningAt(resource, { code: "removes_other_name", message, hint })];
}
