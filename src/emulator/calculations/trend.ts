import { asText } from "../json.ts";
import { formatDate, dayOf, daysOf, formatLabel, comparedRange } from "./dates.ts";
import { groupBy } from "./group.ts";
import { invalid } from "../http/errors.ts";
import { readOption, readRequest } from "./request.ts";
import { parseFormula } from "./formula.ts";
import type { CalculationRequest, Series } from "./request.ts";
import type { DayRange } from "./dates.ts";
import type { JsonObject } from "../json.ts";
import type { ProjectEvent } from "../resources/event.ts";
import type { Service } from "../service.ts";
import type { Team } from "../resources/project/record.ts";

/** Displays that show a single number instead of one for each day. */
const TOTALS = new Set(["ActionsTable", "ActionsPie", "ActionsBarValue", "WorldMap", "BoldNumber"]);
const CUMULATIVE = "ActionsLineGraphCumulative";
const DISPLAYS = ["ActionsLineGraph", CUMULATIVE, "ActionsBar", ...TOTALS];

/** A named series of numbers, one for each day. */
interface Line {
  readonly label: string;
  readonly data: readonly number[];
  readonly days: readonly number[];
  readonly breakdown: string | undefined;
}

/** The range and the display of a line. */
interface LineOptions {
  readonly range: DayRange;
  readonly display: string;
}

/**
 * Counts events by day, or the people who caused them if the math is `dau`. Returns one line for each series and each
 * breakdown value, and the same again for the range that is compared. A formula returns one line instead of one for
 * each series.
 * @throws ApiError 400
 */
export function calculateTrend(service: Service, team: Team, body: JsonObject): readonly JsonObject[] {
  const request = readRequest(service, team, body);
  const display = readOption(body, "display", DISPLAYS, "ActionsLineGraph");
  const compare = body["compare"] === true;
  const ranges = compare ? [request.range, comparedRange(request.range, body["compare_to"])] : [request.range];
  return ranges.flatMap((range, index) => {
    const lines = linesOf(request, { range, display }, body["formula"]);
    const period = index === 0 ? "current" : "previous";
    return lines.map((line) => render(service, request, line, display, compare ? period : undefined));
  });
}

function linesOf(request: CalculationRequest, options: LineOptions, formula: unknown): readonly Line[] {
  const bySeries = request.series.map((series) => linesOfSeries(request, series, options));
  if (typeof formula !== "string" || formula.trim() === "") return bySeries.flat();
  const compute = parseFormula(formula, request.series.length);
  const days = shownDays(options);
  return [...new Set(bySeries.flat().map((line) => line.breakdown))].map((breakdown) => {
    const parts = bySeries.map((lines) => lines.find((line) => line.breakdown === breakdown)?.data ?? []);
    const data = days.map((_, index) => compute(parts.map((part) => part[index] ?? 0)));
    const label = `Formula (${formula})`;
    return { label: breakdown === undefined ? label : `${label} - ${breakdown}`, data, days, breakdown };
  });
}

/** Returns the lines of one series: a single line, or one for each breakdown value, the most frequent value first. */
function linesOfSeries(request: CalculationRequest, series: Series, options: LineOptions): readonly Line[] {
  const { first, last } = options.range;
  const events = request.events.filter(
    (event) => dayOf(event.at) >= first && dayOf(event.at) <= last && series.matches(event),
  );
  const days = shownDays(options);
  const { breakdown } = request;
  if (breakdown === undefined) {
    return [{ label: series.name, data: dataOf(events, series, options), days, breakdown: undefined }];
  }
  const groups = groupBy(events, ({ properties }) => breakdownValue(properties[breakdown]));
  return [...groups]
    .toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
    .map(([value, own]) => ({
      label: `${series.name} - ${value}`,
      data: dataOf(own, series, options),
      days,
      breakdown: value,
    }));
}

/** Formats a breakdown value as text. Events without the property share the value "none". */
export function breakdownValue(value: JsonObject[string] | undefined): string {
  return value === undefined || value === null ? "none" : asText(value);
}

/** Returns the days of a line: every day of the range, or its last day if the display shows a single number. */
function shownDays({ range, display }: LineOptions): readonly number[] {
  return TOTALS.has(display) ? [range.last] : daysOf(range);
}

function dataOf(events: readonly ProjectEvent[], series: Series, { range, display }: LineOptions): readonly number[] {
  const count = counterOf(series);
  if (TOTALS.has(display)) return [count(events)];
  const byDay = groupBy(events, (event) => dayOf(event.at));
  const data = daysOf(range).map((day) => count(byDay.get(day) ?? []));
  if (display !== CUMULATIVE) return data;
  let sum = 0;
  return data.map((value) => (sum += value));
}

function counterOf({ math, type }: Series): (events: readonly ProjectEvent[]) => number {
  if (math === null || math === "total") return (events) => events.length;
  if (math === "dau") return (events) => new Set(events.map((event) => event.distinct_id)).size;
  throw invalid("invalid_choice", `The emulator counts "total" and "dau", not "${asText(math)}".`, type);
}

function render(
  service: Service,
  { filter }: CalculationRequest,
  line: Line,
  display: string,
  period: string | undefined,
): JsonObject {
  const label = period === undefined ? line.label : `${line.label} - ${period}`;
  const shownLine = {
    data: line.data,
    days: line.days.map(formatDate),
    labels: line.days.map(formatLabel),
    label,
    filter,
  };
  if (!service.deployed) return shownLine;
  const extra = {
    ...(period === undefined ? {} : { compare: true, compare_label: period }),
    ...(line.breakdown === undefined ? {} : { breakdown_value: line.breakdown }),
  };
  if (TOTALS.has(display)) {
    const [aggregated_value = 0] = line.data;
    return { ...shownLine, ...extra, data: [], days: [], labels: [], count: 0, aggregated_value };
  }
  const count = display === CUMULATIVE ? (line.data.at(-1) ?? 0) : line.data.reduce((sum, value) => sum + value, 0);
  return { ...shownLine, ...extra, count };
}
