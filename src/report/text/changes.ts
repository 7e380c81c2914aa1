import { pasteable, stepLines } from "../command.ts";
import type { ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { isRemoval, type Blocked } from "../../model/change.ts";
import { isShared, type SharedBlock } from "../shared-blocks.ts";
import { ACTIONS, labelText, markOf, modifiedText, nameText } from "../change-phrases.ts";
import { ruleText } from "../../model/rule-reasons.ts";
import type { Link } from "../hyperlinks.ts";
import { sanitize } from "../../model/quote.ts";
import type { Paint } from "../color.ts";
import { INDENT, columnWidth, type ColumnWidths, padText, textWidth } from "../width.ts";
import { wrapLines, wrapList, wrapWords } from "../wrap.ts";
import { type ChangeGroup, commonAddress, withoutLine } from "../change-groups.ts";
import type { ShownEffects } from "../effect/words.ts";
import { removedInLine } from "../diff/entries.ts";
import { effectLines } from "./effect.ts";
import { fieldLines, type FieldLayout } from "./fields.ts";

/** How the changes of a document are laid out. */
export interface ChangeLayout extends FieldLayout {
  /** Said once, below all changes. */
  readonly shared: readonly SharedBlock[];
  readonly effects: ShownEffects;
  readonly link: Link;
}

/** The changes, in groups of equal ones. */
export function changeBlocks(groups: readonly ChangeGroup[], layout: ChangeLayout): readonly string[] {
  const single = groups.filter(({ length }) => length === 1).map(([change]) => change);
  const widths = {
    address: columnWidth(single.map(labelText)),
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

function changeLines(change: ShownChange, widths: ColumnWidths, layout: ChangeLayout): readonly string[] {
  const label = labelText(change);
  const blanks = " ".repeat(Math.max(0, widths.address - textWidth(label)));
  const rest = `${blanks}  ${padText(sanitize(change.kind), widths.kind)}`;
  const head = { plain: label + rest, painted: paintLabel(change, layout) + rest };
  const reason = reasonText(change, layout) + modifiedIn(change, layout);
  return [...headLines(change, head, reason, layout), ...detailLines(change, layout)];
}

/** What a block begins with. The reason stands behind the head if it fits there, else below it. */
function headLines(
  change: ShownChange,
  { plain, painted }: { readonly plain: string; readonly painted: string },
  reason: string,
  { paint, width }: ChangeLayout,
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
function detailLines(change: ShownChange, layout: ChangeLayout): readonly string[] {
  const effect = effectLines(layout.effects.get(change.address), layout);
  return [...fieldLines(change, layout), ...effect, ...blockedLines(change, layout)];
}

function paintLabel(change: ShownChange, { paint, link }: ChangeLayout): string {
  const name = nameText(change);
  return link(paint("bold", sanitize(change.address)), change.link) + (name === "" ? "" : ` ${name}`);
}

/** Equal changes: what they do, once, and the addresses of all of them. */
function groupLines(group: ChangeGroup, layout: ChangeLayout): readonly string[] {
  const [change] = group;
  const common = commonAddress(group);
  const place = common === "" ? "" : ` in ${sanitize(common)}`;
  const count = plural(group.length, sanitize(change.kind)) + place;
  const head = { plain: count, painted: layout.paint("bold", count) };
  return [
    ...headLines(change, head, reasonText(change, layout), layout),
    ...detailLines(withoutLine(change), layout),
    ...groupMembers(group, layout).map((line) => INDENT + line),
  ];
}

/** What a group consists of. Each removal has a line of its own, with its sign. */
function groupMembers(group: ChangeGroup, layout: ChangeLayout): readonly string[] {
  const { paint, width, link } = layout;
  const { length } = commonAddress(group);
  const labels = group.map((one) => {
    const label = [link(sanitize(one.address.slice(length)), one.link), nameText(one)].join(" ").trimEnd();
    return label + sanitize(modifiedIn(one, layout));
  });
  if (group[0].action !== "delete") return wrapList(labels, width - INDENT.length);
  return group.flatMap((one, index) => {
    const [label = "", removed = ""] = [labels[index], removedInLine(one)];
    const isFitting = removed !== "" && textWidth(`${labelText(one)}    ${removed}`) <= width - INDENT.length;
    const lines = isFitting ? [`${label}  ${removed}`] : [label, ...wrapWords(removed, width - INDENT.length - 2)];
    return lines.map((line, number) => (number === 0 ? `${paint("red", "-")} ${line}` : `  ${line}`));
  });
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
function reasonText(change: ShownChange, { type, shared }: ChangeLayout): string {
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

function blockedLines({ blocked }: ShownChange, layout: ChangeLayout): readonly string[] {
  if (blocked === null || isShared(blocked, layout.shared)) return [];
  const what = `${layout.type === "driftline.drift" ? "apply is blocked" : BLOCKED} (${sanitize(blocked.rule)})`;
  return ruleLines(what, blocked, layout).map((line) => INDENT + line);
}

/** A block that several changes have. */
export function sharedLines({ blocked, count }: SharedBlock, layout: ChangeLayout): readonly string[] {
  const what = layout.type === "driftline.drift" ? "differences, apply is blocked" : "changes are blocked";
  return ruleLines(`${String(count)} ${what} (${sanitize(blocked.rule)})`, blocked, layout);
}

function ruleLines(what: string, blocked: Blocked, { paint, width }: ChangeLayout): readonly string[] {
  const [first = "", ...rest] = wrapLines(`${what}: ${ruleText(blocked)}`, width - INDENT.length);
  return [
    `${paint("red", first.slice(0, what.length))}${first.slice(what.length)}`,
    ...rest,
    ...stepLines({ text: `to go ahead: ${blocked.remedy}`.trim(), command: blocked.command }, width - INDENT.length),
  ];
}
