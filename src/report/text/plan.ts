import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import type { RenderOptions } from "../options.ts";
import { columns, columnWidth, INDENT, type Paint, painter } from "./style.ts";
import { sanitize } from "../escape.ts";
import { cleanText, counts, isClean, legend, nextSteps } from "../summary.ts";
import { fieldLines, type FieldLayout } from "./fields.ts";
import { ACTIONS, isShown, markOf, modifiedText, ruleText } from "../phrases.ts";

/** A plan or a drift report as text for a terminal. */
export function planText(document: PlanDocument, options: RenderOptions): string {
  const paint = painter(options.color);
  const shown = document.changes.filter(isShown);
  if (options.extent === "line")
    return `${closing(document, { color: options.color, next: false }, paint).join("\n")}\n`;
  const blocks = [
    heading(document, shown, paint),
    options.extent === "summary"
      ? []
      : changeBlocks(document, shown, { type: document.type, width: columns(options), paint }),
    options.unmanaged === true ? unmanagedLines(document, paint) : [],
    options.more === true ? moreLines(document, paint) : [],
    closing(document, options, paint),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function heading({ type, url, options }: PlanDocument, shown: readonly ShownChange[], paint: Paint): readonly string[] {
  if (shown.length === 0) return [];
  const what = type === "driftline.drift" ? "Drift on" : "Plan for";
  const only = options.only.length === 0 ? [] : [paint("dim", `Limited to ${sanitize(options.only.join(", "))}.`)];
  const symbols = legend(shown, type);
  return [paint("bold", `${what} ${sanitize(url)}`), ...only, ...(symbols === "" ? [] : [paint("dim", symbols)])];
}

function changeBlocks(document: PlanDocument, shown: readonly ShownChange[], layout: FieldLayout): readonly string[] {
  const widths = {
    address: columnWidth(shown.map(({ address }) => sanitize(address))),
    kind: columnWidth(shown.map(({ kind }) => sanitize(kind))),
  };
  const lines: string[] = [];
  let isTall = false;
  for (const change of shown) {
    const block = changeLines(change, widths, layout);
    // An empty line separates changes that have more than one line.
    if (lines.length > 0 && (isTall || block.length > 1)) lines.push("");
    lines.push(...block);
    isTall = block.length > 1;
  }
  return lines;
}

interface Widths {
  readonly address: number;
  readonly kind: number;
}

function changeLines(change: ShownChange, widths: Widths, layout: FieldLayout): readonly string[] {
  const { paint, width, type } = layout;
  const { symbol, style } = markOf(change);
  const address = sanitize(change.address);
  const kind = sanitize(change.kind);
  const reason = sanitize(reasonText(change, type));
  const start = `${paint(style, symbol.padStart(5))} ${paint("bold", address)}${" ".repeat(Math.max(0, widths.address - address.length))}  `;
  const used = 8 + Math.max(address.length, widths.address) + 2 + Math.max(kind.length, widths.kind);
  const fits = used + reason.length <= width;
  const head = fits
    ? [`${start}${kind.padEnd(widths.kind)}  ${paint("dim", reason)}`]
    : [`${start}${kind}`, paint("dim", `${INDENT}${reason}`)];
  return [...head, ...fieldLines(change, layout), ...blockedLines(change, layout)];
}

/** The reason, after the word that the symbol does not show: the blocked action, or how the live object differs. */
function reasonText(change: ShownChange, type: PlanDocument["type"]): string {
  const { action, blocked, reason } = change;
  if (type === "driftline.drift") return `${ACTIONS[action].drift}: ${reason}${modifiedText(change)}`;
  return blocked === null ? reason : `${ACTIONS[action].verb}: ${reason}`;
}

function blockedLines({ blocked }: ShownChange, { paint, type }: FieldLayout): readonly string[] {
  if (blocked === null) return [];
  const what = type === "driftline.drift" ? "apply is blocked" : "blocked";
  return [
    `${INDENT}${paint("red", `${what} (${sanitize(blocked.rule)})`)}: ${ruleText(blocked.rule)}`,
    `${INDENT}to go ahead: ${sanitize(blocked.lift)}`,
  ];
}

function unmanagedLines({ unmanaged }: PlanDocument, paint: Paint): readonly string[] {
  if (unmanaged.length === 0) return [];
  const rows = unmanaged.map(({ scope, kind, key, id }) => [
    sanitize(scope),
    sanitize(kind),
    key === null ? "(no name)" : sanitize(JSON.stringify(key)),
    `id ${sanitize(id)}`,
  ]);
  const widths = [0, 1, 2].map((column) => columnWidth(rows.map((row) => row[column] ?? "")));
  const lines = rows.map((row) => `      ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")}`);
  return [`${paint("bold", "Unmanaged")} (not declared, left alone)`, ...lines];
}

function moreLines({ changes }: PlanDocument, paint: Paint): readonly string[] {
  const lines = changes.flatMap(({ address, more = [] }) =>
    more.length === 0 ? [] : [`      ${sanitize(address)}  live has more: ${sanitize(more.join(", "))}`],
  );
  return lines.length === 0 ? [] : [`${paint("bold", "Not compared")} (live keys that are not declared)`, ...lines];
}

function closing(document: PlanDocument, options: RenderOptions, paint: Paint): readonly string[] {
  const footer = options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))];
  if (isClean(document)) return [paint("green", cleanText(document)), ...footer];
  const name = document.type === "driftline.drift" ? "Drift" : "Plan";
  const counted = counts(document);
  const sentence = `${name}: ${counted.length === 0 ? "nothing to compare" : counted.join(", ")}.`;
  const steps = options.next === false ? [] : nextSteps(document);
  return [paint("bold", sentence), ...steps, ...footer];
}
