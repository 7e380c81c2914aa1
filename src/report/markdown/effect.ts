import { isCalculated, type Effect } from "../../model/effect.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { sparklines } from "../effect/sparkline.ts";
import { effectNotes, rangeText, seriesRows } from "../effect/words.ts";
import { code, paragraph, prose, table } from "./markdown.ts";

/** Longer labels are cut. Characters. */
const MAX_LABEL = 60;
/** The most blocks of a side. */
const MAX_BLOCKS = 15;

/** What a change does to the numbers: a small table, with notes below it. */
export function effectBlock(effect: Effect | undefined, type: PlanDocument["type"]): string {
  if (effect === undefined) return "";
  if (!isCalculated(effect)) return `Effect not calculated: ${prose(effect.not_calculated)}`;
  const range = rangeText(effect, type);
  const rows = seriesRows(effect, type, MAX_LABEL);
  const hasChange = rows.some(({ change }) => change !== "");
  const cells = rows.map(({ series, label, totals, change }) => {
    const blocks = sparklines(series, MAX_BLOCKS).filter((side) => side !== "");
    return [code(label), ...totals.map(({ text }) => text), ...(hasChange ? [change] : []), blocks.join(" → ")];
  });
  const names = (rows[0]?.totals ?? []).map(({ name }) => name);
  const head = ["series", ...names, ...(hasChange ? ["change"] : []), "points"];
  return [
    `**Effect**${range === "" ? "" : `, ${prose(range)}`}`,
    table(head, cells),
    ...effectNotes(effect).map((note) => paragraph(note)),
  ].join("\n\n");
}
