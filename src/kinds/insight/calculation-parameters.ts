import type { Body, Fields } from "../operation-field.ts";

/**
 * The parameters that funnels and trends share. Interface: Funnel request parameters, Trend request parameters. In the document,
 * `date_to` defaults to the same day as `date_from`.
 */
const COMMON = {
  events: { type: "array" },
  actions: { type: "array" },
  properties: { type: "json" },
  filter_test_accounts: { type: "boolean" },
  date_from: { type: "date", default: "-7d" },
  date_to: { type: "date", default: "-7d" },
  breakdown: { type: "breakdown" },
  breakdown_type: {
    type: "string",
    values: ["event", "person", "cohort", "group", "session", "hogql"],
    default: "event",
  },
} as const satisfies Fields;

/** Interface: Funnel request parameters. */
const FUNNEL = {
  ...COMMON,
  funnel_window_interval: { type: "integer", default: 14 },
  // The document's default is not among its values. Both are accepted.
  funnel_window_interval_type: {
    type: "string",
    values: ["DAY", "SECOND", "MINUTE", "HOUR", "WEEK", "MONTH", "days"],
    default: "days",
  },
  funnel_viz_type: { type: "string", values: ["steps", "trends", "time_to_convert"], default: "steps" },
  funnel_order_type: { type: "string", values: ["ordered", "strict", "unordered"], default: "ordered" },
  exclusions: { type: "array" },
  aggregation_group_type_index: { type: "integer", default: 0 },
  breakdown_limit: { type: "integer", default: 10 },
  funnel_window_days: {
    type: "integer",
    default: 14,
    deprecated: "funnel_window_interval and funnel_window_interval_type",
  },
} as const satisfies Fields;

/** Interface: Trend request parameters. */
const TREND = {
  ...COMMON,
  compare: { type: "boolean" },
  compare_to: { type: "string" },
  display: {
    type: "string",
    values: [
      "ActionsLineGraph",
      "ActionsLineGraphCumulative",
      "ActionsTable",
      "ActionsPie",
      "ActionsBar",
      "ActionsBarValue",
      "WorldMap",
      "BoldNumber",
    ],
    default: "ActionsLineGraph",
  },
  formula: { type: "string" },
} as const satisfies Fields;

/** Interface: Rules for insight operations, 4. */
const SERIES = ["events", "actions"] as const;

export const FUNNEL_BODY = { type: "parameters", fields: FUNNEL, oneOf: SERIES } as const satisfies Body;
export const TREND_BODY = { type: "parameters", fields: TREND, oneOf: SERIES } as const satisfies Body;
