import { stepLines, toRunnable } from "../command.ts";
import { isUnseen, undeclaredBeside } from "../../model/change.ts";
import { unmanagedAddress, type PlanDocument, type ShownChange } from "../../model/plan.ts";
import { command } from "../../model/command.ts";
import { isShown } from "../marks.ts";
import { linker } from "../hyperlinks.ts";
import type { RenderOptions } from "../options.ts";
import { quoted, sanitize } from "../../model/quote.ts";
import { type Paint, painter } from "../color.ts";
import { columns, columnWidth, padText } from "../width.ts";
import { wrapList, wrapWords } from "../wrap.ts";
import { legend } from "../summary.ts";
import { groupsOf } from "../change-groups.ts";
import { leftOutText, shownEffects, sideNames } from "../effect/words.ts";
import { boxLines, changeBlocks } from "./changes.ts";
import { closing } from "./closing.ts";
import type { FieldLayout } from "./fields.ts";

/** A plan or a drift report as text for a terminal. */
export function planText(document: PlanDocument, options: RenderOptions): string {
  const paint = painter(options);
  const shown = document.changes.filter(isShown);
  const layout = {
    type: document.type,
    width: columns(options),
    paint,
    color: options.color,
    sides: document.type === "driftline.drift" ? sideNames(document.type, options) : undefined,
    link: linker(options),
  };
  const { groups, shared } = groupsOf(shown, { ...options, type: document.type, effects: shownEffects(document) });
  if (options.detail === "line")
    return `${closing(document, { color: options.color, showsNextSteps: false }, { ...layout, width: Infinity }).join("\n")}\n`;
  const blocks = [
    heading(document, shown, layout),
    ...(options.detail === "summary"
      ? []
      : [
          changeBlocks(groups, layout),
          ...shared.map((one) => boxLines(one, layout)),
          leftOutText(document).flatMap((sentence) => wrapWords(sentence, layout.width)),
        ]),
    options.unmanaged === true ? unmanagedLines(document, options) : [],
    options.verbose === true ? uncomparedLines(document, paint) : [],
    closing(document, options, layout),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function heading(
  { type, url, options }: PlanDocument,
  shown: readonly ShownChange[],
  { paint, width, sides }: FieldLayout,
): readonly string[] {
  if (shown.length === 0) return [];
  const isDrift = sides !== undefined;
  const only = options.only.length === 0 ? [] : [`Limited to ${sanitize(options.only.join(", "))}.`];
  const symbols = wrapList(legend(shown, type), width, "   ");
  // The signs of fields mean something else than the symbols of resources.
  const signs =
    isDrift && shown.some(hasSides) ? [`In fields, - is the ${sides[0]} value and + the ${sides[1]} one.`] : [];
  return [
    paint("bold", `${isDrift ? "Drift on" : "Plan for"} ${sanitize(url)}`),
    ...[...only, ...symbols, ...signs].map((line) => paint("dim", line)),
  ];
}

function hasSides(change: ShownChange): boolean {
  return !isUnseen(change) && change.fields.length > 0;
}

function unmanagedLines({ unmanaged }: PlanDocument, options: RenderOptions): readonly string[] {
  const [first] = unmanaged;
  if (first === undefined) return [];
  const rows = unmanaged.map((one) => [
    sanitize(unmanagedAddress(one)),
    one.key === null ? "(no name)" : quoted(one.key),
  ]);
  const width = columnWidth(rows.map(([address = ""]) => address));
  const lines = rows.map(([address = "", name = ""]) => `      ${padText(address, width)}  ${name}`);
  const words = toRunnable(command("import", { only: unmanagedAddress(first) }), options);
  return [
    `${painter(options)("bold", "Unmanaged")} (not declared, left alone)`,
    ...lines,
    ...stepLines({ text: "To declare the first one:", command: words }, columns(options)),
  ];
}

function uncomparedLines({ changes }: PlanDocument, paint: Paint): readonly string[] {
  const lines = changes.flatMap((change) => {
    const values = undeclaredBeside(change);
    if (values.length === 0) return [];
    return [`      ${sanitize(change.address)}  live has more: ${sanitize(values.join(", "))}`];
  });
  return lines.length === 0 ? [] : [`${paint("bold", "Not compared")} (live values that are not declared)`, ...lines];
}
