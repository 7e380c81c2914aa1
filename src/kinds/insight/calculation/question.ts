/** The question about the numbers of an insight: which operation, with which body, and how its answer is read. */
import { isJsonArray, isJsonObject, type Json, type JsonObject, own } from "../../../model/json/json.ts";
import type { Calculation, CalculationContext, DayRange, Uncalculable, Calculations } from "../../calculation.ts";
import { readFunnel } from "./funnel.ts";
import { intervalIn, withRange, rangeOf } from "./range.ts";
import { readRetention, readRows, readStickiness } from "./rows.ts";
import { type CalculationSource, calculationSource, valuesAfter } from "./source.ts";
import { readTrend, type TrendSettings } from "./trend.ts";

type Read = Calculation["read"];

/** How the answer about each kind of query is read. */
const READERS: Readonly<Record<string, (query: JsonObject) => Read | Uncalculable>> = {
  TrendsQuery: (query) => trendReader("results", settingsOf(query)),
  LifecycleQuery: () => trendReader("results", { isCumulative: false, isAdditive: false, isBrokenDown: false }),
  FunnelsQuery: ({ funnelsFilter }) =>
    funnelReader("results", isJsonObject(funnelsFilter) ? funnelsFilter["funnelVizType"] : null),
  StickinessQuery: () => readStickiness,
  RetentionQuery: () => readRetention,
  HogQLQuery: () => readRows,
};

/** The kinds of queries whose points are intervals. */
const WITH_INTERVALS: ReadonlySet<string> = new Set(["TrendsQuery", "LifecycleQuery"]);

/** Asks for the numbers that an insight with these values shows. Interface: Insights, trend and funnel. */
export function questionOf(
  values: JsonObject,
  range: DayRange | null,
  { profile }: CalculationContext,
): Calculation | Uncalculable {
  const source = calculationSource(values);
  if (source === undefined) return { reason: "it has neither a query nor filters" };
  if (source.type === "filters") return questionOfFilters(source.filters, range);
  if (profile === "document") return { reason: "the interface document has no calculation of queries" };
  return questionOfQuery(source, range);
}

function questionOfQuery(
  source: CalculationSource & { readonly type: "query" },
  range: DayRange | null,
): Calculation | Uncalculable {
  const { kind, query } = source;
  const read = own(READERS, kind)?.(query);
  if (read === undefined) return { reason: `driftline does not read the results of ${JSON.stringify(kind)}` };
  if ("reason" in read) return read;
  const body = { query: range === null ? query : withRange(query, range), refresh: "blocking" };
  return {
    call: { operation: "queries.run", body },
    interval: WITH_INTERVALS.has(kind) ? intervalIn(source) : null,
    read,
  };
}

function questionOfFilters(filters: JsonObject, range: DayRange | null): Calculation | Uncalculable {
  const { insight = "TRENDS", ...parameters } = filters;
  const isTrend = insight === "TRENDS";
  if (!isTrend && insight !== "FUNNELS")
    return { reason: `the interface document has no calculation of ${JSON.stringify(insight)}` };
  const read = isTrend
    ? trendReader("result", settingsOfFilters(filters))
    : funnelReader("result", filters["funnel_viz_type"]);
  if ("reason" in read) return read;
  const body = range === null ? parameters : { ...parameters, date_from: range.from, date_to: range.to };
  const operation = isTrend ? "insights.trend" : "insights.funnel";
  return { call: { operation, body }, interval: isTrend ? intervalIn({ type: "filters", filters }) : null, read };
}

function trendReader(key: "result" | "results", settings: TrendSettings): Read {
  return (answer) => readTrend(answer, key, settings);
}

function funnelReader(key: "result" | "results", form: Json | undefined): Read | Uncalculable {
  if (typeof form === "string" && form !== "steps") return { reason: "driftline reads only the steps of a funnel" };
  return (answer) => readFunnel(answer, key);
}

/**
 * Ways to count whose intervals can be added up. Not an average, and not active people: one person may
 * be in several intervals.
 */
const ADDITIVE: ReadonlySet<unknown> = new Set([
  undefined,
  null,
  "total",
  "sum",
  "first_time_for_user",
  "first_matching_event_for_user",
]);

function settingsOf({ trendsFilter, breakdownFilter, series }: JsonObject): TrendSettings {
  const { display, formula, formulas, formulaNodes } = isJsonObject(trendsFilter) ? trendsFilter : {};
  const { breakdown, breakdowns } = isJsonObject(breakdownFilter) ? breakdownFilter : {};
  const hasFormula = [formula, formulas, formulaNodes].some(isFilled);
  return { ...countingOf(display, hasFormula, series), isBrokenDown: [breakdown, breakdowns].some(isFilled) };
}

function settingsOfFilters({ display, formula, breakdown, breakdowns, events, actions }: JsonObject): TrendSettings {
  const series = [events, actions].flatMap((list) => (isJsonArray(list) ? list : []));
  return { ...countingOf(display, isFilled(formula), series), isBrokenDown: [breakdown, breakdowns].some(isFilled) };
}

function countingOf(
  display: Json | undefined,
  hasFormula: boolean,
  series: Json | undefined,
): Omit<TrendSettings, "isBrokenDown"> {
  const isCumulative = display === "ActionsLineGraphCumulative";
  const nodes = isJsonArray(series) ? series : [];
  const areAdditive = nodes.every((node) => isJsonObject(node) && ADDITIVE.has(node["math"]));
  return { isCumulative, isAdditive: isCumulative || (!hasFormula && areAdditive) };
}

function isFilled(value: Json | undefined): boolean {
  return value !== undefined && value !== null && value !== "" && !(isJsonArray(value) && value.length === 0);
}

/** How the numbers of an insight are asked for. They depend on its query and its filters alone. */
export const CALCULATIONS: Calculations = { after: valuesAfter, rangeOf, of: questionOf };
