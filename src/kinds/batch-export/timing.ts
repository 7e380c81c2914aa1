/** When an export runs. Current service 187 and 188. */
import type { JsonObject, ValueObject } from "../../model/json/json.ts";
import type { ValueProblem } from "../kind-parts.ts";
import { isTimed } from "../service-signs.ts";

/** The offsets, with the intervals that have them. */
const OFFSETS: Readonly<Record<string, readonly string[]>> = { offset_day: ["week"], offset_hour: ["day", "week"] };

/**
 * Adds the interval and the offsets that belong to it: a service that has offsets takes them only together with the interval, and
 * clears the one that is not sent.
 */
export function withTiming(body: ValueObject, wanted: ValueObject, live: JsonObject): ValueObject {
  if (!isTimed(live) || !["interval", ...Object.keys(OFFSETS)].some((field) => field in body)) return body;
  const { interval = null } = wanted;
  const offsets = Object.entries(OFFSETS).flatMap(([field, intervals]) => {
    const value = wanted[field] ?? null;
    return value !== null && intervals.some((one) => one === interval) ? [[field, value] as const] : [];
  });
  return { interval, ...Object.fromEntries(offsets), ...body };
}

/** Offsets that the interval beside them does not have. */
export function offsetProblems(values: ValueObject): readonly ValueProblem[] {
  const { interval } = values;
  if (typeof interval !== "string") return [];
  return Object.entries(OFFSETS).flatMap(([field, intervals]) => {
    if ((values[field] ?? null) === null || intervals.includes(interval)) return [];
    const message = `${field} is only for the interval ${intervals.join(" or ")}, and the interval is ${interval}`;
    return [{ keys: [field], code: "not_applicable", message, hint: "Remove it, or declare another interval." }];
  });
}
