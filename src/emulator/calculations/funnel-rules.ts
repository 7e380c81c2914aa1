import { invalid } from "../http/errors.ts";
import { asText, isObject, type Json, type JsonObject, own } from "../json.ts";
import { parseFilter } from "./properties.ts";
import { readOption, type Series } from "./request.ts";
import type { Exclusion, FunnelOrder, FunnelRules } from "./funnel-walk.ts";

const SECONDS: Readonly<Record<string, number>> = { SECOND: 1, MINUTE: 60, HOUR: 3600, DAY: 86_400, WEEK: 604_800 };
const DEFAULT_WINDOW = 14;

/**
 * Reads the rules of a funnel from a request.
 * @throws ApiError 400
 */
export function readFunnelRules(body: JsonObject, series: readonly Series[]): FunnelRules {
  const order = readOption(body, "funnel_order_type", ["ordered", "strict", "unordered"], "ordered");
  return {
    steps: series.map(({ matches }) => matches),
    // optionOf returns one of the values in its list.
    order: order as FunnelOrder,
    windowEnd: readWindow(body),
    exclusions: readExclusions(body["exclusions"], series.length),
  };
}

/**
 * Returns a function that computes the end of a window. Months are calendar months. `funnel_window_days` is used only
 * if `funnel_window_interval` is missing.
 */
function readWindow(body: JsonObject): (start: number) => number {
  const days = body["funnel_window_interval"] === undefined ? body["funnel_window_days"] : undefined;
  const size = readWindowSize(days ?? body["funnel_window_interval"]);
  const type = days === undefined ? body["funnel_window_interval_type"] : undefined;
  const unit = asText(type ?? "DAY")
    .toUpperCase()
    .replace(/S$/, "");
  const seconds = own(SECONDS, unit);
  if (seconds !== undefined) return (start) => start + size * seconds * 1000;
  if (unit !== "MONTH") {
    throw invalid("invalid_choice", `"${asText(type ?? "")}" is not a valid choice.`, "funnel_window_interval_type");
  }
  return (start) => {
    const date = new Date(start);
    return date.setUTCMonth(date.getUTCMonth() + size);
  };
}

function readWindowSize(value: Json | undefined): number {
  const size = value === undefined || value === null ? DEFAULT_WINDOW : Number(value);
  if (Number.isInteger(size) && size > 0) return size;
  throw invalid("invalid_input", "A valid integer is required.", "funnel_window_interval");
}

function readExclusions(value: Json | undefined, steps: number): readonly Exclusion[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid("not_a_list", "Expected a list of items.", "exclusions");
  return value.map((item: Json) => {
    if (!isObject(item) || item["id"] === undefined) {
      throw invalid("invalid_input", "Each item is an object with an id.", "exclusions");
    }
    const { id, properties, funnel_from_step: from = 0, funnel_to_step: to = steps - 1 } = item;
    const extra = parseFilter(properties, "exclusions");
    if (!isStepIndex(from, steps) || !isStepIndex(to, steps) || from >= to) {
      throw invalid("invalid_input", "An exclusion lies between two steps of the funnel.", "exclusions");
    }
    return { matches: (event) => event.event === id && extra(event), from, to };
  });
}

function isStepIndex(value: Json, steps: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value < steps;
}
