import { equalScalars, policiesAt } from "../diff/equal.ts";
import { kindSchema, withWords } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import type { FieldChange } from "../model/change.ts";
import { canonicalJson, pointerKeys, type Json } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";

/** The live value of a field, in the form in which the configuration declares it. */
export function acceptedValue(kind: KindName, { path, prior, planned }: FieldChange): Json {
  const [top = "", ...below] = pointerKeys(path);
  if (below.length > 0) return withDeclaredType(kind, [top, ...below], prior, planned);
  const live = withWords(kind, { [top]: prior })[top] as Json;
  const isSet = kindSchema(kind).properties[top]?.["x-unordered"] === true;
  return isSet ? inDeclaredOrder(live, planned) : live;
}

/** Where a service makes text of numbers and flags, what is declared as one stays one. */
function withDeclaredType(kind: KindName, keys: readonly string[], live: Json, declared: Json): Json {
  const policies = policiesAt(kinds[kind], keys);
  if (typeof live !== "string" || !policies.includes("scalars_as_strings")) return live;
  const readings: Readonly<Record<string, readonly Json[]>> = { number: [Number(live)], boolean: [true, false] };
  const isMeant = (value: Json): boolean => equalScalars(value, live, { schema: undefined, policies, top: false });
  return readings[typeof declared]?.find(isMeant) ?? live;
}

/** A set as it is declared, less what is gone, and then what has come: services give sets back in any order. */
function inDeclaredOrder(live: Json, declared: Json): Json {
  if (!Array.isArray(live) || !Array.isArray(declared)) return live;
  const isIn = (items: readonly Json[], item: Json): boolean =>
    items.some((one) => canonicalJson(one) === canonicalJson(item));
  const kept = declared.filter((item: Json) => isIn(live, item));
  return [...kept, ...live.filter((item: Json) => !isIn(declared, item))];
}
