import { INTERVALS, comparedRange, endOf, parseMoment, startOf, type Interval, type TimeRange } from "./dates.ts";
import { invalid } from "../http/errors.ts";
import { asText, type Json, type JsonObject } from "../json.ts";
import { partOf } from "./query-body.ts";

const DAY_MS = 86_400_000;

/** What a range depends on beside the query. */
interface Surroundings {
  readonly now: number;
  /** Returns the moment of the first event of the project, where `all` begins. */
  readonly earliest: () => number;
  /** Whether the result is a single number. Then the interval of the query does not matter. */
  readonly total: boolean;
}

/**
 * Returns the time that a query asks for. It begins with a whole interval, except with relative hours or with
 * `explicitDate`, and ends with a whole day, or hour if that is the interval.
 * @throws ApiError 400 for a date or an interval that is not valid
 */
export function queryRange(source: JsonObject, { now, earliest, total }: Surroundings): TimeRange {
  const { date_from = null, date_to = null, explicitDate } = partOf(source, "dateRange");
  const interval = total ? "day" : readInterval(source["interval"]);
  const from = date_from === "all" ? earliest() : readMoment(date_from ?? "-7d", now, "date_from");
  const to = date_to === null || date_to === "" ? now : readMoment(date_to, now, "date_to");
  const exact = explicitDate === true;
  const keepsHours = /^-\d+h$/.test(asText(date_from)) && (interval === "hour" || interval === "day");
  return {
    first: exact || keepsHours ? from : startOf(from, interval),
    last: exact && date_to !== null ? to : endOf(to, interval === "hour" ? "hour" : "day"),
    interval,
  };
}

/**
 * Returns the range that a query compares with. Without `compare_to` it is the one before. If the range begins
 * whole weeks before now, it is a day later, so that the same days of the week are compared.
 */
export function queryComparedRange(source: JsonObject, range: TimeRange): TimeRange {
  const compare = partOf(source, "compareFilter");
  const compared = comparedRange(range, compare["compare_to"]);
  const { date_from = null, date_to = null } = partOf(source, "dateRange");
  const [, days] = /^-(\d+)d$/.exec(asText(date_from)) ?? [];
  const wholeWeeks = days !== undefined && Number(days) > 0 && Number(days) % 7 === 0;
  const endIsRelative = /^-?\d*[hdwmqy]/.test(asText(date_to));
  if ((compare["compare_to"] ?? null) !== null || range.interval !== "day" || !wholeWeeks || endIsRelative) {
    return compared;
  }
  return { ...compared, first: compared.first + DAY_MS, last: compared.last + DAY_MS };
}

function readInterval(value: Json | undefined): Interval {
  const interval = INTERVALS.find((known) => known === (value ?? "day"));
  if (interval === undefined) {
    throw invalid("invalid_input", `The emulator counts by ${INTERVALS.join(", ")}.`, "interval");
  }
  return interval;
}

function readMoment(value: Json, now: number, attr: string): number {
  const moment = typeof value === "string" ? parseMoment(value, now) : undefined;
  if (moment !== undefined) return moment;
  throw invalid("invalid_input", "A date is ISO 8601, or relative like -7d, -24h, mStart or -1dEnd.", attr);
}
