/**
 * The range that both sides of a changed insight are calculated over.
 *
 * Premise: a relative range ends now, so two calculations see different data, and the last interval is not full. What day it is
 * depends on the project's time zone, which no list shows. A day that has ended twelve hours behind UTC has ended everywhere. A service
 * widens a range by week or month to whole ones.
 * Algorithm: take the range of the declared query, and end it with the last day that has ended everywhere. With weeks or months on
 * either side, take the whole ones that it touches and that have ended, or the last one that has.
 */
import { isJsonObject, type Json, type JsonObject, own } from "../../../model/json/json.ts";
import type { DayRange, Uncalculable } from "../../calculation.ts";
import { type CalculationSource, calculationSource } from "./source.ts";

const DAY = 86_400_000;
const DEFAULT_FROM = "-7d";

/** @returns null if the numbers have no range: those of SQL without filters */
export function rangeOf(
  before: JsonObject | undefined,
  after: JsonObject,
  now: number,
): DayRange | null | Uncalculable {
  const source = calculationSource(after);
  if (source === undefined || (source.type === "query" && isWithoutRange(source.query))) return null;
  const { date_from: given, date_to: to = null } = rangeIn(source);
  const from = given ?? DEFAULT_FROM;
  const today = startOfDay(now - DAY / 2);
  const first = from === "all" ? -Infinity : dayOf(from, today);
  const last = to === null || to === "" ? Infinity : dayOf(to, today);
  if (Number.isNaN(first) || Number.isNaN(last))
    return { reason: `driftline cannot read the range ${JSON.stringify({ date_from: from, date_to: to })}` };
  const sources = [source, before && calculationSource(before)].filter((one) => one !== undefined);
  const unit = coarsest(sources.map(intervalIn));
  const end = lastDay(last, unit, today);
  if (first === -Infinity) return { from: "all", to: dayText(end) };
  if (unit === "d" && end < first) return { reason: "its range has no full day yet" };
  return { from: dayText(firstOf(Math.min(first, end), unit)), to: dayText(end) };
}

/** The end of the last whole unit that a range touches and that has ended. */
function lastDay(last: number, unit: string, today: number): number {
  const ended = firstOf(today, unit) - DAY;
  return last > ended ? ended : Math.min(lastOf(last, unit), ended);
}

/** The settings of a query or of filters that say which range it has. */
function rangeIn(source: CalculationSource): JsonObject {
  if (source.type === "filters") return source.filters;
  const { dateRange } = rangeHolder(source.query);
  const range = isJsonObject(dateRange) ? dateRange : {};
  return source.kind === "RetentionQuery" ? { ...range, date_from: retentionStart(source.query) } : range;
}

/** SQL has its range in its filters. */
function rangeHolder(query: JsonObject): JsonObject {
  return query["kind"] === "HogQLQuery" && isJsonObject(query["filters"]) ? query["filters"] : query;
}

function isWithoutRange(query: JsonObject): boolean {
  return query["kind"] === "HogQLQuery" && !isJsonObject(rangeHolder(query)["dateRange"]);
}

/** The query over another range. SQL without a range stays as it is. */
export function withRange(query: JsonObject, { from, to }: DayRange): JsonObject {
  if (isWithoutRange(query)) return query;
  const holder = rangeHolder(query);
  // An explicit date would be the beginning of its day.
  const { explicitDate: _explicit, ...rest } = isJsonObject(holder["dateRange"]) ? holder["dateRange"] : {};
  const dateRange = { ...rest, date_from: from, date_to: to };
  return holder === query ? { ...query, dateRange } : { ...query, filters: { ...holder, dateRange } };
}

/** @returns `hour`, `day`, `week` or `month` */
export function intervalIn(source: CalculationSource): string {
  if (source.type === "filters") return textOr(source.filters["interval"], "day");
  return source.kind === "RetentionQuery" ? retentionPeriod(source.query) : textOr(source.query["interval"], "day");
}

/** The unit of the longest interval, by its letter: days, weeks or months. */
function coarsest(intervals: readonly string[]): string {
  if (intervals.includes("month")) return "m";
  return intervals.includes("week") ? "w" : "d";
}

/** A retention goes back by a number of periods. PostHog's API reference, Query. */
function retentionStart({ retentionFilter }: JsonObject): string {
  const { totalIntervals = 11, period = "Day" } = isJsonObject(retentionFilter) ? retentionFilter : {};
  const count = typeof totalIntervals === "number" ? totalIntervals : 11;
  return `-${String(count)}${textOr(period, "d").slice(0, 1).toLowerCase()}`;
}

function retentionPeriod({ retentionFilter }: JsonObject): string {
  return textOr(isJsonObject(retentionFilter) ? retentionFilter["period"] : undefined, "Day").toLowerCase();
}

function textOr(value: Json | undefined, other: string): string {
  return typeof value === "string" ? value : other;
}

const RELATIVE = /^(?:-(\d{1,5}))?([hdwmqy])(Start|End)?$/u;
const MONTHS: Readonly<Record<string, number>> = { m: 1, q: 3, y: 12 };

/** The day that a text stands for; NaN if it stands for none. Interface: Trend request parameters, `date_from`. */
function dayOf(text: Json, today: number): number {
  if (typeof text !== "string") return Number.NaN;
  if (/^\d{4}-\d\d-\d\d/u.test(text)) return Date.parse(text.slice(0, 10));
  const [, count, unit = "", edge] = RELATIVE.exec(text) ?? [];
  if (unit === "" || (count === undefined && edge === undefined)) return Number.NaN;
  const day = earlierDay(today, Number(count ?? 0), unit);
  if (edge === undefined) return day;
  return edge === "Start" ? firstOf(day, unit) : lastOf(day, unit);
}

/** A day that many units earlier. The 31st becomes the last day of a shorter month. */
function earlierDay(day: number, count: number, unit: string): number {
  const months = own(MONTHS, unit);
  if (months === undefined)
    return day - DAY * (unit === "w" ? 7 * count : unit === "h" ? Math.ceil(count / 24) : count);
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() - months * count];
  return Date.UTC(year, month, Math.min(date.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate()));
}

/** The first day of the unit that a day is in. Weeks begin with Sunday, unless a project says otherwise. */
function firstOf(day: number, unit: string): number {
  const date = new Date(day);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  if (unit === "y") return Date.UTC(year, 0, 1);
  if (unit === "q") return Date.UTC(year, month - (month % 3), 1);
  if (unit === "m") return Date.UTC(year, month, 1);
  return unit === "w" ? day - date.getUTCDay() * DAY : day;
}

function lastOf(day: number, unit: string): number {
  return firstOf(earlierDay(firstOf(day, unit), -1, unit), unit) - DAY;
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}
