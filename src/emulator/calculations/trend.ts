import {
  breakdownValue,
  countOf,
  DISPLAYS,
  isTotal,
  linesOfFormula,
  linesOfSeries,
  type Line,
  type LineOptions,
} from "./lines.ts";
import { formatLabel, formatStart, comparedRange, startsOf, startOf } from "./dates.ts";
import { readOption, readRequest, type CalculationRequest } from "./request.ts";
import { type JsonObject, own } from "../json.ts";
import type { Service } from "../service.ts";
import type { Team } from "../resources/project/record.ts";

/** A line with the text that names it. */
interface NamedLine extends Line {
  readonly label: string;
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
    const options = { range, display };
    const period = index === 0 ? "current" : "previous";
    return linesOf(request, options, body["formula"]).map((line) =>
      render(service, request, line, options, compare ? period : undefined),
    );
  });
}

function linesOf(request: CalculationRequest, options: LineOptions, formula: unknown): readonly NamedLine[] {
  const { breakdown } = request;
  const split = breakdown === undefined ? undefined : valueOf(breakdown);
  const bySeries = request.series.map((series) => linesOfSeries(request, series, options, split));
  const computed = typeof formula === "string" && formula.trim() !== "";
  const lines = computed ? linesOfFormula(formula, bySeries) : bySeries.flat();
  return lines.map((line) => {
    const name = line.series?.name ?? `Formula (${String(formula)})`;
    return { ...line, label: line.breakdown === undefined ? name : `${name} - ${line.breakdown}` };
  });
}

function valueOf(property: string): Parameters<typeof linesOfSeries>[3] {
  return ({ properties }) => breakdownValue(own(properties, property)) ?? "none";
}

/** Renders a line. A single number has the last day of the range. */
function render(
  service: Service,
  { filter }: CalculationRequest,
  line: NamedLine,
  { range, display }: LineOptions,
  period: string | undefined,
): JsonObject {
  const { interval } = range;
  const starts = isTotal(display) ? [startOf(range.last, interval)] : startsOf(range);
  const shownLine = {
    data: line.data,
    days: starts.map((start) => formatStart(start, interval)),
    labels: starts.map((start) => formatLabel(start, interval)),
    label: period === undefined ? line.label : `${line.label} - ${period}`,
    filter,
  };
  if (!service.isRealServer) return shownLine;
  const extra = {
    ...(period === undefined ? {} : { compare: true, compare_label: period }),
    ...(line.breakdown === undefined ? {} : { breakdown_value: line.breakdown }),
  };
  if (isTotal(display)) {
    const [aggregated_value = 0] = line.data;
    return { ...shownLine, ...extra, data: [], days: [], labels: [], count: 0, aggregated_value };
  }
  return { ...shownLine, ...extra, count: countOf(line, display) };
}
