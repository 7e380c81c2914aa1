/** The question about the numbers of an insight: which operation, and with which body. */
import { own, type JsonObject } from "../../../model/json.ts";
import type { Calculation, CalculationContext, DayRange, Uncalculable } from "../../calculation.ts";
import { intervalIn, withRange } from "./range.ts";
import { READERS, readFunnel, readTrend } from "./results.ts";
import { type Source, sourceOf } from "./source.ts";

/** Asks for the numbers that an insight with these values shows. Interface: Insights, trend and funnel. */
export function questionOf(
  values: JsonObject,
  range: DayRange | null,
  { profile }: CalculationContext,
): Calculation | Uncalculable {
  const source = sourceOf(values);
  if (source === undefined) return { reason: "it has neither a query nor filters" };
  if (source.type === "filters") return questionOfFilters(source.filters, range);
  if (profile === "document") return { reason: "the interface document has no calculation of queries" };
  return questionOfQuery(source, range);
}

function questionOfQuery(
  source: Source & { readonly type: "query" },
  range: DayRange | null,
): Calculation | Uncalculable {
  const { kind, query } = source;
  const reader = own(READERS, kind);
  if (reader === undefined) return { reason: `driftline does not read the results of ${JSON.stringify(kind)}` };
  const body = { query: range === null ? query : withRange(query, range), refresh: "blocking" };
  return {
    call: { operation: "queries.run", body },
    interval: reader.hasIntervals ? intervalIn(source) : null,
    read: (answer) => reader.read(answer),
  };
}

const OF_FILTERS: Readonly<
  Record<string, { readonly operation: "insights.trend" | "insights.funnel"; readonly read: Calculation["read"] }>
> = {
  TRENDS: { operation: "insights.trend", read: (answer) => readTrend(answer, "result") },
  FUNNELS: { operation: "insights.funnel", read: (answer) => readFunnel(answer, "result") },
};

function questionOfFilters(filters: JsonObject, range: DayRange | null): Calculation | Uncalculable {
  const { insight = "TRENDS", ...parameters } = filters;
  const question = typeof insight === "string" ? own(OF_FILTERS, insight) : undefined;
  if (question === undefined)
    return { reason: `the interface document has no calculation of ${JSON.stringify(insight)}` };
  const body = range === null ? parameters : { ...parameters, date_from: range.from, date_to: range.to };
  return {
    call: { operation: question.operation, body },
    interval: insight === "TRENDS" ? intervalIn({ type: "filters", filters }) : null,
    read: question.read,
  };
}
