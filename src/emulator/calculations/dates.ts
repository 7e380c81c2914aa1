import { invalid } from "../http/errors.ts";
import { toUtc } from "../store/time.ts";
import { type Json, own } from "../json.ts";

/** The lengths of time by which a calculation can count. */
export const INTERVALS = ["hour", "day", "week", "month"] as const;

/** One of the intervals. */
export type Interval = (typeof INTERVALS)[number];

/** A unit in a relative date. */
export type Unit = Interval | "quarter" | "year";

/** The time between two moments, both included, in UTC, and how it is divided. A moment is in milliseconds since 1970. */
export interface TimeRange {
  readonly first: number;
  readonly last: number;
  readonly interval: Interval;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A century of days. A longer range is a typing mistake in a year and would only fill the memory. */
const MAX_INTERVALS = 36_600;
const UNITS: Readonly<Record<string, Unit>> = { h: "hour", d: "day", w: "week", m: "month", q: "quarter", y: "year" };
/** Creating a format takes longer than all else in a calculation, so there is one. */
const MONTH = new Intl.DateTimeFormat("en", { month: "short", timeZone: "UTC" });
const MONTHS = { month: 1, quarter: 3, year: 12 };
const HOURS = { hour: 1, day: 24, week: 168 };

/** Returns the start of the unit that a moment lies in. Weeks start on Sundays, as in a project that sets nothing. */
export function startOf(moment: number, unit: Unit): number {
  if (unit === "hour") return Math.floor(moment / HOUR_MS) * HOUR_MS;
  const date = new Date(moment);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === "day") return Math.floor(moment / DAY_MS) * DAY_MS;
  if (unit === "week") return Math.floor(moment / DAY_MS) * DAY_MS - date.getUTCDay() * DAY_MS;
  return Date.UTC(year, month - (month % MONTHS[unit]), 1);
}

/** Moves a moment by a number of units. A day that a shorter month does not have becomes the last day of that month. */
export function moved(moment: number, count: number, unit: Unit): number {
  if (unit === "hour" || unit === "day" || unit === "week") return moment + count * HOURS[unit] * HOUR_MS;
  const date = new Date(moment);
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count * MONTHS[unit], 1));
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const day = Math.min(date.getUTCDate(), length) - 1;
  return first.getTime() + day * DAY_MS + (moment - startOf(moment, "day"));
}

/** Returns the last moment of the unit that a moment lies in. */
export function endOf(moment: number, unit: Unit): number {
  return moved(startOf(moment, unit), 1, unit) - 1;
}

/** Reports whether something happened within a range. */
export function isInRange({ first, last }: TimeRange, { at }: { readonly at: number }): boolean {
  return at >= first && at <= last;
}

/** Lists the start of every interval that a range touches. @throws ApiError 400 if there are too many */
export function startsOf({ first, last, interval }: TimeRange): readonly number[] {
  const starts: number[] = [];
  for (let start = startOf(first, interval); start <= last; start = moved(start, 1, interval)) {
    if (starts.length === MAX_INTERVALS)
      throw invalid("invalid_input", "The range has too many intervals.", "date_from");
    starts.push(start);
  }
  return starts;
}

/** Formats the start of an interval: YYYY-MM-DD, and for hours the time as well. */
export function formatStart(start: number, interval: Interval): string {
  const text = new Date(start).toISOString();
  return interval === "hour" ? `${text.slice(0, 10)} ${text.slice(11, 19)}` : text.slice(0, 10);
}

/** Formats the start of an interval for people, for example 3-Jan-2030. */
export function formatLabel(start: number, interval: Interval): string {
  const date = new Date(start);
  const label = `${date.getUTCDate()}-${MONTH.format(date)}-${date.getUTCFullYear()}`;
  return interval === "hour" ? `${label} ${date.toISOString().slice(11, 16)}` : label;
}

/**
 * Returns the days that a request asks for. The document gives both ends the same default, seven days ago. On deployed
 * servers the default end is today.
 * @throws ApiError 400 if a date has none of the documented forms, or if the range is longer than a century
 */
export function requestedRange(from: Json | undefined, to: Json | undefined, now: Date, deployed: boolean): TimeRange {
  const today = startOf(now.getTime(), "day");
  const first = parseDay(from ?? "-7d", today, "date_from");
  const end = to === undefined || to === null ? (deployed ? "-0d" : "-7d") : to;
  const last = endOf(parseDay(end, today, "date_to"), "day");
  if (last - first > MAX_INTERVALS * DAY_MS) {
    throw invalid("invalid_input", "The range is longer than a century.", "date_from");
  }
  return { first, last, interval: "day" };
}

/** Returns the range to compare with: the one directly before, or one moved back by `compareTo`, for example -1m. */
export function comparedRange(range: TimeRange, compareTo: Json | undefined): TimeRange {
  const { first, last, interval } = range;
  if (compareTo === undefined || compareTo === null || compareTo === "") {
    const length = last - first + 1;
    return { first: first - length, last: last - length, interval };
  }
  const [, count, letter = ""] = /^-(\d{1,4})([hdwmqy])$/.exec(typeof compareTo === "string" ? compareTo : "") ?? [];
  const unit = own(UNITS, letter);
  const back = (moment: number): number =>
    unit === undefined
      ? parseDay(compareTo, startOf(moment, "day"), "compare_to")
      : moved(moment, -Number(count), unit);
  return { first: back(first), last: endOf(back(last), interval === "hour" ? "hour" : "day"), interval };
}

/** Reads a day in one of the documented forms, relative to `today`. */
function parseDay(value: Json, today: number, attr: string): number {
  const text = typeof value === "string" ? value : "";
  const known = /^(-\d{1,4}[dwmy]|[my]Start|\d{4}-\d{2}-\d{2})$/.test(text) ? parseMoment(text, today) : undefined;
  if (known !== undefined) return known;
  throw invalid("invalid_input", "A date has the form YYYY-MM-DD, -7d, -1m, mStart or yStart.", attr);
}

/**
 * Reads an absolute or relative date: ISO 8601, or a number of units before `now`, such as -7d or -24h, with `Start` or
 * `End` for a border of the unit. Without them everything but hours means the start of a day.
 * @returns `undefined` for any other text
 */
export function parseMoment(text: string, now: number): number | undefined {
  const [, count, letter = "", border] = /^-?(\d{1,5})?([hdwmqy])(Start|End)?$/.exec(text) ?? [];
  const unit = own(UNITS, letter);
  if (unit === undefined) return parseAbsolute(text);
  const moment = moved(now, -Number(count ?? 0), unit);
  if (border === "End") return endOf(moment, unit);
  if (border === "Start") return startOf(moment, unit);
  if (count === undefined) return undefined;
  return unit === "hour" ? moment : startOf(moment, "day");
}

function parseAbsolute(text: string): number | undefined {
  const utc = toUtc(text);
  const moment = utc === undefined ? Number.NaN : Date.parse(utc);
  const day = Date.parse(`${text.slice(0, 10)}T00:00:00Z`);
  // A day that a month does not have would become one of the next month.
  if (Number.isNaN(moment) || new Date(day).toISOString().slice(0, 10) !== text.slice(0, 10)) return undefined;
  return moment;
}
