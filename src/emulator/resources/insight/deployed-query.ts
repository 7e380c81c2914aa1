import { isObject } from "../../json.ts";
import type { Insight } from "./record.ts";
import type { Json, JsonObject } from "../../json.ts";

const KINDS: Readonly<Record<string, string>> = {
  TRENDS: "TrendsQuery",
  FUNNELS: "FunnelsQuery",
  RETENTION: "RetentionQuery",
  PATHS: "PathsQuery",
  STICKINESS: "StickinessQuery",
  LIFECYCLE: "LifecycleQuery",
};

/** Replaces the filters of an insight by an equivalent query, like servers that have converted filters to queries. */
export function withGeneratedQuery<Shown extends Pick<Insight, "filters" | "query">>(row: Shown): Shown {
  const { filters, query } = row;
  if (query !== null || !isObject(filters) || Object.keys(filters).length === 0) return row;
  const kind = KINDS[typeof filters["insight"] === "string" ? filters["insight"] : "TRENDS"] ?? "TrendsQuery";
  return { ...row, filters: {}, query: { kind: "InsightVizNode", source: sourceOf(kind, filters), version: 2 } };
}

function sourceOf(kind: string, filters: JsonObject): JsonObject {
  const part = `${kind.charAt(0).toLowerCase()}${kind.slice(1).replace("Query", "")}Filter`;
  const special = { display: filters["display"], funnelVizType: filters["funnel_viz_type"] };
  const dates = { date_from: filters["date_from"], date_to: filters["date_to"] };
  const breakdown = { breakdown: filters["breakdown"], breakdown_type: filters["breakdown_type"] };
  return definedFields({
    kind,
    series: seriesOf(filters),
    dateRange: definedOrNone(dates),
    interval: filters["interval"],
    filterTestAccounts: filters["filter_test_accounts"],
    properties: groupOf(filters["properties"]),
    breakdownFilter: definedOrNone(breakdown),
    [part]: definedOrNone(special),
    version: 1,
  });
}

/** Merges events and actions into one list, sorted by `order`. */
function seriesOf(filters: JsonObject): Json {
  const nodes = (["events", "actions"] as const).flatMap((key) => {
    const entities = filters[key];
    if (!Array.isArray(entities)) return [];
    return entities.filter(isObject).map(({ id, type: _type, order, ...rest }: JsonObject) => ({
      order: typeof order === "number" ? order : 0,
      node:
        key === "events"
          ? { kind: "EventsNode", event: id ?? null, ...rest }
          : { kind: "ActionsNode", id: id ?? 0, ...rest },
    }));
  });
  return nodes.toSorted((a, b) => a.order - b.order).map(({ node }) => node);
}

/** Wraps a list of properties in a group inside a group. */
function groupOf(properties: Json | undefined): Json | undefined {
  if (!Array.isArray(properties)) return properties;
  return { type: "AND", values: [{ type: "AND", values: properties }] };
}

function definedOrNone(part: Readonly<Record<string, Json | undefined>>): Json | undefined {
  const found = definedFields(part);
  return Object.keys(found).length === 0 ? undefined : found;
}

function definedFields(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter((entry): entry is [string, Json] => entry[1] !== undefined));
}
