/**
 * Reads the filters of an insight from the query as which a service may show them.
 *
 * Terms: deployed servers with the flag `hogql-insights-replace-filters` answer `filters: {}` and a query that they have
 * generated from the written filters.
 * Premise: only declared keys are compared. A key that the generated query does not have in a known place is neither equal nor
 * different: it is unverifiable.
 * Algorithm: each declared key has one known place in the query; series and properties are lists, taken element by element.
 */
import { isJsonObject, isValueObject, own, pointer, type Json, type JsonObject, type Value } from "../../model/json.ts";
import type { DeclaredNotation } from "../kind.ts";

/** Returns the live values in the declared notation, or undefined if the service already shows that notation. */
export function filtersFromQuery(
  declared: Readonly<Record<string, Value>>,
  live: JsonObject,
): DeclaredNotation | undefined {
  const filters = declared["filters"];
  const { filters: shown, query } = live;
  if (!isValueObject(filters) || Object.keys(filters).length === 0 || (declared["query"] ?? null) !== null)
    return undefined;
  if (!isJsonObject(shown) || !isJsonObject(query)) return undefined;
  const source = isJsonObject(query["source"]) ? query["source"] : query;
  // A service shows filters as one of six nodes only. Somebody has replaced them by another node, which hides them.
  if (insightType(source) === undefined) return { values: live, unverifiable: [], copied: [], cleared: ["query"] };
  if (Object.keys(shown).length > 0) return undefined;
  const unverifiable: string[] = [];
  const entries = Object.entries(filters).flatMap(([key, value]): [string, Json][] => {
    const found = readFromQuery(source, key, value, ["filters", key], unverifiable);
    return found === undefined ? [] : [[key, found]];
  });
  return {
    values: { ...live, filters: Object.fromEntries(entries), query: null },
    unverifiable,
    copied: COPIED_FROM_DECLARED,
    isPartial: true,
  };
}

/** A query does not keep the nesting of properties, so the declared one is used. */
const COPIED_FROM_DECLARED = [pointer("filters", "properties")];

/** Returns the value of one declared key, or undefined if the query does not have it: the key is then unverifiable. */
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

/** By key of the filters: the kind of the series nodes that it lists, and the key of a node that has the id. */
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

/** Where a query holds the keys of filters that it does not simply rename to camel case. */
const QUERY_PATHS: Readonly<Record<string, readonly [string, string]>> = {
  date_from: ["dateRange", "date_from"],
  date_to: ["dateRange", "date_to"],
  breakdown: ["breakdownFilter", "breakdown"],
  breakdown_type: ["breakdownFilter", "breakdown_type"],
};
/** The members of a query with the settings of its kind. */
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

/** A query nests groups differently. The properties themselves must be the same, in the same order. */
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
