import { bodyOfQuery, partOf } from "./query-body.ts";
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
import { eventsOf } from "../resources/event-series.ts";
import { formatLabel, formatStart, startsOf } from "./dates.ts";
import { isObject, type Json, type JsonObject, own } from "../json.ts";
import { queryComparedRange, queryRange } from "./query-range.ts";
import { readOption, readRequest, type CalculationRequest } from "./request.ts";
import type { Service } from "../service.ts";
import type { Team } from "../resources/project/record.ts";

/** The breakdown values of the events without the property, and of those beyond the limit. */
const NO_VALUE = "$$_posthog_breakdown_null_$$";
const OTHER_VALUES = "$$_posthog_breakdown_other_$$";
const DEFAULT_BREAKDOWN_LIMIT = 25;

/** A formula with the name that its line gets. */
interface NamedFormula {
  readonly formula: string;
  readonly label: string;
}

/** What one range of a trend is rendered with. */
interface Rendering extends LineOptions {
  readonly source: JsonObject;
  readonly request: CalculationRequest;
  /** The name of the range in a comparison. Undefined without one. */
  readonly period: string | undefined;
}

/** Reads the parts of a query that all kinds share. @throws ApiError 400 */
export function readQuery(service: Service, team: Team, source: JsonObject, total: boolean): CalculationRequest {
  const range = queryRange(source, {
    now: service.now().getTime(),
    earliest: () => eventsOf(service, team.id).reduce((least, { at }) => Math.min(least, at), service.now().getTime()),
    total,
  });
  return readRequest(service, team, bodyOfQuery(source), range);
}

/**
 * Calculates a trend as the query route answers it: the series of the range, then those of the range that is compared.
 * With formulas there are only their lines.
 * @returns the lines, and whether some breakdown values are not among them
 * @throws ApiError 400
 */
export function calculateTrendQuery(service: Service, team: Team, source: JsonObject): JsonObject {
  const display = readOption(partOf(source, "trendsFilter"), "display", DISPLAYS, "ActionsLineGraph");
  const request = readQuery(service, team, source, isTotal(display));
  const compare = partOf(source, "compareFilter")["compare"] === true;
  const ranges = compare ? [request.range, queryComparedRange(source, request.range)] : [request.range];
  const formulas = formulasOf(partOf(source, "trendsFilter"));
  const found = ranges.map((range, index) => {
    const period = index === 0 ? "current" : "previous";
    const rendering = { source, request, range, display, period: compare ? period : undefined };
    return { rendering, bySeries: request.series.map((_, at) => linesOf(rendering, at)) };
  });
  const results =
    formulas.length === 0
      ? found.flatMap(({ rendering, bySeries }) => bySeries.flat().map((line) => render(rendering, line)))
      : formulas.flatMap((named) =>
          found.flatMap(({ rendering, bySeries }) => formulaLines(rendering, named, bySeries)),
        );
  const hasMore = found.some(({ bySeries }) => bySeries.flat().some(({ breakdown }) => breakdown === OTHER_VALUES));
  const hides = partOf(source, "breakdownFilter")["breakdown_hide_other_aggregation"] === true;
  const shown = hides ? results.filter((line) => !isOther(line["breakdown_value"])) : results;
  return { results: shown, hasMore };
}

function isOther(value: Json | undefined): boolean {
  return value === OTHER_VALUES || (Array.isArray(value) && value.includes(OTHER_VALUES));
}

/**
 * Returns the lines of a series. Named values come first, the most frequent one at the top, then the events without a
 * value if the limit leaves room, and then the sum of everything else.
 */
function linesOf(rendering: Rendering, at: number): readonly Line[] {
  const { source, request } = rendering;
  const series = request.series[at];
  if (series === undefined) return [];
  const property = request.breakdown;
  const split =
    property === undefined
      ? undefined
      : ({ properties }: { readonly properties: JsonObject }) => breakdownValue(own(properties, property)) ?? NO_VALUE;
  const lines = linesOfSeries(request, series, rendering, split);
  const limit = partOf(source, "breakdownFilter")["breakdown_limit"];
  const ranked = lines.toSorted((a, b) => Number(a.breakdown === NO_VALUE) - Number(b.breakdown === NO_VALUE));
  const size = typeof limit === "number" ? limit : DEFAULT_BREAKDOWN_LIMIT;
  const others = ranked.slice(size);
  const [first] = others;
  if (property === undefined || first === undefined) return ranked;
  const data = first.data.map((_, index) => others.reduce((sum, line) => sum + (line.data[index] ?? 0), 0));
  return [...ranked.slice(0, size), { series, breakdown: OTHER_VALUES, data }];
}

/** A query has one formula, several, or several with names. */
function formulasOf({ formula = "", formulas = [], formulaNodes = [] }: JsonObject): readonly NamedFormula[] {
  const nodes = Array.isArray(formulaNodes) ? formulaNodes.filter(isObject) : [];
  const texts = Array.isArray(formulas) && formulas.length > 0 ? formulas : [formula];
  const given: readonly JsonObject[] = nodes.length > 0 ? nodes : texts.map((text: Json) => ({ formula: text }));
  return given.flatMap(({ formula: text, custom_name }) =>
    typeof text !== "string" || text.trim() === ""
      ? []
      : [{ formula: text, label: typeof custom_name === "string" ? custom_name : `Formula (${text})` }],
  );
}

function formulaLines(
  rendering: Rendering,
  { formula, label }: NamedFormula,
  bySeries: readonly (readonly Line[])[],
): readonly JsonObject[] {
  return linesOfFormula(formula, bySeries).map((line) => ({ ...render(rendering, line), label, action: null }));
}

function render(rendering: Rendering, line: Line): JsonObject {
  const { source, request, range, display, period } = rendering;
  const days = startsOf(range).map((start) => formatStart(start, range.interval));
  const name = line.series?.name ?? "";
  const value = line.breakdown;
  const listed = Array.isArray(partOf(source, "breakdownFilter")["breakdowns"]);
  const shared = {
    label: value === undefined ? name : request.series.length > 1 ? `${name} - ${value}` : value,
    filter: { insight: "TRENDS", interval: range.interval, ...request.filter, display },
    action: actionOf(request, line, days),
    ...(period === undefined ? {} : { compare: true, compare_label: period }),
    ...(value === undefined ? {} : { breakdown_value: listed ? [value] : value }),
  };
  if (isTotal(display)) {
    const [aggregated_value = 0] = line.data;
    return { data: [], days: [], count: 0, aggregated_value, ...shared };
  }
  const labels = startsOf(range).map((start) => formatLabel(start, range.interval));
  return { data: line.data, labels, days, count: countOf(line, display), ...shared };
}

/** Describes the series of a line. */
function actionOf(request: CalculationRequest, { series }: Line, days: readonly string[]): JsonObject | null {
  if (series === undefined) return null;
  const { name, math, customName } = series;
  return {
    days,
    id: series.type === "events" && series.id === "null" ? null : name,
    type: "events",
    order: request.series.indexOf(series),
    name,
    custom_name: customName,
    math,
    math_property: null,
    math_hogql: null,
    math_group_type_index: null,
    properties: {},
  };
}
