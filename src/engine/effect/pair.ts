/** Puts the series of both sides beside each other. */
import type { CalculatedSeries, CalculatedSide } from "../../kinds/calculation.ts";
import type { CalculatedEffect, EffectSeries, EffectSide } from "../../model/effect.ts";

/** How many values of a breakdown are shown. They may be personal data. */
const MOST_VALUES = 10;

export interface Sides {
  readonly before: CalculatedSide | undefined;
  readonly after: CalculatedSide;
}

/**
 * The series of both sides, paired by their keys. If each side has a single one, these are paired: a query that counts another event
 * has another key.
 *
 * @param breakdowns `totals`: the values of a breakdown are added up
 */
export function paired(
  sides: Sides,
  breakdowns: "shown" | "totals",
): Pick<CalculatedEffect, "shape" | "series" | "series_left_out" | "notes"> {
  const [before, after] = [sides.before?.series ?? [], sides.after.series].map((series) =>
    breakdowns === "totals" ? withoutBreakdowns(series) : series,
  ) as [readonly CalculatedSeries[], readonly CalculatedSeries[]];
  const isBrokenDown = [...before, ...after].some(({ whole }) => whole !== undefined);
  const series = pairs(before, after);
  const largest = series.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_VALUES);
  const shown = isBrokenDown ? largest : series;
  const wasAdded =
    breakdowns === "totals" &&
    [sides.before, sides.after].some((side) => side?.series.some(({ whole }) => whole !== undefined));
  const added = wasAdded ? ["The values of the breakdown are added up."] : [];
  return {
    shape: sides.after.shape,
    series: shown,
    series_left_out: series.length - shown.length,
    notes: [...new Set([...(sides.before?.notes ?? []), ...sides.after.notes, ...added])],
  };
}

function pairs(before: readonly CalculatedSeries[], after: readonly CalculatedSeries[]): readonly EffectSeries[] {
  const [onlyBefore, onlyAfter] = [before[0], after[0]];
  if (before.length === 1 && after.length === 1 && onlyBefore !== undefined && onlyAfter !== undefined)
    return [pairOf(onlyBefore, onlyAfter)];
  const open = new Map(before.map((one) => [one.key, one]));
  const found = after.map((one) => {
    const partner = open.get(one.key);
    open.delete(one.key);
    return pairOf(partner, one);
  });
  return [...found, ...[...open.values()].map((one) => pairOf(one, undefined))];
}

function pairOf(before: CalculatedSeries | undefined, after: CalculatedSeries | undefined): EffectSeries {
  const label = after?.label ?? before?.label ?? "";
  return { label, before: sideOf(before), after: sideOf(after), percent: percentOf(before?.total, after?.total) };
}

function sideOf(series: CalculatedSeries | undefined): EffectSide | null {
  return series === undefined ? null : { total: series.total, points: series.points };
}

/** Rounded to a tenth. */
function percentOf(before: number | null | undefined, after: number | null | undefined): number | null {
  if (typeof before !== "number" || typeof after !== "number" || before === 0) return null;
  return Math.round(((after - before) / Math.abs(before)) * 1_000) / 10;
}

function sizeOf({ before, after }: EffectSeries): number {
  return Math.max(Math.abs(before?.total ?? 0), Math.abs(after?.total ?? 0));
}

/** Adds the values of a breakdown up, for each series of the query. */
function withoutBreakdowns(series: readonly CalculatedSeries[]): readonly CalculatedSeries[] {
  const parts = new Map<string, CalculatedSeries[]>();
  for (const one of series) {
    const { key } = one.whole ?? one;
    parts.set(key, [...(parts.get(key) ?? []), one]);
  }
  return [...parts].flatMap(([key, [first, ...others]]) => {
    if (first?.whole === undefined) return [...(first === undefined ? [] : [first]), ...others];
    const all = [first, ...others];
    const points = first.points.map(({ at }, index) => ({
      at,
      value: sumOf(all.map((part) => part.points[index]?.value)),
    }));
    return [{ key, label: first.whole.label, total: sumOf(all.map((part) => part.total)), points }];
  });
}

function sumOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === "number");
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
