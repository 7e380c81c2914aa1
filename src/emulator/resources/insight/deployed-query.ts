import { isObject, type Json, type JsonObject, own } from "../../json.ts";
import { settingsOf } from "./deployed-query-schema.ts";
import type { Insight } from "./record.ts";

const KINDS: Readonly<Record<string, string>> = {
  TRENDS: "TrendsQuery",
  FUNNELS: "FunnelsQuery",
  RETENTION: "RetentionQuery",
  PATHS: "PathsQuery",
  STICKINESS: "StickinessQuery",
  LIFECYCLE: "LifecycleQuery",
};
/** The kinds without a list of events and actions. */
const WITHOUT_SERIES: ReadonlySet<string> = new Set(["RetentionQuery", "PathsQuery"]);

/** Replaces the filters of an insight by an equivalent query, like servers that have converted filters to queries. */
export function withGeneratedQuery<Shown extends Pick<Insight, "filters" | "query">>(row: Shown): Shown {
  const { filters, query } = row;
  if (query !== null || !isObject(filters) || Object.keys(filters).length === 0) return row;
  const kind = own(KINDS, typeof filters["insight"] === "string" ? filters["insight"] : "TRENDS") ?? "TrendsQuery";
  return { ...row, filters: {}, query: { kind: "InsightVizNode", source: sourceOf(kind, filters), version: 2 } };
}

function sourceOf(kind: string, filters: JsonObject): JsonObject {
  const part = `${kind.charAt(0).toLowerCase()}${kind.slice(1).replace("Query", "")}Filter`;
  const exclusions = entitiesOf(filters, ["exclusions"]);
  const mine = { ...partOf(part, filters), ...(exclusions.length === 0 ? {} : { exclusions }) };
  return definedFields({
    kind,
    series: WITHOUT_SERIES.has(kind) ? undefined : entitiesOf(filters, ["events", "actions"]),
    dateRange: someOf(partOf("dateRange", filters)),
    interval: filters["interval"],
    samplingFactor: filters["sampling_factor"],
    aggregation_group_type_index: filters["aggregation_group_type_index"],
    filterTestAccounts: filters["filter_test_accounts"],
    properties: groupOf(filters["properties"]),
    breakdownFilter: someOf(partOf("breakdownFilter", filters)),
    compareFilter: someOf(partOf("compareFilter", filters)),
    [part]: someOf(mine),
    version: 1,
  });
}

/** The settings of one part of a query. In filters their names are in snake case. */
function partOf(part: string, filters: JsonObject): JsonObject {
  const bySpelling = new Map(Object.entries(filters).map(([key, value]) => [spellingOf(key), value]));
  return definedFields(Object.fromEntries(settingsOf(part).map((name) => [name, bySpelling.get(spellingOf(name))])));
}

/** The form that a name has in both cases. */
function spellingOf(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** Merges lists of events and actions into one. `order` decides the place. */
function entitiesOf(filters: JsonObject, lists: readonly string[]): readonly JsonObject[] {
  const entities = lists.flatMap((list) => {
    const items = filters[list];
    return Array.isArray(items) ? items.filter(isObject).map((item: JsonObject) => ({ list, item })) : [];
  });
  const placeOf = ({ order }: JsonObject): number => (typeof order === "number" ? order : 0);
  return entities
    .toSorted((a, b) => placeOf(a.item) - placeOf(b.item))
    .map(({ list, item }) => nodeOf(item, item["type"] === "actions" || list === "actions"));
}

function nodeOf(item: JsonObject, isAction: boolean): JsonObject {
  const { id = null, type: _type, order: _order, funnel_from_step, funnel_to_step, properties, ...rest } = item;
  return definedFields({
    ...(isAction ? { kind: "ActionsNode", id: Number(id) } : { kind: "EventsNode", event: id }),
    ...rest,
    properties: withOperators(properties),
    funnelFromStep: funnel_from_step,
    funnelToStep: funnel_to_step,
  });
}

/** Wraps a list of properties in a group inside a group. */
function groupOf(properties: Json | undefined): Json | undefined {
  const found = withOperators(properties);
  return Array.isArray(found) ? { type: "AND", values: [{ type: "AND", values: found }] } : found;
}

/** Adds the operator that a filter by a property has if it names none. */
function withOperators(properties: Json | undefined): Json | undefined {
  if (Array.isArray(properties)) return properties.map((item: Json) => withOperators(item) ?? null);
  if (!isObject(properties)) return properties;
  if (Array.isArray(properties["values"])) return { ...properties, values: withOperators(properties["values"]) ?? [] };
  return properties["type"] === "hogql" ? properties : { operator: "exact", ...properties };
}

function someOf(part: JsonObject): Json | undefined {
  return Object.keys(part).length === 0 ? undefined : part;
}

function definedFields(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
