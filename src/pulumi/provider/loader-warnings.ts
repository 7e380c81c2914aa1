/**
 * What the loader of configurations says of the free-form values of a program: types of destinations, keys of their `config`, and the
 * nodes of queries. It only warns, because a service may know more of them.
 */
import type { CheckedDraft } from "../../config/resources/declarations.ts";
import { checkNodes } from "../../config/resources/node-checks.ts";
import { checkVariants } from "../../config/resources/validate.ts";
import { Problems } from "../../config/problems.ts";
import type { Member, Node, Source } from "../../config/tree/tree.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type Json } from "../../model/json/json.ts";
import { pointer, pointerKeys } from "../../model/pointer.ts";
import { UNKNOWN } from "../properties/check.ts";
import { propertyKeys, propertyPath, toInterfaceFields, type Properties } from "../properties/properties.ts";
import { withHint } from "./errors.ts";

/** The program. Its lines are not known, so no message names one. */
const SOURCE: Source = { file: "", path: "", lineStarts: [], isLiteral: true };

/** @param isNew whether the object will be made: only then it needs all that its type requires */
export function loaderWarnings(kind: Kind, inputs: Properties, isNew: boolean): readonly string[] {
  const problems = new Problems();
  const draft: CheckedDraft = { kind, problems };
  const fields = membersOf(toInterfaceFields(kind, inputs), "");
  const isPinned = !isNew || typeof inputs["adopt"] === "string";
  checkVariants(fields, draft, { isPinned, reported: new Set() });
  checkNodes(fields, draft);
  return problems.fieldWarnings().flatMap(({ diagnostic: { pointer: place = "", message, hint }, shown }) => {
    if (shown.plan === "if_created" && isPinned) return [];
    const keys = propertyKeys(kind, pointerKeys(place) as [string]);
    return [`${propertyPath(keys, inputs)}: ${withHint(message, hint)}`];
  });
}

/** A value that is not known yet may be any, as one that was reported already. */
function treeOf(value: Json, mark: string): Node {
  const place = { source: SOURCE, mark };
  if (value === UNKNOWN) return { type: "broken", ...place };
  if (Array.isArray(value)) {
    const items = value.map((item: Json, index) => treeOf(item, `${mark}/${String(index)}`));
    return { type: "list", ...place, items };
  }
  if (isJsonObject(value)) return { type: "map", ...place, members: membersOf(value, mark) };
  // What else is an object is a number that JavaScript cannot hold.
  return typeof value === "object" && value !== null
    ? { type: "broken", ...place }
    : { type: "scalar", ...place, value };
}

function membersOf(values: Properties, mark: string): ReadonlyMap<string, Member> {
  const members = Object.entries(values).map(([key, value]): [string, Member] => {
    const at = mark + pointer(key);
    return [key, { key, source: SOURCE, mark: at, value: treeOf(value, at) }];
  });
  return new Map(members);
}
