import { asText, isObject, type Json, type JsonObject } from "../json.ts";
import { invalid } from "../http/errors.ts";

/** Returns an object inside a query, such as its `trendsFilter`. Without it there are no settings. */
export function partOf(source: JsonObject, name: string): JsonObject {
  const part = source[name];
  return isObject(part) ? part : {};
}

/**
 * Converts a query to the request that the old routes take, so that both are calculated by the same code. The range is
 * not part of it, because queries have more forms of it.
 * @throws ApiError 400 for a series or a breakdown that the emulator cannot calculate
 */
export function bodyOfQuery(source: JsonObject): JsonObject {
  const nodes = Array.isArray(source["series"]) ? source["series"] : [];
  const items = nodes.map((node: Json, order) => itemOf(isObject(node) ? node : {}, order));
  const funnel = partOf(source, "funnelsFilter");
  const exclusions = funnel["exclusions"];
  return {
    events: items.filter(({ type }) => type === "events"),
    actions: items.filter(({ type }) => type === "actions"),
    properties: source["properties"] ?? null,
    filter_test_accounts: source["filterTestAccounts"] ?? false,
    aggregation_group_type_index: source["aggregation_group_type_index"] ?? null,
    display: partOf(source, "trendsFilter")["display"] ?? null,
    ...breakdownOf(partOf(source, "breakdownFilter")),
    funnel_viz_type: funnel["funnelVizType"] ?? null,
    funnel_order_type: funnel["funnelOrderType"] ?? null,
    funnel_window_interval: funnel["funnelWindowInterval"] ?? null,
    funnel_window_interval_type: funnel["funnelWindowIntervalUnit"] ?? null,
    exclusions: Array.isArray(exclusions) ? exclusions.map(exclusionOf) : null,
  };
}

/** Converts a node. Its `name` is not used: results show the name of the event or action. */
function itemOf(node: JsonObject, order: number): JsonObject {
  const { kind = "EventsNode", event = null, id = null, math = null, custom_name = null, properties = null } = node;
  const shared = { order, math, custom_name, properties };
  if (kind === "EventsNode") return { ...shared, type: "events", id: event };
  if (kind === "ActionsNode") return { ...shared, type: "actions", id };
  throw invalid("invalid_input", `The emulator counts events and actions, not ${asText(kind)}.`, "series");
}

/** A query names its breakdown in one of two forms. */
function breakdownOf(filter: JsonObject): JsonObject {
  const { breakdown = null, breakdown_type = null, breakdowns = null } = filter;
  const several = Array.isArray(breakdowns) ? breakdowns : Array.isArray(breakdown) ? breakdown : [breakdown];
  if (several.length > 1)
    throw invalid("invalid_input", "The emulator breaks down by one property.", "breakdownFilter");
  const [first = null] = several;
  const type = (isObject(first) ? first["type"] : breakdown_type) ?? null;
  return { breakdown: isObject(first) ? (first["property"] ?? null) : first, breakdown_type: type };
}

function exclusionOf(node: Json): Json {
  if (!isObject(node)) return node;
  const { event, id = null, properties = null, funnelFromStep, funnelToStep } = node;
  return {
    id: event ?? id,
    properties,
    ...(funnelFromStep === undefined ? {} : { funnel_from_step: funnelFromStep }),
    ...(funnelToStep === undefined ? {} : { funnel_to_step: funnelToStep }),
  };
}
