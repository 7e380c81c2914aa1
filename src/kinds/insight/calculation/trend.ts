/** Reads trends and lifecycles. Interface: Calculation results. */
import { isJsonArray, isJsonObject, type Json, type JsonObject, own } from "../../../model/json/json.ts";
import type { CalculatedSide, Uncalculable } from "../../calculation.ts";
import { type FoundSeries, withUniqueKeys, numberOf, pointsOf, readObjects, sum, breakdownText } from "./answer.ts";

/** What of a query decides how its results are read. */
export interface TrendSettings {
  /** Whether each point holds those before it. */
  readonly isCumulative: boolean;
  /** Whether the points of a series can be added up. */
  readonly isAdditive: boolean;
  readonly isBrokenDown: boolean;
}

const CUMULATIVE = "The last point of a cumulative series is its total, because each point holds those before it.";
const MORE = "The breakdown has more values than the service returns.";

/** Series over time. A series without points has a single number. */
export function readTrend(
  answer: Json | undefined,
  key: "result" | "results",
  settings: TrendSettings,
): CalculatedSide | Uncalculable {
  const { isCumulative, isAdditive, isBrokenDown } = settings;
  const hasMore = isBrokenDown && isJsonObject(answer) && answer["hasMore"] === true;
  return readObjects(answer, key, (rows) => {
    const series = rows.map((row) => trendSeries(row, settings));
    const hasPoints = series.some(({ points }) => points.length > 0);
    return {
      shape: "lines",
      series: withUniqueKeys(series),
      notes: [...(isCumulative && hasPoints ? [CUMULATIVE] : []), ...(hasMore ? [MORE] : [])],
      isAdditive,
    };
  });
}

function trendSeries(row: JsonObject, { isCumulative, isBrokenDown }: TrendSettings): FoundSeries {
  const { data, days, labels, aggregated_value: single } = row;
  const points = pointsOf(data, isJsonArray(days) && days.length > 0 ? days : labels);
  const value = isBrokenDown ? (row["breakdown_value"] ?? null) : null;
  const order = actionOf(row)["order"] ?? row["order"];
  return {
    key: seriesKey(row, value),
    label: labelOf(row, value),
    total: points.length === 0 ? numberOf(single) : isCumulative ? (points.at(-1)?.value ?? null) : sum(points),
    points,
    ...(typeof order === "number" ? { order } : {}),
    ...(isBrokenDown ? { whole: { key: seriesKey(row, null), label: seriesName(row) ?? "all values" } } : {}),
  };
}

function actionOf({ action }: JsonObject): JsonObject {
  return isJsonObject(action) ? action : {};
}

/** Which series this is: what it counts, the period that is compared, and the value of the breakdown. */
function seriesKey(row: JsonObject, value: Json): string {
  const { id = null, custom_name: name = null } = actionOf(row);
  const period = row["compare_label"] === "previous" ? "previous" : null;
  return JSON.stringify([id, name, row["status"] ?? null, period, value]);
}

/** The name that the query gives a series; undefined if the answer does not tell it. */
function seriesName(row: JsonObject): string | undefined {
  const { custom_name: custom, name } = actionOf(row);
  const found = [custom, name].find((one) => typeof one === "string" && one !== "");
  return typeof found === "string" ? found : undefined;
}

const VALUES: Readonly<Record<string, string>> = {
  $$_posthog_breakdown_other_$$: "other values",
  $$_posthog_breakdown_null_$$: "no value",
  "": "no value",
};

function labelOf(row: JsonObject, value: Json): string {
  const custom = actionOf(row)["custom_name"];
  const found =
    [custom, row["label"], seriesName(row)].find((one) => typeof one === "string" && one !== "") ?? "(no name)";
  const label = value === null ? breakdownText(found) : withValue(breakdownText(found), breakdownText(value));
  return row["compare_label"] === "previous" && !label.endsWith("previous") ? `${label} - previous` : label;
}

/** A label that names the value of its breakdown. Services name it in most of them. */
function withValue(label: string, value: string): string {
  const word = own(VALUES, value) ?? value;
  if (value !== "" && label.includes(value)) return label.replace(value, () => word);
  return `${label.replace(/ - $/u, "")} - ${word}`;
}
