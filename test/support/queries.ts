/** Queries of insights, and edits of any part of them. */
import { isObject, type Json, type JsonObject } from "../../src/emulator/json.ts";

const EVENT = { kind: "EventsNode", event: "$pageview", math: "total" };
/** A filter by a property, as a query holds it. */
export const PROPERTY = { key: "$browser", type: "event", value: ["Chrome"], operator: "exact" };
/** A trend with a filter and a breakdown. */
export const TREND = {
  kind: "TrendsQuery",
  series: [EVENT, { kind: "EventsNode", event: "signed up", properties: [PROPERTY] }],
  dateRange: { date_from: "-30d" },
  breakdownFilter: { breakdown: "plan", breakdown_type: "event" },
  trendsFilter: { display: "ActionsBar" },
};
/** A query in SQL. */
export const SQL = { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1" } };
/** Queries of insights, of every kind that people draw in the web interface. */
export const QUERIES: readonly JsonObject[] = [
  TREND,
  { kind: "InsightVizNode", source: TREND },
  {
    kind: "InsightVizNode",
    source: { kind: "FunnelsQuery", series: [EVENT, EVENT], funnelsFilter: { layout: "vertical" } },
  },
  {
    kind: "InsightVizNode",
    source: { kind: "RetentionQuery", retentionFilter: { period: "Week", totalIntervals: 8 } },
  },
  {
    kind: "DataTableNode",
    source: { kind: "HogQLQuery", query: "select event\nfrom events", filters: { properties: [PROPERTY] } },
  },
  SQL,
];
/** Keys and indexes from the outside in. */
export type Path = readonly (string | number)[];

/** The paths of all values inside a value, the containers among them. */
export function pathsIn(value: Json, path: Path = []): readonly Path[] {
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) => [[...path, index], ...pathsIn(item, [...path, index])]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [[...path, key], ...pathsIn(item, [...path, key])]);
}

/** The value with the one at a path replaced; undefined removes it. */
export function changedAt(value: Json, [key, ...below]: Path, change: (old: Json) => Json | undefined): Json {
  if (key === undefined) return change(value) ?? null;
  const changed = (old: Json): Json | undefined => (below.length === 0 ? change(old) : changedAt(old, below, change));
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) => (index === key ? (changed(item) ?? []) : [item]));
  const object = value as JsonObject;
  const entries = Object.entries(object).flatMap(([name, item]): [string, Json][] => {
    const next = name === key ? changed(item) : item;
    return next === undefined ? [] : [[name, next]];
  });
  return Object.fromEntries(entries);
}
