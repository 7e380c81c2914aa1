/** Reads what has no intervals: stickiness, retention, and the rows of SQL. PostHog's API reference, Query. */
import { isJsonArray, isJsonObject, type Json } from "../../../model/json/json.ts";
import type { CalculatedSeries, CalculatedSide, Uncalculable } from "../../calculation.ts";
import {
  withUniqueKeys,
  numberOf,
  OTHER_FORM,
  readObjects,
  resultsOf,
  sum,
  breakdownText,
  pointsOf,
} from "./answer.ts";

/** More rows of times are not shown. */
const MOST_TIMES = 2_000;
/** More rows of names are not shown, because they may be personal data. */
const MOST_NAMES = 10;

/** How many people did it on one day, on two days, and so on. */
export function readStickiness(answer: Json | undefined): CalculatedSide | Uncalculable {
  return readObjects(answer, "results", (rows) => ({
    shape: "rows",
    series: withUniqueKeys(
      rows.map(({ data, labels, days, label = "(no name)" }) => {
        const points = pointsOf(data, labels ?? days);
        return { key: breakdownText(label), label: breakdownText(label), total: sum(points), points };
      }),
    ),
    notes: [],
    isAdditive: true,
  }));
}

/** How many people came back, by how many intervals later. All cohorts are added up. */
export function readRetention(answer: Json | undefined): CalculatedSide | Uncalculable {
  return readObjects(answer, "results", (cohorts) => {
    const counts: number[] = [];
    for (const { values } of cohorts)
      (isJsonArray(values) ? values : []).forEach((value, index) => {
        counts[index] = (counts[index] ?? 0) + ((isJsonObject(value) ? numberOf(value["count"]) : null) ?? 0);
      });
    const points = counts.map((value, index) => ({
      at: index === 0 ? "first interval" : `${String(index)} later`,
      value,
    }));
    const note = "All cohorts are added up. The total counts the returns after the first interval.";
    const people = { key: "", label: "people", total: sum(points.slice(1)), points };
    return { shape: "rows", series: [people], notes: [note], isAdditive: true };
  });
}

/** How many rows there are, and each column of numbers, by the first column that holds something else. */
export function readRows(answer: Json | undefined): CalculatedSide | Uncalculable {
  const results = resultsOf(answer, "results");
  if ("reason" in results) return results;
  const rows = results.filter((row) => isJsonArray(row));
  if (rows.length < results.length) return OTHER_FORM;
  const { columns, hasMore } = isJsonObject(answer) ? answer : {};
  const width = rows.reduce((most, { length }) => Math.max(most, length), 0);
  const indexes = Array.from({ length: width }, (_, index) => index);
  const named = indexes.find((index) => !isNumeric(rows, index));
  const isTime = named !== undefined && rows.every((row) => /^\d{4}-\d\d/u.test(breakdownText(row[named] ?? "")));
  const most = named === undefined || isTime ? MOST_TIMES : MOST_NAMES;
  const titleOf = (index: number): string =>
    breakdownText((isJsonArray(columns) ? columns[index] : null) ?? `column ${String(index + 1)}`);
  const series = indexes
    .filter((index) => isNumeric(rows, index))
    .map((index): CalculatedSeries => {
      const points = rows.map((row, at) => ({
        at: named === undefined ? String(at + 1) : breakdownText(row[named] ?? null),
        value: numberOf(row[index]),
      }));
      const title = titleOf(index);
      return { key: title, label: title, total: sum(points), points: rows.length === 1 ? [] : points.slice(0, most) };
    });
  const notes = [
    ...(hasMore === true ? [`The query has more rows than the ${String(rows.length)} that the service returns.`] : []),
    ...(rows.length > most && series.length > 0
      ? [`Only the first ${String(most)} rows are shown. The totals are of all.`]
      : []),
  ];
  const count = { key: " rows", label: "rows", total: rows.length, points: [] };
  return {
    shape: "rows",
    series: withUniqueKeys([count, ...series]),
    notes,
    isAdditive: true,
    hasNames: named !== undefined && !isTime,
  };
}

function isNumeric(rows: readonly (readonly Json[])[], index: number): boolean {
  const values = rows.map((row) => row[index] ?? null).filter((value) => value !== null);
  return values.length > 0 && values.every((value) => numberOf(value) !== null);
}
