/** Puts the series of both sides beside each other. */
import { groupBy } from "../../model/group-by.ts";
import type { CalculatedSeries, CalculatedSide } from "../../kinds/calculation.ts";
import type { CalculatedEffect, EffectSeries, EffectSide } from "../../model/effect.ts";

/** How many values of a breakdown are shown. They may be personal data. */
const MOST_VALUES = 10;

export interface Sides {
  readonly before: CalculatedSide | undefined;
  readonly after: CalculatedSide;
}

/**
 * The series of both sides, paired by what they count. If nothing is left but one series on each side, these are a pair, too: a query
 * that counts another event. Its label has both names.
 *
 * @param breakdowns `totals`: the values of a breakdown are added up, and names of rows are left out
 */
export function pairedSeries(
  sides: Sides,
  breakdowns: "shown" | "totals",
): Pick<CalculatedEffect, "shape" | "series" | "series_left_out" | "notes"> {
  const shownOf = breakdowns === "totals" ? impersonal : (side: CalculatedSide): CalculatedSide => side;
  const isAdditive = sides.after.isAdditive && sides.before?.isAdditive !== false;
  const totalledOf = isAdditive ? shownOf : (side: CalculatedSide): CalculatedSide => withMeans(shownOf(side));
  const before = sides.before && totalledOf(sides.before);
  const after = totalledOf(sides.after);
  const isOtherKind = before !== undefined && before.shape !== after.shape;
  const old = before?.series ?? [];
  const series = isOtherKind ? unpairedSeries(old, after.series) : pairs(old, after.series);
  const isBrokenDown = [...old, ...after.series].some(({ whole }) => whole !== undefined);
  const largest = series.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, MOST_VALUES);
  const shown = isBrokenDown ? largest : series;
  const notes = [
    ...(before?.notes ?? []),
    ...after.notes,
    ...(isOtherKind ? [OTHER_KIND] : []),
    ...(countsNothing(series) ? [NOTHING] : []),
  ];
  return {
    shape: after.shape,
    series: shown,
    series_left_out: series.length - shown.length,
    notes: [...new Set(notes)],
  };
}

const OTHER_KIND = "The live one is a query of another kind, so its numbers cannot be compared.";
const NOTHING =
  "The declared query has a zero where the live one has numbers. A misspelt event counts as zero: check its name.";
const ADDED = "The values of the breakdown are added up.";
const MEANS = "The totals are means of the intervals, because unique people, averages and formulas cannot be added up.";
const NOT_ADDED = "The values of the breakdown are left out, because they cannot be added up.";

/** Whether a series of the declared query is zero, where the live one has numbers. A breakdown of nothing has no series. */
function countsNothing(series: readonly EffectSeries[]): boolean {
  const isNew = ({ before, after }: EffectSeries): boolean => after?.total === 0 && before?.total !== 0;
  return (
    series.some(({ before }) => (before?.total ?? 0) !== 0) &&
    (series.some(isNew) || series.every(({ after }) => after === null))
  );
}

function unpairedSeries(
  before: readonly CalculatedSeries[],
  after: readonly CalculatedSeries[],
): readonly EffectSeries[] {
  return [...after.map((one) => pairOf(undefined, one)), ...before.map((one) => pairOf(one, undefined))];
}

function pairs(before: readonly CalculatedSeries[], after: readonly CalculatedSeries[]): readonly EffectSeries[] {
  const open = new Map(before.map((one) => [one.key, one]));
  const partners = after.map((series): readonly [CalculatedSeries | undefined, CalculatedSeries] => {
    const partner = open.get(series.key);
    open.delete(series.key);
    return [partner, series];
  });
  const left = [...open.values()];
  const alone = partners.filter(([partner]) => partner === undefined);
  const [[only], [single]] = [left, alone];
  const isPair =
    left.length === 1 && alone.length === 1 && only?.whole === undefined && single?.[1].whole === undefined;
  return [
    ...partners.map(([partner, series]) =>
      isPair && partner === undefined ? pairOf(only, series) : pairOf(partner, series),
    ),
    ...(isPair ? [] : left.map((one) => pairOf(one, undefined))),
  ];
}

function pairOf(before: CalculatedSeries | undefined, after: CalculatedSeries | undefined): EffectSeries {
  const labels = new Set([before?.label, after?.label].filter((label) => label !== undefined));
  return {
    label: [...labels].join(" → "),
    before: sideOf(before),
    after: sideOf(after),
    percent: percentOf(before?.total, after?.total),
  };
}

function sideOf(series: CalculatedSeries | undefined): EffectSide | null {
  return series === undefined ? null : { total: series.total, points: series.points };
}

/** With four digits, so that a small change is not taken for none. */
function percentOf(before: number | null | undefined, after: number | null | undefined): number | null {
  if (typeof before !== "number" || typeof after !== "number" || before === 0) return null;
  const percent = Number((((after - before) / Math.abs(before)) * 100).toPrecision(4));
  return Number.isFinite(percent) ? percent : null;
}

function sizeOf({ before, after }: EffectSeries): number {
  return Math.max(Math.abs(before?.total ?? 0), Math.abs(after?.total ?? 0));
}

/** Lines with the means of their points as totals. Both sides have them if one cannot be added up: a sum and a mean do not compare. */
function withMeans(side: CalculatedSide): CalculatedSide {
  if (side.shape !== "lines") return side;
  const series = side.series.map((one) => {
    const count = one.points.filter(({ value }) => value !== null).length;
    return count === 0 || one.total === null ? one : { ...one, total: one.total / count };
  });
  const hasPoints = series.some(({ points }) => points.length > 0);
  return { ...side, series, notes: hasPoints ? [...side.notes, MEANS] : side.notes };
}

/** A side without the values of a breakdown, and without the names of rows. */
function impersonal(side: CalculatedSide): CalculatedSide {
  if (side.hasNames === true) return { ...side, series: side.series.map((one) => ({ ...one, points: [] })) };
  if (!side.series.some(({ whole }) => whole !== undefined)) return side;
  if (!side.isAdditive) return { ...side, series: [], notes: [...side.notes, NOT_ADDED] };
  const parts = groupBy(side.series, (one) => (one.whole ?? one).key);
  return { ...side, series: [...parts].flatMap(([key, all]) => addedUp(key, all)), notes: [...side.notes, ADDED] };
}

function addedUp(key: string, all: readonly CalculatedSeries[]): readonly CalculatedSeries[] {
  const [first] = all;
  if (first?.whole === undefined) return all;
  const points = first.points.map(({ at }, index) => ({
    at,
    value: sumOf(all.map((part) => part.points[index]?.value)),
  }));
  return [{ key, label: first.whole.label, total: sumOf(all.map(({ total }) => total)), points }];
}

function sumOf(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => typeof value === "number");
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}
