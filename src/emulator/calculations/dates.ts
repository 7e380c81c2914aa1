import { invalid } from "../http/errors.ts";
import type { Json } from "../json.ts";

/** Whole days from the first to the last, both included, in UTC; days are counted from 1970. */
export interface DayRange {
  readonly first: number;
  readonly last: number;
}

const DAY_MS = 86_400_000;
/** A century. A longer range is a typing mistake in a year and would only fill the memory. */
const MAX_DAYS = 36_600;

/** Returns the day of a moment. */
export function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/** Formats a day as YYYY-MM-DD. */
export function formatDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Formats a day for people, for example 3-Jan-2030. */
export function formatLabel(day: number): string {
  const date = new Date(day * DAY_MS);
  const month = date.toLocaleString("en", { month: "short", timeZone: "UTC" });
  return `${date.getUTCDate()}-${month}-${date.getUTCFullYear()}`;
}

/** Lists every day of a range. */
export function daysOf({ first, last }: DayRange): readonly number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
}

/**
 * Returns the days that a request asks for. The document gives both ends the same default, seven days ago. On deployed
 * servers the default end is today.
 * @throws ApiError 400 if a date has none of the documented forms, or if the range is longer than a century
 */
export function requestedRange(from: Json | undefined, to: Json | undefined, now: Date, deployed: boolean): DayRange {
  const today = dayOf(now.getTime());
  const first = parseDay(from ?? "-7d", today, "date_from");
  const last = to === undefined || to === null ? (deployed ? today : today - 7) : parseDay(to, today, "date_to");
  if (last - first > MAX_DAYS) throw invalid("invalid_input", "The range is longer than a century.", "date_from");
  return { first, last };
}

/** Returns the range to compare with: the one directly before, or one moved back by `compareTo`, for example -1m. */
export function comparedRange(range: DayRange, compareTo: Json | undefined): DayRange {
  if (compareTo === undefined || compareTo === null || compareTo === "") {
    const length = range.last - range.first + 1;
    return { first: range.first - length, last: range.last - length };
  }
  return {
    first: parseDay(compareTo, range.first, "compare_to"),
    last: parseDay(compareTo, range.last, "compare_to"),
  };
}

/** Reads a day in one of the documented forms, relative to `today`. */
function parseDay(value: Json, today: number, attr: string): number {
  const text = typeof value === "string" ? value : "";
  const date = new Date(today * DAY_MS);
  const [, count, unit] = /^-(\d{1,4})([dwmy])$/.exec(text) ?? [];
  if (unit === "d" || unit === "w") return today - Number(count) * (unit === "w" ? 7 : 1);
  if (unit !== undefined) return monthsBack(date, Number(count) * (unit === "y" ? 12 : 1));
  if (text === "mStart") return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1));
  if (text === "yStart") return dayOf(Date.UTC(date.getUTCFullYear(), 0, 1));
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(day) && formatDate(dayOf(day)) === text) return dayOf(day);
  throw invalid("invalid_input", "A date has the form YYYY-MM-DD, -7d, -1m, mStart or yStart.", attr);
}

/** Returns the same day of an earlier month, or the last day of that month if it is shorter. */
function monthsBack(date: Date, months: number): number {
  const first = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - months, 1));
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  return dayOf(first.getTime()) + Math.min(date.getUTCDate(), length) - 1;
}
