/** Reads funnels. Interface: Calculation results. */
import { isJsonArray, isJsonObject, type Json } from "../../../model/json/json.ts";
import type { CalculatedSide, Uncalculable } from "../../calculation.ts";
import { type FoundSeries, withUniqueKeys, numberOf, OTHER_FORM, resultsOf, breakdownText } from "./answer.ts";

/** A funnel, or one for each value of a breakdown. The total is how many finish it. */
export function readFunnel(answer: Json | undefined, key: "result" | "results"): CalculatedSide | Uncalculable {
  const results = resultsOf(answer, key);
  if ("reason" in results) return results;
  const funnels = results.every((one) => isJsonArray(one)) && results.length > 0 ? results : [results];
  const series = funnels.map((steps) => (isJsonArray(steps) ? funnelSeries(steps) : undefined));
  const known = series.filter((one) => one !== undefined);
  if (known.length < series.length) return OTHER_FORM;
  return { shape: "steps", series: withUniqueKeys(known), notes: [], isAdditive: true };
}

function funnelSeries(steps: readonly Json[]): FoundSeries | undefined {
  const rows = steps.filter((step) => isJsonObject(step));
  if (rows.length < steps.length) return undefined;
  const points = rows.map(({ custom_name: custom = null, name = null, count }) => ({
    at: breakdownText(custom ?? name ?? "(no name)"),
    value: numberOf(count),
  }));
  const breakdown = rows[0]?.["breakdown_value"] ?? rows[0]?.["breakdown"] ?? null;
  const total = points.at(-1)?.value ?? null;
  if (breakdown === null) return { key: "", order: 0, label: "funnel", total, points };
  const label = isJsonArray(breakdown) ? breakdown.map(breakdownText).join(", ") : breakdownText(breakdown);
  return { key: JSON.stringify(breakdown), order: 0, label, total, points, whole: { key: "", label: "funnel" } };
}
