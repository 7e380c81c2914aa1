import { type CalculatedEffect, type Effect, type EffectPoint, isCalculated } from "../../../model/effect.ts";
import { align, type Aligned, linesOf } from "../../effect/align.ts";
import { effectNotes, rangeText, seriesRows, type SeriesRow, sideNames } from "../../effect/words.ts";
import { markup, type Markup } from "../markup.ts";
import { barChart } from "./bars.ts";
import { type Drawn, lineChart } from "./lines.ts";
import { pointsTable, type SideNames, totalsTable } from "./tables.ts";

/** Longer labels are cut. Characters. */
const MAX_LABEL = 200;
/** Fewer rows of a query are bars, even if they are times. */
const MIN_LINE = 6;

/** Where an effect stands. */
export interface EffectPlace {
  readonly type: "driftline.plan" | "driftline.drift";
  /** The number of its change in the report. */
  readonly number: number;
}

/** What a change does to the numbers of its insight: the totals, a chart, and all points. */
export function effectBlock(effect: Effect | undefined, { type, number }: EffectPlace): Markup {
  if (effect === undefined) return markup``;
  if (!isCalculated(effect)) return markup`<p class="note">Effect not calculated: ${effect.not_calculated}</p>`;
  const range = rangeText(effect, type);
  const names = sideNames(type);
  const rows = seriesRows(effect, MAX_LABEL);
  const aligned = align(linesOf(effect));
  const chart = chartOf(effect, aligned);
  const notes = [...(chart.omitted === "" ? [] : [chart.omitted]), ...effectNotes(effect)];
  const title = range === "" ? "" : markup` <span class="note">${range}</span>`;
  return markup`<div class="effect"><p><strong>Effect</strong>${title}</p>
${totalsTable(rows, names)}
${chartMarkup(chart, { id: `effect-${String(number)}`, title: `${names.join(" and ")}, as a chart`, text: totalsText(rows, names) })}
${notes.map((note) => markup`<p class="note">${note}</p>\n`)}${pointsTable(aligned, effect, { names, labels: rows.map(({ label }) => label) })}</div>`;
}

interface Chart extends Drawn {
  readonly form: "line" | "bar";
}

function chartOf(effect: CalculatedEffect, aligned: Aligned): Chart {
  const { shape } = effect;
  const isLine =
    shape === "lines"
      ? aligned.rows.length > 0
      : shape === "rows" && aligned.axis !== "name" && aligned.rows.length >= MIN_LINE;
  if (isLine) return { form: "line", ...lineChart(aligned) };
  return {
    form: "bar",
    ...barChart(aligned.rows.length > 0 ? aligned : align(totalsOf(effect)), shape === "steps" ? "steps" : "rows"),
  };
}

/** Single numbers are a row each. */
function totalsOf({ series }: CalculatedEffect): readonly (readonly EffectPoint[])[] {
  const [before, after] = (["before", "after"] as const).map((name) =>
    series.flatMap((one) => (one[name] === null ? [] : [{ at: one.label, value: one[name].total }])),
  );
  return [before ?? [], after ?? []];
}

/** What the chart shows, in sentences. */
function totalsText(rows: readonly SeriesRow[], [before, after]: SideNames): string {
  return rows
    .map(({ label, before: old, after: now, change }) => {
      const totals = [
        ...(old === undefined ? [] : [`${before} ${old}`]),
        ...(now === undefined ? [] : [`${after} ${now}`]),
      ];
      return `${label}: ${totals.join(", ")}${change === "" ? "" : ` (${change})`}.`;
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
