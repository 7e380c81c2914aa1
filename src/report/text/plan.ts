import { pasteable, stepLines, toRunnable } from "../command.ts";
import { unmanagedAddress, type PlanDocument, type ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { command } from "../../model/command.ts";
import { isRemoval, type Blocked } from "../../model/change.ts";
import { isShared, type SharedBlock, sharedBlocks } from "../shared-blocks.ts";
import { ACTIONS, isShown, markOf, modifiedText, nameText } from "../change-phrases.ts";
import { ruleText } from "../rule-reasons.ts";
import { type Link, linker } from "../hyperlinks.ts";
import type { RenderOptions } from "../options.ts";
import { quoted } from "../../model/quote.ts";
import { sanitize } from "../escape.ts";
import { type Paint, painter } from "../color.ts";
import { columns, INDENT, columnWidth, padText, textWidth } from "../width.ts";
import { wrapLines, wrapList, wrapWords } from "../wrap.ts";
import { nextSteps, savedStep } from "../next-steps.ts";
import {
  cleanText,
  counts,
  isClean,
  legend,
  notReadText,
  removableText,
  undeclaredCount,
  warningCount,
} from "../summary.ts";
import { type ChangeGroup, groupChanges, commonAddress } from "../change-groups.ts";
import { startWork } from "../diff/text-diff.ts";
import { leftOutText, type ShownEffects, shownEffects } from "../effect/words.ts";
import { effectLines } from "./effect.ts";
import { fieldLines, type FieldLayout } from "./fields.ts";

/** A plan or a drift report as text for a terminal. */
export function planText(document: PlanDocument, options: RenderOptions): string {
  const paint = painter(options);
  const shown = document.changes.filter(isShown);
  const layout = {
    type: document.type,
    width: columns(options),
    paint,
    color: options.color,
    work: startWork(),
    shared: sharedBlocks(shown),
    effects: shownEffects(document),
    link: linker(options),
  };
  if (options.detail === "line")
    return `${closing(document, { color: options.color, showsNextSteps: false }, { ...layout, width: Infinity }).join("\n")}\n`;
  const blocks = [
    heading(document, shown, layout),
    ...(options.detail === "summary"
      ? []
      : [
          changeBlocks(groupChanges(shown, { ...options, effects: layout.effects }), layout),
          ...layout.shared.map((one) => sharedLines(one, layout)),
          leftOutText(document).flatMap((sentence) => wrapWords(sentence, layout.width)),
        ]),
    options.unmanaged === true ? unmanagedLines(document, options) : [],
    options.verbose === true ? moreLines(document, paint) : [],
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
  { paint, width }: FieldLayout,
): readonly string[] {
  if (shown.length === 0) return [];
  const isDrift = type === "driftline.drift";
  const only = options.only.length === 0 ? [] : [`Limited to ${sanitize(options.only.join(", "))}.`];
  const symbols = wrapList(legend(shown, type), width, "   ");
  // The signs of fields mean something else than the symbols of resources.
  const signs = isDrift && shown.some(hasSides) ? ["In fields, - is the live value and + the declared one."] : [];
  return [
    paint("bold", `${isDrift ? "Drift on" : "Plan for"} ${sanitize(url)}`),
    ...[...only, ...symbols, ...signs].map((line) => paint("dim", line)),
  ];
}

function hasSides({ action, fields }: ShownChange): boolean {
  return action !== "create" && fields.length > 0;
}

interface Layout extends FieldLayout {
  /** Said once, below all changes. */
  readonly shared: readonly SharedBlock[];
  readonly effects: ShownEffects;
  readonly link: Link;
}

function changeBlocks(groups: readonly ChangeGroup[], layout: Layout): readonly string[] {
  const single = groups.filter(({ length }) => length === 1).map(([change]) => change);
  const widths = {
    address: columnWidth(single.map(labelOf)),
    kind: columnWidth(single.map(({ kind }) => sanitize(kind))),
  };
  const lines: string[] = [];
  let isTall = false;
  for (const group of groups) {
    const block = group.length === 1 ? changeLines(group[0], widths, layout) : groupLines(group, layout);
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

function changeLines(change: ShownChange, widths: Widths, layout: Layout): readonly string[] {
  const label = labelOf(change);
  const gap = " ".repeat(Math.max(0, widths.address - textWidth(label)));
  const rest = `${gap}  ${padText(sanitize(change.kind), widths.kind)}`;
  const head = { plain: label + rest, painted: paintLabel(change, layout) + rest };
  const reason = reasonText(change, layout) + modifiedIn(change, layout);
  return [...headLines(change, head, reason, layout), ...detailLines(change, layout)];
}

/** What a block begins with. The reason stands behind the head if it fits there, else below it. */
function headLines(
  change: ShownChange,
  { plain, painted }: { readonly plain: string; readonly painted: string },
  reason: string,
  { paint, width }: Layout,
): readonly string[] {
  const start = `${symbolOf(change, paint)} ${painted}`;
  const words = change.command === undefined ? [] : [`\`${pasteable(change.command)}\``];
  const all = [sanitize(reason), ...words].join(" ");
  if (INDENT.length + textWidth(plain) + textWidth(all) <= width) return [`${start}  ${paintReason(all, paint)}`];
  // A command has a line of its own, which is not wrapped, because a user copies it.
  const below = [...wrapWords(sanitize(reason), width - INDENT.length), ...words];
  return [start.trimEnd(), ...below.map((line) => INDENT + paintReason(line, paint))];
}

/** What stands below the line of a change. */
function detailLines(change: ShownChange, layout: Layout): readonly string[] {
  const effect = effectLines(layout.effects.get(change.address), layout);
  return [...fieldLines(change, layout), ...effect, ...blockedLines(change, layout)];
}

/** The address, followed by the object's name if the address does not say it. */
function labelOf(change: ShownChange): string {
  return `${sanitize(change.address)} ${nameText(change)}`.trimEnd();
}

function paintLabel(change: ShownChange, { paint, link }: Layout): string {
  const name = nameText(change);
  return link(paint("bold", sanitize(change.address)), change.link) + (name === "" ? "" : ` ${name}`);
}

/** Equal changes: what they do, once, and the addresses of all of them. */
function groupLines(group: ChangeGroup, layout: Layout): readonly string[] {
  const [change] = group;
  const common = commonAddress(group);
  const place = common === "" ? "" : ` in ${sanitize(common)}`;
  const count = plural(group.length, sanitize(change.kind)) + place;
  const head = { plain: count, painted: layout.paint("bold", count) };
  return [
    ...headLines(change, head, reasonText(change, layout), layout),
    ...detailLines(change, layout),
    ...groupMembers(group, layout).map((line) => INDENT + line),
  ];
}

/** What a group consists of. Each removal has a line of its own, with its sign. */
function groupMembers(group: ChangeGroup, layout: Layout): readonly string[] {
  const { paint, width, link } = layout;
  const { length } = commonAddress(group);
  const labels = group.map((one) => {
    const label = [link(sanitize(one.address.slice(length)), one.link), nameText(one)].join(" ").trimEnd();
    return label + sanitize(modifiedIn(one, layout));
  });
  return group[0].action === "delete"
    ? labels.map((label) => `${paint("red", "-")} ${label}`)
    : wrapList(labels, width - INDENT.length);
}

function paintReason(text: string, paint: Paint): string {
  if (!text.startsWith(BLOCKED)) return paint("dim", text);
  return paint("red", BLOCKED) + paint("dim", text.slice(BLOCKED.length));
}

function symbolOf(change: ShownChange, paint: Paint): string {
  const { symbol, style } = markOf(change);
  return paint(style, symbol.padStart(5));
}

const BLOCKED = "blocked";

/** The reason, after the words that the symbol does not show: the action, that it is blocked, or how the live object differs. */
function reasonText(change: ShownChange, { type, shared }: Layout): string {
  const { action, blocked, reason } = change;
  const isDrift = type === "driftline.drift";
  if (blocked === null) return isDrift ? `${ACTIONS[action].drift}: ${reason}` : reason;
  const isBelow = isShared(blocked, shared);
  const rule = isBelow ? ` (${blocked.rule})` : "";
  const isSaid = isBelow || isRemoval(change);
  if (isDrift) return `${ACTIONS[action].drift}${isBelow ? `, apply is ${BLOCKED}${rule}` : ""}: ${reason}`;
  // Only the symbol of a removal shows the action.
  const words = [...(isRemoval(change) ? [] : [ACTIONS[action].verb]), ...(isSaid ? [`${BLOCKED}${rule}`] : [])];
  return `${words.join(", ")}: ${reason}`;
}

function modifiedIn(change: ShownChange, { type }: FieldLayout): string {
  return type === "driftline.drift" ? modifiedText(change) : "";
}

function blockedLines({ blocked }: ShownChange, layout: Layout): readonly string[] {
  if (blocked === null || isShared(blocked, layout.shared)) return [];
  const what = `${layout.type === "driftline.drift" ? "apply is blocked" : BLOCKED} (${sanitize(blocked.rule)})`;
  return ruleLines(what, blocked, layout).map((line) => INDENT + line);
}

/** A block that several changes have. */
function sharedLines({ blocked, count }: SharedBlock, layout: Layout): readonly string[] {
  const what = layout.type === "driftline.drift" ? "differences, apply is blocked" : "changes are blocked";
  return ruleLines(`${String(count)} ${what} (${sanitize(blocked.rule)})`, blocked, layout);
}

function ruleLines(what: string, blocked: Blocked, { paint, width }: Layout): readonly string[] {
  const [first = "", ...rest] = wrapLines(`${what}: ${ruleText(blocked)}`, width - INDENT.length);
  return [
    `${paint("red", first.slice(0, what.length))}${first.slice(what.length)}`,
    ...rest,
    ...stepLines({ text: `to go ahead: ${blocked.remedy}`.trim(), command: blocked.command }, width - INDENT.length),
  ];
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
  const words = toRunnable(command("import", {}, unmanagedAddress(first)), options);
  return [
    `${painter(options)("bold", "Unmanaged")} (not declared, left alone)`,
    ...lines,
    ...stepLines({ text: "To declare the first one:", command: words }, columns(options)),
  ];
}

function moreLines({ changes }: PlanDocument, paint: Paint): readonly string[] {
  const lines = changes.flatMap(({ address, more = [] }) =>
    more.length === 0 ? [] : [`      ${sanitize(address)}  live has more: ${sanitize(more.join(", "))}`],
  );
  return lines.length === 0 ? [] : [`${paint("bold", "Not compared")} (live keys that are not declared)`, ...lines];
}

function closing(document: PlanDocument, options: RenderOptions, { paint, width }: FieldLayout): readonly string[] {
  const count = warningCount(document);
  const warnings = count === 0 ? "" : ` ${plural(count, "warning")}.`;
  const footer = options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))];
  const more =
    options.showsNextSteps === false
      ? []
      : [
          ...unmanagedSteps(document, options, width),
          ...undeclaredSteps(document, options, width),
          ...removableText(document).flatMap((sentence) => wrapWords(sentence, width)),
        ];
  if (isClean(document)) {
    const saved = options.savedAs === undefined ? [] : stepLines(savedStep(options.savedAs, undefined), width);
    return [
      ...wrapWords(cleanText(document) + warnings, width).map((line) => paint("green", line)),
      ...more,
      ...saved,
      ...footer,
    ];
  }
  const name = document.type === "driftline.drift" ? "Drift" : "Plan";
  const counted = counts(document);
  const sentence = `${name}: ${counted.length === 0 ? "nothing to compare" : counted.join(", ")}.${warnings}`;
  const steps =
    options.showsNextSteps === false ? [] : nextSteps(document, options).flatMap((step) => stepLines(step, width));
  return [...wrapLines(sentence, width).map((line) => paint("bold", line)), ...steps, ...more, ...footer];
}

/** How to see the unmanaged objects that a drift report only counts, and those that it has not read. A plan is not about them. */
function unmanagedSteps(document: PlanDocument, options: RenderOptions, width: number): readonly string[] {
  const { type, summary } = document;
  const notRead = notReadText(document);
  const hasMore = notRead.length > 0 || (type === "driftline.drift" && summary.unmanaged > 0);
  const what = notRead.length > 0 ? "all unmanaged objects" : `the ${plural(summary.unmanaged, "unmanaged object")}`;
  const words = toRunnable(command("drift", { unmanaged: true }), options);
  return [
    ...notRead.flatMap((sentence) => wrapWords(sentence, width)),
    ...(hasMore && options.unmanaged !== true ? stepLines({ text: `To list ${what}:`, command: words }, width) : []),
  ];
}

/** How to declare the live keys that a drift report only counts. */
function undeclaredSteps(document: PlanDocument, options: RenderOptions, width: number): readonly string[] {
  const count = undeclaredCount(document);
  if (count === 0) return [];
  const words = toRunnable(command("drift", { accept: true }), options);
  return stepLines({ text: `To declare the ${plural(count, "undeclared key")}:`, command: words }, width);
}
