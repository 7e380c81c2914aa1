/** Parts of answers that all readers need. */
import { ExactNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from "../../../model/json/json.ts";
import type { EffectPoint } from "../../../model/effect.ts";
import type { CalculatedSeries, CalculatedSide, Uncalculable } from "../../calculation.ts";

export const OTHER_FORM: Uncalculable = { reason: "the answer has results of another form" };

/** The results of an answer, or why there are none. */
export function resultsOf(answer: Json | undefined, key: string): readonly Json[] | Uncalculable {
  if (!isJsonObject(answer)) return { reason: "the answer is not an object" };
  const { [key]: results, error, query_status: status } = answer;
  if (typeof error === "string" && error !== "") return { reason: error };
  if (isJsonArray(results)) return results;
  if (isJsonObject(status) && status["complete"] !== true)
    return { reason: "the service calculates it in the background" };
  return { reason: "the answer has no results" };
}

export function readObjects(
  answer: Json | undefined,
  key: string,
  read: (rows: readonly JsonObject[]) => CalculatedSide,
): CalculatedSide | Uncalculable {
  const results = resultsOf(answer, key);
  if ("reason" in results) return results;
  const rows = results.filter((row) => isJsonObject(row));
  return rows.length < results.length ? OTHER_FORM : read(rows);
}

/** A series before its key is made unique. `order` is its place in the query; by default that in the answer. */
export type FoundSeries = CalculatedSeries & { readonly order?: number };

/** Makes each key unique: it gets a suffix, which counts the series with the same key in the order of the query. */
export function withUniqueKeys(series: readonly FoundSeries[]): readonly CalculatedSeries[] {
  const orders = new Map<string, number[]>();
  const used = new Set<string>();
  return series.map(({ order, whole, ...one }, index) => {
    const base = whole?.key ?? one.key;
    const known = orders.get(base) ?? [];
    const place = order ?? (whole === undefined ? index : 0);
    if (!known.includes(place)) known.push(place);
    orders.set(base, known);
    const mark = `#${String(known.indexOf(place))}`;
    const key = used.has(one.key + mark) ? `${one.key}${mark}#${String(index)}` : one.key + mark;
    used.add(key);
    return { ...one, key, ...(whole && { whole: { ...whole, key: whole.key + mark } }) };
  });
}

export function pointsOf(data: Json | undefined, names: Json | undefined): readonly EffectPoint[] {
  if (!isJsonArray(data)) return [];
  const texts = isJsonArray(names) ? names : [];
  return data.map((value, index) => ({ at: breakdownText(texts[index] ?? index + 1), value: numberOf(value) }));
}

export function sum(points: readonly EffectPoint[]): number | null {
  const values = points.flatMap(({ value }) => value ?? []);
  return values.length === 0 ? null : finiteOrNull(values.reduce((total, value) => total + value, 0));
}

/** A number that JavaScript cannot hold exactly is rounded: a chart would not show the difference. */
export function numberOf(value: Json | undefined): number | null {
  if (value instanceof ExactNumber) return finiteOrNull(Number(value.text));
  return typeof value === "number" ? finiteOrNull(value) : null;
}

function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export function breakdownText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
