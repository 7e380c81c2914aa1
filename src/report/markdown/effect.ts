import { isCalculated, type Effect } from "../../model/effect.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { sparklines } from "../effect/sparkline.ts";
import { effectNotes, rangeText, seriesRows, sideNames } from "../effect/words.ts";
import { code, paragraph, prose, table } from "./markdown.ts";

/** Longer labels are cut. Characters. */
const MAX_LABEL = 60;
/** The most blocks of a side. */
const MAX_BLOCKS = 15;

/** What a change does to the numbers: a small table, with notes below it. */
export function effectBlocks(effect: Effect | undefined, type: PlanDocument["type"]): readonly string[] {
  if (effect === undefined) return [];
  if (!isCalculated(effect)) return [`Effect not calculated: ${prose(effect.not_calculated)}`];
  const range = rangeText(effect, type);
  const names = sideNames(type);
  const rows = seriesRows(effect, MAX_LABEL);
  const sides = (["before", "after"] as const).filter((side) => rows.some((row) => row[side] !== undefined));
  const hasChange = rows.some(({ change }) => change !== "");
  const cells = rows.map((row) => {
    const blocks = sparklines(row.series, MAX_BLOCKS).filter((side) => side !== "");
    return [
      code(row.label),
      ...sides.map((side) => row[side] ?? ""),
      ...(hasChange ? [row.change] : []),
      blocks.join(" → "),
    ];
  });
  const head = [
    "series",
    ...sides.map((side) => names[side === "before" ? 0 : 1]),
    ...(hasChange ? ["change"] : []),
    "points",
  ];
  return [
    `**Effect**${range === "" ? "" : `, ${prose(range)}`}`,
    table(head, cells),
    ...effectNotes(effect).map((note) => paragraph(note)),
  ];
}
