/**
 * Filters of an insight that a service shows as a query.
 *
 * Terms: deployed servers with the flag `hogql-insights-replace-filters` answer `filters: {}` and a query that they have
 * generated from what was written; to restate is to say in the notation of filters what such a query says.
 * Premise: only declared keys are asked for. What the generated query does not say in a known place cannot be told: that is
 * neither equal nor different, it is unverifiable.
 * Algorithm: each declared key has one known place in the query; series and properties are lists, taken element by element.
 */
import { isJsonObject, isValueObject, own, pointer, type Json, type JsonObject, type Value } from "../../model/json.ts";
import type { DeclaredNotation } from "../kind.ts";

/** What the live values say in the notation that was declared; undefined where it is the notation that is shown. */
export function filtersFromQuery(
  declared: Readonly<Record<string, Value>>,
  live: JsonObject,
): DeclaredNotation | undefined {
  const filters = declared["filters"];
  const { filters: shown, query } = live;
  if (!isValueObject(filters) || Object.keys(filters).length === 0 || (declared["query"] ?? null) !== null)
    return undefined;
  if (!isJsonObject(shown) || Object.keys(shown).length > 0 || !isJsonObject(query)) return undefined;
  const source = isJsonObject(query["source"]) ? query["source"] : query;
  const unverifiable: string[] = [];
  const entries = Object.entries(filters).flatMap(([key, value]): [string, Json][] => {
    const told = readFromQuery(source, key, value, ["filters", key], unverifiable);
    return told === undefined ? [] : [[key, told]];
  });
  return {
    values: { ...live, filters: Object.fromEntries(entries), query: null },
    unverifiable,
    copied: COPIED_FROM_DECLARED,
  };
}

/** The nesting of properties is not kept, so that the declared one is taken. */
const COPIED_FROM_DECLARED = [pointer("filters", "properties")];

/** What the query says of one declared key; undefined, and noted as unverifiable, where it says nothing. */
function readFromQuery(
  source: JsonObject,
  key: string,
  declared: Value,
  path: readonly string[],
  unverifiable: string[],
): Json | undefined {
  const node = own(NODES, key);
  if (node !== undefined && Array.isArray(declared)) return series(source, node, declared, path, unverifiable);
  const found =
    key === "insight"
      ? insightType(source)
      : key === "properties"
        ? properties(source, declared)
        : readPath(source, key);
  if (found === undefined) unverifiable.push(pointer(...path));
  return found;
}

const INSIGHTS: Readonly<Record<string, string>> = {
  TrendsQuery: "TRENDS",
  FunnelsQuery: "FUNNELS",
  RetentionQuery: "RETENTION",
  PathsQuery: "PATHS",
  StickinessQuery: "STICKINESS",
  LifecycleQuery: "LIFECYCLE",
};

function insightType({ kind }: JsonObject): Json | undefined {
  return typeof kind === "string" ? own(INSIGHTS, kind) : undefined;
}

/** Kinds of series nodes by the key of filters that lists them, and the key of the node that has the id. */
const NODES: Readonly<Record<string, { readonly kind: string; readonly id: string }>> = {
  events: { kind: "EventsNode", id: "event" },
  actions: { kind: "ActionsNode", id: "id" },
};

function series(
  source: JsonObject,
  { kind, id }: { readonly kind: string; readonly id: string },
  declared: readonly Value[],
  path: readonly string[],
  unverifiable: string[],
): Json | undefined {
  const all = source["series"];
  if (!Array.isArray(all)) return void unverifiable.push(pointer(...path));
  const nodes = all.flatMap((node: Json, order) =>
    isJsonObject(node) && node["kind"] === kind
      ? [{ ...node, id: node[id] ?? null, type: path.at(-1) ?? "", order }]
      : [],
  );
  return nodes.map((node: JsonObject, index) => {
    const wanted = declared[index];
    if (!isValueObject(wanted) || nodes.length !== declared.length) return node;
    for (const key of Object.keys(wanted))
      if (!Object.hasOwn(node, key)) unverifiable.push(pointer(...path, String(index), key));
    return node;
  });
}

/** Where a query has what filters have at the top, other than by the same name in camel case. */
const QUERY_PATHS: Readonly<Record<string, readonly [string, string]>> = {
  date_from: ["dateRange", "date_from"],
  date_to: ["dateRange", "date_to"],
  breakdown: ["breakdownFilter", "breakdown"],
  breakdown_type: ["breakdownFilter", "breakdown_type"],
};
/** The parts of a query that hold what is special to its kind. */
const QUERY_PARTS = [
  "trendsFilter",
  "funnelsFilter",
  "retentionFilter",
  "pathsFilter",
  "stickinessFilter",
  "lifecycleFilter",
];

function readPath(source: JsonObject, key: string): Json | undefined {
  const place = own(QUERY_PATHS, key);
  if (place !== undefined) {
    const part = source[place[0]];
    return isJsonObject(part) ? (part[place[1]] ?? null) : undefined;
  }
  const name = key.replaceAll(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
  const parts = QUERY_PARTS.flatMap((part) => (isJsonObject(source[part]) ? [source[part]] : []));
  return [source, ...parts].find((part) => Object.hasOwn(part, name))?.[name];
}

/** Groups come in another nesting than they were declared in: the properties themselves have to be the same, in their order. */
function properties(source: JsonObject, declared: Value): Json | undefined {
  const shown = source["properties"];
  if (shown === undefined) return undefined;
  const [wanted, found] = [leaves(declared), leaves(shown)];
  const isSame =
    wanted.length === found.length &&
    wanted.every((one, index) => Object.keys(one).every((key) => isSameJson(own(one, key), own(found[index], key))));
  return isSame ? (declared as Json) : shown;
}

function leaves(value: Value | undefined): readonly Readonly<Record<string, Value>>[] {
  if (Array.isArray(value)) return value.flatMap((item: Value) => leaves(item));
  if (!isValueObject(value)) return [];
  return "key" in value ? [value] : leaves(value["values"]);
}

function isSameJson(a: Value | undefined, b: Value | undefined): boolean {
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null);
}
