/**
 * Reads the answers of calculations: trends, funnels, lifecycles, stickiness, retention, and rows of SQL.
 *
 * Source: the interface document, Calculation results, for trends and funnels; PostHog's API reference, Query, for the others.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../../model/json.ts";
import type { EffectPoint } from "../../../model/effect.ts";
import type { CalculatedSeries, CalculatedSide, Uncalculable } from "../../calculation.ts";

type Read = (answer: Json | undefined) => CalculatedSide | Uncalculable;

/** How the results of each kind of query are read, and whether their points are intervals. */
export const READERS: Readonly<Record<string, { readonly read: Read; readonly hasIntervals: boolean }>> = {
  TrendsQuery: { read: (answer) => readTrend(answer, "results"), hasIntervals: true },
  LifecycleQuery: { read: (answer) => readTrend(answer, "results"), hasIntervals: true },
  StickinessQuery: { read: readStickiness, hasIntervals: false },
  FunnelsQuery: { read: (answer) => readFunnel(answer, "results"), hasIntervals: false },
  RetentionQuery: { read: readRetention, hasIntervals: false },
  HogQLQuery: { read: readRows, hasIntervals: false },
};

/** The results of an answer, or why there are none. */
function resultsOf(answer: Json | undefined, key: string): readonly Json[] | Uncalculable {
  if (!isJsonObject(answer)) return { reason: "the answer is not an object" };
  const { [key]: results, error, query_status: status } = answer;
  if (typeof error === "string" && error !== "") return { reason: error };
  if (isJsonArray(results)) return results;
  if (isJsonObject(status) && status["complete"] !== true)
    return { reason: "the service calculates it in the background" };
  return { reason: "the answer has no results" };
}

function withResults(
  answer: Json | undefined,
  key: string,
  read: (rows: readonly JsonObject[]) => CalculatedSide,
): CalculatedSide | Uncalculable {
  const results = resultsOf(answer, key);
  if ("reason" in results) return results;
  const rows = results.filter((row) => isJsonObject(row));
  return rows.length < results.length ? { reason: "the answer has results of another form" } : read(rows);
}

/** Series over time. A series without points has a single number. */
export function readTrend(answer: Json | undefined, key: "result" | "results"): CalculatedSide | Uncalculable {
  const hasMore = isJsonObject(answer) && answer["hasMore"] === true;
  const notes = hasMore ? ["The breakdown has more values than the service returns."] : [];
  return withResults(answer, key, (rows) => ({ shape: "lines", series: keyed(rows.map(trendSeries)), notes }));
}

function trendSeries(row: JsonObject): CalculatedSeries {
  const { data, days, labels, aggregated_value: single, breakdown_value: breakdown } = row;
  const points = pointsOf(data, isJsonArray(days) && days.length > 0 ? days : labels);
  const whole = { key: keyOfSeries({ ...row, breakdown_value: null }), label: wholeLabel(row) };
  const total = points.length > 0 ? sum(points) : numberOf(single);
  return { key: keyOfSeries(row), label: labelOf(row), total, points, ...(isValue(breakdown) ? { whole } : {}) };
}

function isValue(breakdown: Json | undefined): breakdown is Json {
  return breakdown !== undefined && breakdown !== null && breakdown !== "";
}

/** The name of a series without the value of its breakdown. */
function wholeLabel({ action, label = null }: JsonObject): string {
  const named = isJsonObject(action) ? [action["custom_name"], action["name"]] : [];
  return textOf([...named, label].find((one) => typeof one === "string" && one !== "") ?? "all values");
}

/** Which series this is: the place in the query, the period that is compared, and the value of the breakdown. */
function keyOfSeries(row: JsonObject): string {
  const action = isJsonObject(row["action"]) ? row["action"] : {};
  return JSON.stringify([
    action["order"] ?? null,
    row["status"] ?? null,
    row["compare_label"] ?? null,
    row["breakdown_value"] ?? null,
  ]);
}

function labelOf(row: JsonObject): string {
  const action = isJsonObject(row["action"]) ? row["action"] : {};
  const own = [action["custom_name"], row["label"], action["name"]].find(
    (one) => typeof one === "string" && one !== "",
  );
  const label = typeof own === "string" ? own : "(no name)";
  return row["compare_label"] === "previous" && !label.endsWith("previous") ? `${label} - previous` : label;
}

/** Makes the keys different: of several series with one key, the first ones are compared, then the second ones. */
function keyed(series: readonly CalculatedSeries[]): readonly CalculatedSeries[] {
  const counts = new Map<string, number>();
  return series.map((one) => {
    const count = counts.get(one.key) ?? 0;
    counts.set(one.key, count + 1);
    return { ...one, key: `${one.key}#${String(count)}` };
  });
}

