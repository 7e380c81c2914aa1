import { livePartners } from "../../diff/compare.ts";
import type { FieldPath } from "../../diff/place.ts";
import type { ComparisonRules } from "../../diff/comparison-rules.ts";
import { equalScalars, normalizedItem, normalizedItems, policiesAt } from "../../diff/equal.ts";
import { kindSchema, withWords } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { kinds } from "../../kinds/registry.ts";
import type { FieldChange } from "../../model/change.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import {
  isJsonArray,
  isJsonObject,
  isValueObject,
  own,
  type Json,
  type JsonObject,
  type Value,
} from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import { pointerKeys } from "../../model/pointer.ts";
import type { KindName } from "../../model/kind-name.ts";

/**
 * Returns the live value of a field in the form in which the configuration declares it.
 *
 * @param declared what the configuration declares there
 */
export function acceptedValue(
  kind: KindName,
  { path, prior: live, planned }: FieldChange,
  declared: Value | undefined,
  rules: ComparisonRules,
): Json {
  const [top = "", ...below] = pointerKeys(path);
  const place = { kind: kinds[kind], rules, keys: [top, ...below], isPartner: false } as const;
  const compared = comparedPart(place, live, declared);
  if (below.length > 0) return withDeclaredType(kind, [top, ...below], compared, planned);
  const declaredForm = withWords(kind, { [top]: compared })[top] as Json;
  const isSet = own(kindSchema(kind).properties, top)?.["x-unordered"] === true;
  if (!isSet) return declaredForm;
  const ordered = inDeclaredOrder(declaredForm, planned);
  return rules.isPartial([top]) && Array.isArray(declared) ? withoutOthers(ordered, declared, kind, top) : ordered;
}

interface AcceptedPlace {
  readonly kind: Kind;
  readonly rules: ComparisonRules;
  readonly keys: FieldPath;
  /** Whether the value is an element that is declared, so that its other keys stay undeclared unless they are compared. */
  readonly isPartner: boolean;
}

/**
 * A live value without undeclared keys that are never compared: null, versions, and what the lifecycle ignores. A declared value that it
 * ignores stays as it is.
 */
function comparedPart(place: AcceptedPlace, live: Json, declared: Value | undefined): Json {
  const { rules, keys, isPartner } = place;
  if (isJsonArray(live))
    return comparedList(place, live, Array.isArray(declared) ? (declared as readonly Value[]) : []);
  if (!isJsonObject(live)) return live;
  const members = isValueObject(declared) ? declared : {};
  const ignored = filterKeys(members, (key) => rules.isIgnored([...keys, key])) as JsonObject;
  const accepted = Object.fromEntries(
    Object.entries(live).flatMap(([key, value]): readonly (readonly [string, Json])[] => {
      const path = [...keys, key] as const;
      const known = own(members, key);
      const undeclared = rules.ofUndeclared(path, value);
      if (known === undefined && (undeclared === undefined || (isPartner && undeclared === "noted"))) return [];
      return [[key, comparedPart({ ...place, keys: path, isPartner: isPartner && known !== undefined }, value, known)]];
    }),
  );
  return { ...accepted, ...ignored };
}

/** Elements may have moved: each one is taken for the declared one that it belongs to. */
function comparedList(place: AcceptedPlace, live: readonly Json[], declared: readonly Value[]): Json {
  const { kind, rules, keys } = place;
  const partners = livePartners({ kind, keys, schema: undefined, rules }, declared, live);
  return live.map((item, index) => {
    const to = partners.indexOf(index);
    const at = [...keys, String(to === -1 ? index : to)] as const;
    return comparedPart({ ...place, keys: at, isPartner: to !== -1 }, item, declared[to]);
  });
}

/** Some services return numbers and flags as text. What was declared as a number or a flag stays one. */
function withDeclaredType(kind: KindName, keys: readonly string[], live: Json, declared: Json): Json {
  const policies = policiesAt(kinds[kind], keys);
  if (typeof live !== "string" || !policies.includes("scalars_as_strings")) return live;
  const candidates: Readonly<Record<string, readonly Json[]>> = { number: [Number(live)], boolean: [true, false] };
  const isEqual = (value: Json): boolean =>
    equalScalars(value, live, { schema: undefined, policies, isTrimmed: false });
  return candidates[typeof declared]?.find(isEqual) ?? live;
}

/** The live elements that are declared. Those of others stay undeclared. */
function withoutOthers(live: Json, declared: readonly Value[], kind: KindName, field: string): Json {
  const policies = policiesAt(kinds[kind], [field]);
  const known = normalizedItems(declared, policies);
  return isJsonArray(live) ? live.filter((item) => known.has(normalizedItem(item, policies))) : live;
}

/** The declared order without the removed items, then the added ones: services return sets in any order. */
function inDeclaredOrder(live: Json, declared: Json): Json {
  if (!Array.isArray(live) || !Array.isArray(declared)) return live;
  const includes = (items: readonly Json[], item: Json): boolean =>
    items.some((one) => canonicalJson(one) === canonicalJson(item));
  const kept = declared.filter((item: Json) => includes(live, item));
  return [...kept, ...live.filter((item: Json) => !includes(declared, item))];
}
