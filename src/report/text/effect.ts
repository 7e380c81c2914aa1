import { isCalculated, type CalculatedEffect, type Effect } from "../../model/effect.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { sparklines } from "../effect/sparkline.ts";
import { effectNotes, rangeText, seriesRows, type SeriesRow, sideNames } from "../effect/words.ts";
import { sanitize } from "../../model/text/quote.ts";
import { columnWidth, INDENT, padText, textWidth } from "../width.ts";
import { wrapLines, wrapWords } from "../wrap.ts";
import type { FieldLayout } from "./fields.ts";

/** Longer labels are cut. Characters. */
const MAX_LABEL = 60;
/** The most and the fewest blocks of a side. Fewer would say nothing. */
const [MAX_BLOCKS, MIN_BLOCKS] = [24, 6];
const ARROW = " -> ";

/** How the lines of a plan are laid out: no other report has effects. */
type Layout = FieldLayout & Pick<PlanDocument, "type">;

/** What a change does to the numbers: a line for each series, below the fields. */
export function effectLines(effect: Effect | undefined, layout: Layout): readonly string[] {
  if (effect === undefined) return [];
  const width = layout.width - INDENT.length;
  return isCalculated(effect)
    ? calculatedLines(effect, layout)
    : wrapWords(`effect not calculated: ${sanitize(effect.not_calculated)}`, width);
}

function calculatedLines(effect: CalculatedEffect, { type, width: all, paint }: Layout): readonly string[] {
  const width = all - INDENT.length;
  const range = rangeText(effect, type);
  const sides = type === "driftline.drift" ? `, ${sideNames(type).join(ARROW)}` : "";
  const rows = seriesRows(effect, type, MAX_LABEL).map((row) => ({ row, numbers: numbersOf(row) }));
  const columns = {
    label: columnWidth(
      rows.map(({ row }) => row.label),
      Math.floor(width / 3),
    ),
    numbers: columnWidth(rows.map(({ numbers }) => numbers)),
  };
  return [
    paint("dim", sanitize(`effect${sides}${range === "" ? "" : `: ${range}`}`)),
    ...rows.flatMap(({ row, numbers }) => seriesLines(row, numbers, columns, width - 2)).map((line) => `  ${line}`),
    ...effectNotes(effect).flatMap((note) => wrapLines(sanitize(note), width - 2).map((line) => `  ${line}`)),
  ];
}

function numbersOf({ totals, change }: SeriesRow): string {
  const numbers = totals.map(({ text }) => text).join(ARROW);
  return change === "" ? numbers : `${numbers} (${change})`;
}

/** A label that is longer than its column has a line of its own, and so have blocks that do not fit. */
function seriesLines(
  { label, series }: SeriesRow,
  numbers: string,
  columns: { readonly label: number; readonly numbers: number },
  width: number,
): readonly string[] {
  const isLong = textWidth(label) > columns.label;
  const start = isLong ? "  " : `${padText(label, columns.label)}  `;
  const used = textWidth(start) + Math.max(columns.numbers, textWidth(numbers)) + 2;
  const room = Math.floor((width - used - ARROW.length) / 2);
  const isBeside = room >= MIN_BLOCKS;
  const blocks = sparklines(series, Math.min(MAX_BLOCKS, isBeside ? room : Math.floor((width - 6) / 2)))
    .filter((side) => side !== "")
    .join(ARROW);
  const line = isBeside ? `${start}${padText(numbers, columns.numbers)}  ${blocks}` : `${start}${numbers}`;
  return [
    ...(isLong ? wrapLines(label, width) : []),
    ...wrapLines(line.trimEnd(), width, "  "),
    ...(isBeside || blocks === "" ? [] : [`  ${blocks}`]),
  ];
}
