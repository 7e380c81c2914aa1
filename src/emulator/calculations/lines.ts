import { asText, type Json } from "../json.ts";
import { groupBy } from "./group.ts";
import { invalid } from "../http/errors.ts";
import { isInRange, startOf, startsOf, type TimeRange } from "./dates.ts";
import { parseFormula } from "./formula.ts";
import type { CalculationRequest, Series } from "./request.ts";
import type { ProjectEvent } from "../resources/event.ts";

/** Displays that show a single number instead of one for each interval. */
const TOTALS = new Set(["ActionsTable", "ActionsPie", "ActionsBarValue", "WorldMap", "BoldNumber"]);
const CUMULATIVE = "ActionsLineGraphCumulative";

const BARS = ["ActionsBar", "ActionsStackedBar", "ActionsUnstackedBar"];

/** The displays that requests can name. */
export const DISPLAYS = ["ActionsLineGraph", CUMULATIVE, ...BARS, "ActionsAreaGraph", ...TOTALS];

/** Reports whether a display shows a single number. */
export function isTotal(display: string): boolean {
  return TOTALS.has(display);
}

/** The range and the display of a line. */
export interface LineOptions {
  readonly range: TimeRange;
  readonly display: string;
}

/** A series of numbers, one for each interval, or a single one if the display shows a total. */
export interface Line {
  /** The series that is counted, or undefined for a formula. */
  readonly series: Series | undefined;
  /** The value of the property by which events are broken down. Undefined without a breakdown. */
  readonly breakdown: string | undefined;
  readonly data: readonly number[];
}

/** Splits the counted events of a series by a property. Each event belongs to one value. */
export type Breakdown = (event: ProjectEvent) => string;

/** Returns the lines of one series: a single line, or one for each breakdown value, the most frequent value first. */
export function linesOfSeries(
  request: CalculationRequest,
  series: Series,
  options: LineOptions,
  breakdown: Breakdown | undefined,
): readonly Line[] {
  const events = request.events.filter((event) => isInRange(options.range, event) && series.matches(event));
  if (breakdown === undefined) return [{ series, breakdown: undefined, data: dataOf(events, series, options) }];
  return [...groupBy(events, breakdown)]
    .toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
    .map(([value, own]) => ({ series, breakdown: value, data: dataOf(own, series, options) }));
}

/** Computes a formula from the lines of all series. It returns one line for each breakdown value that they have. */
export function linesOfFormula(formula: string, bySeries: readonly (readonly Line[])[]): readonly Line[] {
  const compute = parseFormula(formula, bySeries.length);
  const length = bySeries.flat()[0]?.data.length ?? 0;
  return [...new Set(bySeries.flat().map((line) => line.breakdown))].map((breakdown) => {
    const parts = bySeries.map((lines) => lines.find((line) => line.breakdown === breakdown)?.data ?? []);
    const data = Array.from({ length }, (_, index) => compute(parts.map((part) => part[index] ?? 0)));
    return { series: undefined, breakdown, data };
  });
}

/** Formats a breakdown value as text. Returns undefined for an event without the property. */
export function breakdownValue(value: Json | undefined): string | undefined {
  return value === undefined || value === null ? undefined : asText(value);
}

/** Returns the number of a line beside its data: the sum, or the last value of a running total. */
export function countOf({ data }: Line, display: string): number {
  return display === CUMULATIVE ? (data.at(-1) ?? 0) : data.reduce((sum, value) => sum + value, 0);
}

function dataOf(events: readonly ProjectEvent[], series: Series, { range, display }: LineOptions): readonly number[] {
  const count = counterOf(series);
  if (isTotal(display)) return [count(events)];
  const byStart = groupBy(events, (event) => startOf(event.at, range.interval));
  const data = startsOf(range).map((start) => count(byStart.get(start) ?? []));
  if (display !== CUMULATIVE) return data;
  let sum = 0;
  return data.map((value) => (sum += value));
}

function counterOf({ math, type }: Series): (events: readonly ProjectEvent[]) => number {
  if (math === null || math === "total") return (events) => events.length;
  if (math === "dau") return (events) => new Set(events.map((event) => event.distinct_id)).size;
  if (math === "unique_session") return countSessions;
  const known = '"total", "dau" and "unique_session"';
  throw invalid("invalid_choice", `The emulator counts ${known}, not "${asText(math)}".`, type);
}

/** Counts the sessions that events name. */
function countSessions(events: readonly ProjectEvent[]): number {
  const sessions = events.map(({ properties }) => properties["$session_id"]);
  return new Set(sessions.filter((session) => session !== undefined && session !== null)).size;
}
