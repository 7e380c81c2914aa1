/** What reports say about the effect of a change. All texts are as they came; each format escapes them. */
import type { CalculatedEffect, Effect, EffectSeries, EffectSide } from "../../model/effect.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";
import type { ReportType } from "../marks.ts";
import type { RenderOptions } from "../options.ts";
import { cut } from "../../model/text/quote.ts";
import { distinguish, flow } from "../escape.ts";
import { percentText, pointsText, readableNumber, shareText } from "./numbers.ts";

/** The effects that a report shows, by the addresses of their changes. */
export type ShownEffects = ReadonlyMap<string, Effect>;

export function shownEffects({ effects }: Pick<PlanDocument, "effects">): ShownEffects {
  return new Map((effects?.insights ?? []).map((one) => [one.address, one]));
}

const LEFT_OUT = {
  limit: "--effect-limit allows no more",
  time: "the time for it was over",
  interrupted: "it was interrupted",
} as const;

/** How many effects were not calculated, and why, as a sentence. */
export function leftOutText({ effects }: Pick<PlanDocument, "effects">): readonly string[] {
  const left = effects?.left_out;
  if (left === undefined) return [];
  return [`The effect of ${plural(left.count, "more insight")} was not calculated: ${LEFT_OUT[left.reason]}.`];
}

/** What the two sides are called. */
export function sideNames(
  type: ReportType,
  { accepts }: Pick<RenderOptions, "accepts"> = {},
): readonly [string, string] {
  if (type !== "driftline.drift") return ["before", "after"];
  return accepts === true ? ["declared", "live"] : ["live", "declared"];
}

/** The range and the interval: `2026-10-27 to 2026-11-24, by day`; "" without them. */
export function rangeText({ range, interval }: CalculatedEffect, type: PlanDocument["type"]): string {
  const [before, after] = sideNames(type);
  const intervals = [...new Set([interval.before, interval.after])].filter((one) => one !== null);
  const by =
    intervals.length < 2 ? intervals.map((one) => `by ${one}`) : [`by ${intervals.join(` ${before}, by `)} ${after}`];
  const times = range === null ? [] : [...new Set([range.from, range.to])].map(shortTime);
  return [...(times.length === 0 ? [] : [times.join(" to ")]), ...by].join(", ");
}

/** A time without what says nothing: `2026-11-24 13:00`. Another text stays as it is. */
export function shortTime(at: string): string {
  return at.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::00)?$/, "$1 $2");
}

/** What is not in the numbers, as sentences. */
export function effectNotes({ series_left_out: left, notes }: CalculatedEffect): readonly string[] {
  return [...(left === 0 ? [] : [`${plural(left, "more series is", "more series are")} left out.`]), ...notes];
}

/** A series as a report shows it. */
export interface SeriesRow {
  readonly series: EffectSeries;
  /** Sanitized. Two labels never look the same. */
  readonly label: string;
  /** One for each side that any series of the effect has. */
  readonly totals: readonly Total[];
  /** The change in percent, that of a funnel in percentage points; "" if there is none. */
  readonly change: string;
}

/** A total, as a number and as text, on one side with its name. */
export interface Total {
  readonly side: "before" | "after";
  readonly name: string;
  readonly value: number | null;
  readonly text: string;
}

/** The totals of all series, each label with at most `limit` characters. */
export function seriesRows(
  { series, shape }: CalculatedEffect,
  type: PlanDocument["type"],
  limit: number,
): readonly SeriesRow[] {
  const labels = series.map(({ label }) => flow(cut(label, limit)));
  const shown = distinguish(labels);
  const [before, after] = sideNames(type);
  const sides = [{ side: "before", name: before } as const, { side: "after", name: after } as const];
  const used = sides.filter(({ side }) => series.some((one) => one[side] !== null));
  return series.map((one, index) => ({
    series: one,
    label: shown(labels[index] ?? ""),
    totals: used.map((each) => ({
      ...each,
      value: one[each.side]?.total ?? null,
      text: totalText(one[each.side], shape),
    })),
    change: shape === "steps" ? conversionChange(one) : one.percent === null ? "" : percentText(one.percent),
  }));
}

/** Stands for a number that is not there. */
export const NO_NUMBER = "–";

/** A total. That of a funnel is followed by how many began, and by their share that came to the end. */
function totalText(side: EffectSide | null, shape: CalculatedEffect["shape"]): string {
  if (side === null || side.total === null) return NO_NUMBER;
  const total = readableNumber(side.total);
  const began = shape === "steps" ? side.points[0]?.value : undefined;
  if (typeof began !== "number") return total;
  return `${total} of ${readableNumber(began)}${began > 0 ? ` (${shareText(side.total, began)})` : ""}`;
}

/** How much of the people who begin a funnel come to its end, more or less than before; "" if a side has none. */
function conversionChange({ before, after }: EffectSeries): string {
  const [prior, planned] = [before, after].map((side) => conversionOf(side));
  return prior === undefined || planned === undefined ? "" : pointsText(planned - prior);
}

/** In percent. */
function conversionOf(side: EffectSide | null): number | undefined {
  const began = side?.points[0]?.value ?? 0;
  return side === null || side.total === null || began <= 0 ? undefined : (side.total / began) * 100;
}
