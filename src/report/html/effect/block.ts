import { type CalculatedEffect, type Effect, type EffectPoint, isCalculated } from "../../../model/effect.ts";
import type { PlanDocument } from "../../../model/plan.ts";
import { align, type Aligned, linesOf } from "../../effect/align.ts";
import { effectNotes, rangeText, seriesRows, type SeriesRow, sideNames } from "../../effect/words.ts";
import { markup, type Markup } from "../markup.ts";
import { barChart } from "./bars.ts";
import { type Drawn, lineChart } from "./lines.ts";
import { pointsTable, totalsTable } from "./tables.ts";

/** Longer labels are cut. Characters. */
const MAX_LABEL = 200;
/** Fewer rows of a query are bars, even if they are times. */
const MIN_LINE = 6;

/**
 * What a change does to the numbers of its insight: the totals, a chart, and all points.
 *
 * @param number that of the change in the report
 */
export function effectBlock(effect: Effect | undefined, type: PlanDocument["type"], number: number): Markup {
  if (effect === undefined) return markup``;
  if (!isCalculated(effect)) return markup`<p class="note">Effect not calculated: ${effect.not_calculated}</p>`;
  const range = rangeText(effect, type);
  const names = sideNames(type);
  const rows = seriesRows(effect, type, MAX_LABEL);
  const aligned = align(linesOf(effect));
  const chart = chartOf(effect, aligned);
  const notes = [chart?.omitted ?? [], ...effectNotes(effect)].flat();
  const title = range === "" ? "" : markup` <span class="note">${range}</span>`;
  return markup`<div class="effect"><p><strong>Effect</strong>${title}</p>
${totalsTable(rows)}
${chart === undefined ? "" : chartMarkup(chart, { id: `effect-${String(number)}`, title: `Chart: ${names.join(" and ")}`, text: totalsText(rows) })}
${notes.map((note) => markup`<p class="note">${note}</p>\n`)}${pointsTable(aligned, effect, { names, labels: rows.map(({ label }) => label) })}</div>`;
}

interface Chart extends Drawn {
  readonly form: "line" | "bar";
}

/** The chart of the points, or of the totals if there are none; undefined if there is no number to draw. */
function chartOf(effect: CalculatedEffect, points: Aligned): Chart | undefined {
  const { shape } = effect;
  const aligned = points.rows.length > 0 ? points : align(totalsOf(effect));
  if (!aligned.rows.some(({ values }) => values.some((value) => typeof value === "number"))) return undefined;
  const isLine =
    shape === "lines"
      ? points.rows.length > 0
      : shape === "rows" && aligned.axis !== "name" && aligned.rows.length >= MIN_LINE;
  if (isLine) return { form: "line", ...lineChart(aligned) };
  return { form: "bar", ...barChart(aligned, shape === "steps" ? "steps" : "rows") };
}

/** Single numbers are a row each, in the colour of their series. */
function totalsOf({ series }: CalculatedEffect): readonly (readonly EffectPoint[])[] {
  return series.flatMap(({ label, before, after }) =>
    [before, after].map((side) => (side === null ? [] : [{ at: label, value: side.total }])),
  );
}

/** What the chart shows, in sentences. */
function totalsText(rows: readonly SeriesRow[]): string {
  return rows
    .map(({ label, totals, change }) => {
      const numbers = totals.map(({ name, text }) => `${name} ${text}`).join(", ");
      return `${label}: ${numbers}${change === "" ? "" : ` (${change})`}.`;
    })
    .join(" ");
}

/** The style of the chart leaves room for the texts beside it. */
function chartMarkup(
  { form, height, body }: Chart,
  { id, title, text }: { readonly id: string; readonly title: string; readonly text: string },
): Markup {
  return markup`<svg class="chart ${form}-chart" role="img" aria-labelledby="${id}-title ${id}-text" height="${height}"><title id="${id}-title">${title}</title><desc id="${id}-text">${text}</desc>${body}</svg>`;
}
