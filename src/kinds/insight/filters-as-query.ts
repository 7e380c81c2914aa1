/**
 * Reads the filters of an insight from the query that a service shows in their place.
 *
 * Terms: deployed servers with the flag `hogql-insights-replace-filters` answer `filters: {}` and a query that they have
 * generated from the written filters. Others do so once somebody has edited the insight in the web interface, which stores a
 * query. Nothing shows which of the two a query is, and either one decides what the insight shows.
 * Premise: only declared keys are compared. A key whose place in a query is not known is neither equal nor different: it is
 * unverifiable.
 * Algorithm: each declared key has one known place in the query. Settings have the same names in another spelling. Lists of
 * events and properties are restated by files of their own.
 */
import { groupBy } from "../../model/group-by.ts";
import { isJsonObject, isValueObject, own, type Json, type JsonObject, type ValueObject } from "../../model/json.ts";
import type { DeclaredNotation } from "../comparison.ts";
import { restateEntities } from "./filter-entities.ts";
import { restateProperties } from "./filter-properties.ts";
import { NODE_KEYS, NODE_SETTINGS, words } from "./query-nodes.ts";
import { saysNothing, kindOf, restateKeys, spellingOf, type Notes } from "./restated.ts";

/** Returns the live values in the declared notation, or undefined if no query stands in the way of the declared filters. */
export function filtersFromQuery(declared: ValueObject, live: JsonObject): DeclaredNotation | undefined {
  const filters = declared["filters"];
  const { filters: shown, query } = live;
  if (!isValueObject(filters) || (declared["query"] ?? null) !== null) return undefined;
  const isEmpty = saysNothing(filters);
  // Today's service shows no filters, also of an insight that has nothing else. Current service 207.
  if (!isJsonObject(query))
    return isEmpty || Object.hasOwn(live, "filters")
      ? undefined
      : { values: live, unverifiable: ["/filters"], copied: [] };
  const precedence = { of: "query", over: "filters" };
  const values = { ...live, query: null };
  const source = isJsonObject(query["source"]) ? query["source"] : query;
  // No query says the same as empty filters. Filters beside a query do not count, and a service shows filters as one of six nodes only.
  if (isEmpty || (isJsonObject(shown) && !saysNothing(shown)) || insightType(source) === undefined)
    return { values, unverifiable: [], copied: [], precedence };
  const notes: Notes = { unverifiable: [], copied: [] };
  const restated = restateKeys(filters, ["filters"], notes, (key, path) => read(source, filters, key, path, notes));
  return { values: { ...values, filters: restated }, ...notes, precedence: { ...precedence, isPartial: true } };
}

/** What the query of an insight says about a key of its filters. */
function read(
  source: JsonObject,
  filters: ValueObject,
  key: string,
  path: readonly string[],
  notes: Notes,
): Json | undefined {
  if (key === "insight") return insightType(source);
  if (key === "shown_as") return own(SHOWN_AS, kindOf(source)) ?? "Volume";
  if (key === "properties") return restateProperties(source[key], filters[key], path, notes);
  if (key === "events" || key === "actions") return restateEntities(source["series"], filters, key, notes);
  const found = readSetting(source, key);
  return key === "exclusions" && found !== undefined ? restateEntities(found ?? [], filters, key, notes) : found;
}

const INSIGHTS: Readonly<Record<string, string>> = {
  TrendsQuery: "TRENDS",
  FunnelsQuery: "FUNNELS",
  RetentionQuery: "RETENTION",
  PathsQuery: "PATHS",
  StickinessQuery: "STICKINESS",
  LifecycleQuery: "LIFECYCLE",
};
/** The older key that said the same as the kind of a query. */
const SHOWN_AS: Readonly<Record<string, string>> = { StickinessQuery: "Stickiness", LifecycleQuery: "Lifecycle" };

function insightType(source: JsonObject): string | undefined {
  return own(INSIGHTS, kindOf(source));
}

type Path = readonly [string] | readonly [string, string];

/** By kind of query: the paths at which a setting may stand, by its spelling. */
const PLACES: Readonly<Record<string, ReadonlyMap<string, readonly Path[]>>> = Object.fromEntries(
  Object.keys(INSIGHTS).map((kind) => [kind, placesIn(kind)]),
);

function placesIn(kind: string): ReadonlyMap<string, readonly Path[]> {
  const keys = words(own(NODE_KEYS, kind) ?? "");
  const parts = keys.filter((key) => Object.hasOwn(NODE_SETTINGS, key));
  const settings = parts.flatMap((part) => words(own(NODE_SETTINGS, part) ?? "").map((name): Path => [part, name]));
  return groupBy([...keys.map((key): Path => [key]), ...settings], (path) => spellingOf(path.at(-1) ?? ""));
}

function readSetting(source: JsonObject, key: string): Json | undefined {
  const places = own(PLACES, kindOf(source))?.get(spellingOf(key));
  const found = places?.map(([part, name]) => {
    const holder = own(source, part);
    return name === undefined ? holder : isJsonObject(holder) ? own(holder, name) : undefined;
  });
  return found && (found.find((value) => value !== undefined) ?? null);
}
