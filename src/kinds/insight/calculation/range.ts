/**
 * The range that both sides of a changed insight are calculated over.
 *
 * Premise: a relative range ends now, so two calculations see different data, and the last interval is not full. What day it is
 * depends on the project's time zone, which no list shows. A day that has ended twelve hours behind UTC has ended everywhere.
 * Algorithm: take the range of the declared query, end it with the last day that has ended everywhere, and begin it that much
 * earlier. With weeks or months on either side, end it with the last full one and begin a relative range with the first full one, if
 * it then still has a day.
 */
import { isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import type { DayRange, Uncalculable } from "../../calculation.ts";
import { type Source, sourceOf } from "./source.ts";

const DAY = 86_400_000;
const DEFAULT_FROM = "-7d";

/** @returns null if the numbers have no range: those of SQL without filters */
export function rangeOf(
  before: JsonObject | undefined,
  after: JsonObject,
  now: number,
): DayRange | null | Uncalculable {
  const source = sourceOf(after);
  if (source === undefined || (source.type === "query" && isWithoutRange(source))) return null;
  const { date_from: from = DEFAULT_FROM, date_to: to } = rangeIn(source);
  const today = startOfDay(now - DAY / 2);
  const intervals = [intervalIn(source), intervalBefore(before)];
  const last = Math.min(endOf(to, today), lastFull(intervals, today));
  const first = from === "all" ? undefined : firstOf(from ?? DEFAULT_FROM, today);
  if (Number.isNaN(last) || Number.isNaN(first))
    return { reason: `driftline cannot read the range ${rangeText(from, to)}` };
  if (first === undefined) return { from: "all", to: dayText(last) };
  const yesterday = Math.min(endOf(to, today), today - DAY);
  const end = last >= first ? last : yesterday;
  if (end < first) return { reason: "its range has no full day yet" };
  const begin = typeof from === "string" && from.startsWith("-") ? firstFull(intervals, first) : first;
  return { from: dayText(begin <= end ? begin : first), to: dayText(end) };
}

/** The settings of a query or of filters that say which range and interval it has. */
export function rangeIn(source: Source): JsonObject {
  const range = source.type === "filters" ? source.filters : rangeHolder(source.query)["dateRange"];
  return isJsonObject(range) ? range : {};
}

/** SQL has its range in its filters. */
function rangeHolder(query: JsonObject): JsonObject {
  return query["kind"] === "HogQLQuery" && isJsonObject(query["filters"]) ? query["filters"] : query;
}

function isWithoutRange({ kind, query }: Source & { readonly type: "query" }): boolean {
  return kind === "HogQLQuery" && !isJsonObject(rangeHolder(query)["dateRange"]);
}

/** The query over another range. */
export function withRange(query: JsonObject, { from, to }: DayRange): JsonObject {
  const holder = rangeHolder(query);
  const dateRange = { ...(isJsonObject(holder["dateRange"]) ? holder["dateRange"] : {}), date_from: from, date_to: to };
  return holder === query ? { ...query, dateRange } : { ...query, filters: { ...holder, dateRange } };
}

/** @returns `hour`, `day`, `week` or `month` */
export function intervalIn(source: Source): string {
  const { interval } = source.type === "filters" ? source.filters : source.query;
  return typeof interval === "string" ? interval : "day";
}

function intervalBefore(before: JsonObject | undefined): string {
  const source = before === undefined ? undefined : sourceOf(before);
  return source === undefined ? "day" : intervalIn(source);
}

/** The last day of the last interval that has ended everywhere. Weeks begin with Sunday, unless a project says otherwise. */
function lastFull(intervals: readonly string[], today: number): number {
  const date = new Date(today);
  if (intervals.includes("month")) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) - DAY;
  if (intervals.includes("week")) return today - (date.getUTCDay() + 1) * DAY;
  return today - DAY;
}

/** The first day of the first interval that begins on this day or later. */
function firstFull(intervals: readonly string[], day: number): number {
  const date = new Date(day);
  const isMonth = intervals.includes("month") && date.getUTCDate() > 1;
  if (isMonth) return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
  return intervals.includes("week") ? day + ((7 - date.getUTCDay()) % 7) * DAY : day;
}

/** The last day that a query asks for; `Infinity` for today and later, NaN if it cannot be read. */
function endOf(to: Json | undefined, today: number): number {
  if (to === undefined || to === null || to === "" || to === "dEnd") return Infinity;
  return firstOf(to, today);
}

const BACK = /^-(\d+)([hdwmqy])(?:Start|End)?$/u;
const MONTHS: Readonly<Record<string, number>> = { m: 1, q: 3, y: 12 };

/** The day that a text stands for; NaN if it stands for none. Interface: Trend request parameters, `date_from`. */
function firstOf(text: Json, today: number): number {
  if (typeof text !== "string") return Number.NaN;
  const date = new Date(today);
  if (text === "dStart") return today;
  if (text === "mStart") return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  if (text === "yStart") return Date.UTC(date.getUTCFullYear(), 0, 1);
  const [, count = "", unit = ""] = BACK.exec(text) ?? [];
  if (unit === "") return /^\d{4}-\d\d-\d\d/u.test(text) ? startOfDay(Date.parse(text.slice(0, 10))) : Number.NaN;
  const months = MONTHS[unit];
  if (months !== undefined) return date.setUTCMonth(date.getUTCMonth() - months * Number(count));
  const days = unit === "w" ? 7 * Number(count) : unit === "h" ? Math.ceil(Number(count) / 24) : Number(count);
  return today - days * DAY;
}

function startOfDay(time: number): number {
  return Math.floor(time / DAY) * DAY;
}

function dayText(day: number): string {
  return new Date(day).toISOString().slice(0, 10);
}

function rangeText(from: Json | undefined, to: Json | undefined): string {
  return JSON.stringify({ date_from: from ?? null, date_to: to ?? null });
}
