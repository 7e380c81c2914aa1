import { equalScalars, policiesAt } from "../../diff/equal.ts";
import { kindSchema, withWords } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import type { FieldChange } from "../../model/change.ts";
import { canonicalJson, pointerKeys, type Json } from "../../model/json.ts";
import type { KindName } from "../../model/kind-name.ts";

/** Returns the live value of a field in the form in which the configuration declares it. */
export function acceptedValue(kind: KindName, { path, prior, planned }: FieldChange): Json {
  const [top = "", ...below] = pointerKeys(path);
  if (below.length > 0) return withDeclaredType(kind, [top, ...below], prior, planned);
  const live = withWords(kind, { [top]: prior })[top] as Json;
  const isSet = kindSchema(kind).properties[top]?.["x-unordered"] === true;
  return isSet ? inDeclaredOrder(live, planned) : live;
}

/** Some services return numbers and flags as text. What was declared as a number or a flag stays one. */
function withDeclaredType(kind: KindName, keys: readonly string[], live: Json, declared: Json): Json {
  const policies = policiesAt(kinds[kind], keys);
  if (typeof live !== "string" || !policies.includes("scalars_as_strings")) return live;
  const candidates: Readonly<Record<string, readonly Json[]>> = { number: [Number(live)], boolean: [true, false] };
  const isEqual = (value: Json): boolean => equalScalars(value, live, { schema: undefined, policies, top: false });
  return candidates[typeof declared]?.find(isEqual) ?? live;
}

/** The declared order without the removed items, then the added ones: services return sets in any order. */
function inDeclaredOrder(live: Json, declared: Json): Json {
  if (!Array.isArray(live) || !Array.isArray(declared)) return live;
  const includes = (items: readonly Json[], item: Json): boolean =>
    items.some((one) => canonicalJson(one) === canonicalJson(item));
  const kept = declared.filter((item: Json) => includes(live, item));
  return [...kept, ...live.filter((item: Json) => !includes(declared, item))];
}