function pointsOf(data: Json | undefined, names: Json | undefined): readonly EffectPoint[] {
  if (!isJsonArray(data)) return [];
  const texts = isJsonArray(names) ? names : [];
  return data.map((value, index) => ({ at: textOf(texts[index] ?? index + 1), value: numberOf(value) }));
}

/** A funnel, or one for each value of a breakdown. The total is how many finish it. */
export function readFunnel(answer: Json | undefined, key: "result" | "results"): CalculatedSide | Uncalculable {
  const results = resultsOf(answer, key);
  if ("reason" in results) return results;
  const funnels = results.every((one) => isJsonArray(one)) && results.length > 0 ? results : [results];
  const series = funnels.map((steps) => (isJsonArray(steps) ? funnelSeries(steps) : undefined));
  const known = series.filter((one) => one !== undefined);
  if (known.length < series.length) return { reason: "the answer has results of another form" };
  return { shape: "steps", series: keyed(known), notes: [] };
}

function funnelSeries(steps: readonly Json[]): CalculatedSeries | undefined {
  const rows = steps.filter((step) => isJsonObject(step));
  if (rows.length < steps.length) return undefined;
  const points = rows.map((row) => ({
    at: labelOf({ ...row, label: row["custom_name"] ?? row["name"] ?? null }),
    value: numberOf(row["count"]),
  }));
  const breakdown = rows[0]?.["breakdown_value"] ?? rows[0]?.["breakdown"] ?? null;
  const isBreakdown = isValue(breakdown);
  const label = isBreakdown ? textOf(breakdown) : "funnel";
  const whole = isBreakdown ? { whole: { key: "", label: "funnel" } } : {};
  return {
    key: isBreakdown ? JSON.stringify(breakdown) : "",
    label,
    total: points.at(-1)?.value ?? null,
    points,
    ...whole,
  };
}

/** How many people did it on one day, on two days, and so on. */
function readStickiness(answer: Json | undefined): CalculatedSide | Uncalculable {
  return withResults(answer, "results", (rows) => ({
    shape: "rows",
    series: keyed(rows.map((row) => trendSeries({ ...row, days: row["labels"] ?? row["days"] ?? null }))),
    notes: [],
  }));
}

/** How many people came back, by how many intervals later. All cohorts are added up. */
function readRetention(answer: Json | undefined): CalculatedSide | Uncalculable {
  return withResults(answer, "results", (cohorts) => {
    const counts: number[] = [];
    for (const { values } of cohorts)
      (isJsonArray(values) ? values : []).forEach((value, index) => {
        counts[index] = (counts[index] ?? 0) + ((isJsonObject(value) ? numberOf(value["count"]) : null) ?? 0);
      });
    const points = counts.map((value, index) => ({
      at: index === 0 ? "first interval" : `${String(index)} later`,
      value,
    }));
    const total = sum(points.slice(1));
    const note = "All cohorts are added up. The total counts the returns after the first interval.";
    return { shape: "rows", series: [{ key: "", label: "people", total, points }], notes: [note] };
  });
}

/** How many rows there are, and each column of numbers, by the first column that holds something else. */
function readRows(answer: Json | undefined): CalculatedSide | Uncalculable {
  const results = resultsOf(answer, "results");
  if ("reason" in results) return results;
  const rows = results.filter((row) => isJsonArray(row));
  if (rows.length < results.length) return { reason: "the answer has results of another form" };
  const { columns, hasMore } = isJsonObject(answer) ? answer : {};
  const width = Math.max(0, ...rows.map(({ length }) => length));
  const indexes = Array.from({ length: width }, (_, index) => index);
  const isNumeric = (index: number): boolean =>
    rows.every((row) => (row[index] ?? null) === null || numberOf(row[index]) !== null) &&
    rows.some((row) => numberOf(row[index]) !== null);
  const named = indexes.find((index) => !isNumeric(index));
  const nameOf = (row: readonly Json[], at: number): string =>
    named === undefined ? String(at + 1) : textOf(row[named] ?? null);
  const series = indexes.filter(isNumeric).map((index): CalculatedSeries => {
    const points = rows.map((row, at) => ({ at: nameOf(row, at), value: numberOf(row[index]) }));
    const title = isJsonArray(columns)
      ? textOf(columns[index] ?? `column ${String(index + 1)}`)
      : `column ${String(index + 1)}`;
    const isSingle = rows.length === 1;
    return { key: title, label: title, total: sum(points), points: isSingle ? [] : points };
  });
  const count = { key: " rows", label: "rows", total: rows.length, points: [] };
  const notes =
    hasMore === true ? [`The query has more rows than the ${String(rows.length)} that the service returns.`] : [];
  return { shape: "rows", series: rows.length === 1 && series.length > 0 ? series : [count, ...series], notes };
}

function sum(points: readonly EffectPoint[]): number | null {
  const values = points.flatMap(({ value }) => value ?? []);
  return values.length === 0 ? null : values.reduce((total, value) => total + value, 0);
}

function numberOf(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
