/**
 * Live insights in the notation that was declared: filters without their type, and bare queries with the node that a service
 * stores each of them in.
 *
 * Terms: a query is bare if it is not the source of a node that shows it. Current service 209: a save wraps eight kinds in an
 * InsightVizNode and SQL in a DataVisualizationNode, writes defaults out and drops nulls. It stores wrapped queries as they are
 * sent.
 * Algorithm: send every such query wrapped, so that the service adds nothing to it. Compare it in the form that is declared.
 */
import {
  isJsonObject,
  isValueObject,
  own,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
} from "../../model/json/json.ts";
import { words } from "./query-nodes.ts";

const WRAPPERS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    words(
      "TrendsQuery FunnelsQuery RetentionQuery PathsQuery PathsV2Query StickinessQuery LifecycleQuery WebStatsTableQuery",
    ).map((kind) => [kind, "InsightVizNode"]),
  ),
  HogQLQuery: "DataVisualizationNode",
};

function wrapperOf(query: Value | undefined): string | undefined {
  const kind = isValueObject(query) ? query["kind"] : undefined;
  return typeof kind === "string" ? own(WRAPPERS, kind) : undefined;
}

/** The body of a write with its query in the form in which a service stores it. */
export function withWrappedQuery(body: ValueObject): ValueObject {
  const query = own(body, "query");
  const kind = wrapperOf(query);
  return kind === undefined || query === undefined ? body : { ...body, query: { kind, source: query } };
}

/**
 * Returns the live values with a bare query, if that is how it is declared. A node with settings of its own stays as it is: they
 * would not be compared.
 */
export function bareAsDeclared(declared: ValueObject, live: JsonObject): JsonObject | undefined {
  const { query } = live;
  const wrapper = wrapperOf(declared["query"]);
  if (wrapper === undefined || !isJsonObject(query) || query["kind"] !== wrapper) return undefined;
  const { kind: _kind, version: _version, source, ...settings } = query;
  if (!isJsonObject(source) || !Object.values<Json>(settings).every((setting) => setting === null)) return undefined;
  return { ...live, query: source };
}

/** Filters without a type are a trend. Lists of deployed servers show what is stored, all other views add the type. */
export function withoutDefaultType(live: JsonObject): JsonObject {
  const { filters } = live;
  if (!isJsonObject(filters) || filters["insight"] !== "TRENDS") return live;
  const { insight: _type, ...others } = filters;
  return { ...live, filters: others };
}

/** Adds the type that the view left out, if it is declared and there is no query in the place of the filters. */
export function withDeclaredType(declared: ValueObject, live: JsonObject): JsonObject | undefined {
  const [{ filters }, { filters: shown, query = null }] = [declared, live];
  if (!isValueObject(filters) || !Object.hasOwn(filters, "insight")) return undefined;
  if (query !== null || !isJsonObject(shown) || Object.hasOwn(shown, "insight")) return undefined;
  return { ...live, filters: { ...shown, insight: "TRENDS" } };
}
