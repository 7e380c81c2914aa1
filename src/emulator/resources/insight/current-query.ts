import { asText, isObject, type Json, type JsonObject } from "../../json.ts";

/** Fact 209: a bare query, the node that it is stored in, and the defaults that are written out. */
interface Wrapping {
  readonly node: string;
  readonly defaults: JsonObject;
}

const PLAIN = { filterTestAccounts: false, properties: [] };
const SERIES = { ...PLAIN, interval: "day" };

const WRAPPINGS: Readonly<Record<string, Wrapping>> = {
  TrendsQuery: { node: "InsightVizNode", defaults: SERIES },
  FunnelsQuery: { node: "InsightVizNode", defaults: PLAIN },
  RetentionQuery: { node: "InsightVizNode", defaults: PLAIN },
  PathsQuery: { node: "InsightVizNode", defaults: PLAIN },
  PathsV2Query: { node: "InsightVizNode", defaults: PLAIN },
  StickinessQuery: { node: "InsightVizNode", defaults: SERIES },
  LifecycleQuery: { node: "InsightVizNode", defaults: SERIES },
  WebStatsTableQuery: { node: "InsightVizNode", defaults: { properties: [] } },
  HogQLQuery: { node: "DataVisualizationNode", defaults: {} },
};

/** The kinds of sources whose insights can have alerts. Which ones exactly is not known. */
const ALERTING: ReadonlySet<Json> = new Set(["TrendsQuery", "HogQLQuery"]);

/** Fact 209: the form in which a query is stored. A bare query is wrapped, a wrapped one is stored as sent. */
export function storedQuery(query: JsonObject): JsonObject {
  const kind = asText(query["kind"] ?? "");
  const wrapping = Object.hasOwn(WRAPPINGS, kind) ? WRAPPINGS[kind] : undefined;
  if (wrapping === undefined) return query;
  return { kind: wrapping.node, source: withoutNulls({ ...wrapping.defaults, ...query }) };
}

function withoutNulls(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(kept.map(([key, inner]) => [key, strip(inner)]));
}

function strip(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => strip(item));
  return isObject(value) ? withoutNulls(value) : value;
}

/** Facts 215 and 216: whether an insight with this query can have alerts. */
export function canAlert(query: Json): boolean {
  const source = isObject(query) && isObject(query["source"]) ? query["source"] : query;
  return isObject(source) && ALERTING.has(source["kind"] ?? null);
}

/** Fact 210: what the runner of a query refuses. Only its best-known rules are here. */
export function runnerProblem(query: JsonObject): { readonly code: string; readonly detail: string } | undefined {
  const source = isObject(query["source"]) ? query["source"] : query;
  const series = source["series"];
  if (!Array.isArray(series)) return undefined;
  if (source["kind"] === "FunnelsQuery" && series.length < 2) {
    return { code: "funnels_require_at_least_two_steps", detail: "Funnels require at least two steps." };
  }
  if (series.length > 0) return undefined;
  return { code: "insight_requires_at_least_one_series", detail: "An insight needs at least one series." };
}
