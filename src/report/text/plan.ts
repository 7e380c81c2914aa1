import type { PlanDocument } from "../../model/plan.ts";
import { sanitize } from "../../model/text/quote.ts";
import { stepLines } from "../command.ts";
import type { RenderOptions } from "../options.ts";
import { legend } from "../summary.ts";
import { planView, type Table, type View } from "../view.ts";
import { columnWidth, padText } from "../width.ts";
import { wrapLines, wrapList, wrapWords } from "../wrap.ts";
import { boxLines, changeBlocks, type ChangeLayout, layoutOf, warningLines } from "./changes.ts";

/** A plan or a drift report as text for a terminal. */
export function planText(document: PlanDocument, options: RenderOptions): string {
  const { type } = document;
  const view = planView(document, options, "text");
  const layout = layoutOf(type, options);
  const { paint } = layout;
  const result = (width: number): readonly string[] =>
    wrapLines(sanitize(view.result), width).map((line) => paint(view.isClean ? "green" : "bold", line));
  const people = view.people.map((table) => tableLines(table, layout));
  if (options.detail === "line") return joinBlocks([...people, result(Infinity)]);
  const footer = options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))];
  return joinBlocks([
    heading(view, layout),
    ...people,
    ...(options.detail === "summary"
      ? []
      : [
          changeBlocks(view.groups, layout),
          ...view.shared.map((one) => boxLines(one, layout)),
          warningLines(view.warnings, layout),
        ]),
    ...view.tables.filter(({ isRequested }) => isRequested).map((table) => tableLines(table, layout)),
    [
      ...result(layout.width),
      ...[...view.steps, ...view.notes].flatMap((step) => stepLines(step, layout.width)),
      ...footer,
    ],
  ]);
}

/** The blocks that have lines, with an empty line between them. */
function joinBlocks(blocks: readonly (readonly string[])[]): string {
  const texts = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return `${texts.join("\n\n")}\n`;
}

function heading(view: View, { type, paint, width }: ChangeLayout): readonly string[] {
  const { title, groups } = view;
  if (groups.length === 0) return [];
  const changes = groups.flatMap((group) => group.changes);
  // The signs of fields mean something else than the symbols of resources.
  const lead = view.lead.flatMap((text) => wrapWords(sanitize(text), width));
  const lines = [...wrapList(legend(changes, type), width, "   "), ...lead];
  return [paint("bold", sanitize(title)), ...lines.map((line) => paint("dim", line))];
}

/** Before the rows of a table. */
const MARGIN = " ".repeat(6);

function tableLines({ title, rows, step }: Table, { paint, width }: ChangeLayout): readonly string[] {
  const cells = rows.map((row) => row.map(sanitize));
  const column = columnWidth(cells.map(([address = ""]) => address));
  const lines = cells.flatMap(([address = "", ...rest]) => {
    const line = `${padText(address, column)}  ${rest.join("  ")}`;
    return wrapLines(line, width - MARGIN.length, "  ").map((one) => MARGIN + one);
  });
  return [paint("bold", sanitize(title)), ...lines, ...(step === undefined ? [] : stepLines(step, width))];
}
