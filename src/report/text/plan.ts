import type { PlanDocument } from "../../model/plan.ts";
import { sanitize } from "../../model/quote.ts";
import { painter } from "../color.ts";
import { stepLines } from "../command.ts";
import { sideNames } from "../effect/words.ts";
import { linker } from "../hyperlinks.ts";
import type { RenderOptions } from "../options.ts";
import { legend } from "../summary.ts";
import { planView, type Table, type View } from "../view.ts";
import { columns, columnWidth, padText } from "../width.ts";
import { wrapLines, wrapList } from "../wrap.ts";
import { boxLines, changeBlocks, type ChangeLayout } from "./changes.ts";

/** A plan or a drift report as text for a terminal. */
export function planText(document: PlanDocument, options: RenderOptions): string {
  const { type } = document;
  const view = planView(document, options, "text");
  const paint = painter(options);
  const layout = {
    type,
    width: columns(options),
    paint,
    color: options.color,
    sides: type === "driftline.drift" ? sideNames(type, options) : undefined,
    link: linker(options),
  };
  const result = (width: number): readonly string[] =>
    wrapLines(sanitize(view.result), width).map((line) => paint(view.isClean ? "green" : "bold", line));
  if (options.detail === "line") return `${result(Infinity).join("\n")}\n`;
  const footer = options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))];
  const blocks = [
    heading(view, layout),
    ...(options.detail === "summary"
      ? []
      : [changeBlocks(view.groups, layout), ...view.shared.map((one) => boxLines(one, layout))]),
    ...view.tables.filter(({ isRequested }) => isRequested).map((table) => tableLines(table, layout)),
    [
      ...result(layout.width),
      ...[...view.steps, ...view.notes].flatMap((step) => stepLines(step, layout.width)),
      ...footer,
    ],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function heading(view: View, { type, paint, width }: ChangeLayout): readonly string[] {
  const { title, groups, lead, sides } = view;
  if (groups.length === 0) return [];
  const changes = groups.flatMap((group) => group.changes);
  // The signs of fields mean something else than the symbols of resources.
  const lines = [...lead.map(sanitize), ...wrapList(legend(changes, type), width, "   "), ...sides];
  return [paint("bold", sanitize(title)), ...lines.map((line) => paint("dim", line))];
}

function tableLines({ title, rows, step }: Table, { paint, width }: ChangeLayout): readonly string[] {
  const cells = rows.map((row) => row.map(sanitize));
  const column = columnWidth(cells.map(([address = ""]) => address));
  const lines = cells.map(([address = "", ...rest]) => `      ${padText(address, column)}  ${rest.join("  ")}`);
  return [paint("bold", title), ...lines, ...(step === undefined ? [] : stepLines(step, width))];
}
