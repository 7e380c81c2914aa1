import type { Diagnostic } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";
import { sanitize } from "../../model/text/quote.ts";
import type { Box, ShownGroup, GroupMember } from "../change-groups.ts";
import { type Paint, painter } from "../color.ts";
import { pasteable, stepLines } from "../command.ts";
import { renderDiagnostics } from "../diagnostics.ts";
import { sideNames } from "../effect/words.ts";
import { type Linker, linker } from "../hyperlinks.ts";
import { actionWord, type Mark, type ReportType } from "../marks.ts";
import type { RenderOptions } from "../options.ts";
import { INDENT, columns, columnWidth, type ColumnWidths, padText, textWidth } from "../width.ts";
import { wrapLines, wrapList, wrapWords } from "../wrap.ts";
import type { ShownField } from "../diff/entries.ts";
import { headingText } from "../group-fields.ts";
import { effectLines } from "./effect.ts";
import { fieldLines, type FieldLayout } from "./fields.ts";

/** How the changes of a document are laid out. */
export interface ChangeLayout<T extends ReportType = PlanDocument["type"]>
  extends FieldLayout, Pick<RenderOptions, "verbose"> {
  readonly type: T;
  readonly link: Linker;
}

export function layoutOf<T extends ReportType>(type: T, options: RenderOptions): ChangeLayout<T> {
  return {
    type,
    width: columns(options),
    paint: painter(options),
    color: options.color,
    verbose: options.verbose,
    sides: type === "driftline.drift" ? sideNames(type, options) : undefined,
    link: linker(options),
  };
}

/** The changes, in groups of equal ones. */
export function changeBlocks(groups: readonly ShownGroup[], layout: ChangeLayout): readonly string[] {
  const widths = widthsOf(groups);
  const lines: string[] = [];
  let isTall = false;
  for (const group of groups) {
    const block = groupLines(group, widths, layout);
    // An empty line separates changes that have more than one line.
    if (lines.length > 0 && (isTall || block.length > 1)) lines.push("");
    lines.push(...block);
    isTall = block.length > 1;
  }
  return lines;
}

/** The columns of groups with one change. */
export function widthsOf(groups: readonly ShownGroup[]): ColumnWidths {
  const single = groups.filter(({ members }) => members.length === 0);
  return { address: columnWidth(single.map(groupLabel)), kind: columnWidth(single.map(({ kind }) => sanitize(kind))) };
}

/** The address with its name, or how many objects there are, and where. Safe. */
export function groupLabel({ subject, name, place }: ShownGroup): string {
  return `${sanitize(subject)} ${place === "" ? name : `in ${sanitize(place)}`}`.trimEnd();
}

function groupLines(group: ShownGroup, widths: ColumnWidths, layout: ChangeLayout): readonly string[] {
  const { box, effect, members, warnings } = group;
  return [
    ...headLines(group, widths, layout),
    ...[
      ...briefFieldLines(group, layout),
      ...warningLines(warnings, { ...layout, width: layout.width - INDENT.length }),
      ...effectLines(effect, layout),
      ...(box === undefined ? [] : boxLines(box, layout)),
      ...(group.mark.tone === "delete"
        ? members.flatMap((one) => removedLines(one, layout))
        : memberLines(members, layout)),
    ].map((line) => `${INDENT}${line}`.trimEnd()),
  ];
}

/** Of more values of one field, a terminal shows the first and the last. */
const MAX_VALUES = 9;

/** The fields, without those of a missing object. How many objects get a value is said in place of their names. */
function briefFieldLines({ fields, isMissing, kind }: ShownGroup, layout: ChangeLayout): readonly string[] {
  const ofEach = isMissing ? [] : [...groupBy(fields, ({ path }) => path).values()];
  const isCut = (values: readonly ShownField[]): boolean => values.length > MAX_VALUES;
  const counts = ofEach.filter(isCut).map((values) => `${headingText(values)} (--verbose shows them)`);
  const shown = ofEach.flatMap((values) => (isCut(values) ? [values[0], ...values.slice(-1)] : values));
  const counted = shown.map((one) => (one.of.length > 1 ? { ...one, of: [plural(one.of.length, kind)] } : one));
  const width = layout.width - INDENT.length;
  return [...counts.flatMap((line) => wrapWords(line, width)), ...fieldLines(counted, layout)];
}

/** What a block begins with. The reason stands behind the head if it fits there, else below it. */
function headLines(group: ShownGroup, widths: ColumnWidths, layout: ChangeLayout): readonly string[] {
  const { changes, mark, box, note } = group;
  const { paint, width, type } = layout;
  const [start, used] = objectStart(group, widths, layout);
  // The symbol says the action, but that of a block hides it. The block itself is said below, unless several share it.
  const { action, blocked } = changes[0];
  const isSaid = type === "driftline.plan" && (blocked === null || (box !== undefined && mark.symbol !== "!"));
  const word = isSaid ? "" : box === undefined ? mark.word : actionWord(action, type);
  const text = [word, sanitize(note.text)].filter((one) => one !== "").join(": ");
  const words = note.command === undefined ? [] : [`\`${pasteable(note.command)}\``];
  const all = [text, ...words].join(" ");
  const paintReason = (line: string): string => (isSaid ? paint("dim", line) : paintWord(line, mark, paint));
  if (INDENT.length + used + textWidth(all) <= width) return [`${start}  ${paintReason(all)}`.trimEnd()];
  // A command has a line of its own, which is not wrapped, because a user copies it.
  const below = [...(text === "" ? [] : wrapWords(text, width - INDENT.length)), ...words];
  return [
    start.trimEnd(),
    ...below.map((line, index) => INDENT + (index === 0 ? paintReason(line) : paint("dim", line))),
  ];
}

/** The sign, and the object with its kind in columns, or how many objects there are; and the columns that the object takes. */
export function objectStart(
  group: ShownGroup,
  widths: ColumnWidths,
  { paint, link }: Pick<ChangeLayout, "paint" | "link">,
): readonly [start: string, used: number] {
  const { mark, subject, name, kind, members } = group;
  const label = groupLabel(group);
  const isSingle = members.length === 0;
  const rest = isSingle
    ? `${padText(label, widths.address).slice(label.length)}  ${padText(sanitize(kind), widths.kind)}`
    : "";
  const painted = isSingle
    ? `${link(paint("bold", sanitize(subject)), group.link)} ${name}`.trimEnd()
    : paint("bold", label);
  return [`${paint(mark.style, mark.symbol.padStart(5))} ${painted}${rest}`, textWidth(label + rest)];
}

/** The line with the word of its block in red. */
function paintWord(line: string, { word }: Mark, paint: Paint): string {
  const start = word.indexOf(BLOCKED);
  if (start === -1) return paint("dim", line);
  const end = start + BLOCKED.length;
  return paint("dim", line.slice(0, start)) + paint("red", line.slice(start, end)) + paint("dim", line.slice(end));
}

const BLOCKED = "blocked";

/** More objects than this are counted after the first few. What happens to them is said above. */
const MAX_MEMBERS = 30;
const FIRST_MEMBERS = 10;

/** What a group consists of. */
export function memberLines(
  members: readonly GroupMember[],
  layout: Pick<ChangeLayout, "link" | "width">,
): readonly string[] {
  const texts = members.map((one) => memberText(one, layout) + (one.note === "" ? "" : ` (${sanitize(one.note)})`));
  const left = `and ${String(texts.length - FIRST_MEMBERS)} more (--verbose lists them)`;
  const shown = texts.length <= MAX_MEMBERS ? texts : [...texts.slice(0, FIRST_MEMBERS), left];
  const width = layout.width - INDENT.length;
  return wrapList(shown, width).flatMap((line) => wrapWords(line, width));
}

function memberText({ address, name, link }: GroupMember, layout: Pick<ChangeLayout, "link">): string {
  return `${layout.link(sanitize(address), link)} ${name}`.trimEnd();
}

/** Each removal has a line of its own, with its sign. */
function removedLines(member: GroupMember, layout: ChangeLayout): readonly string[] {
  const note = sanitize(member.note);
  const width = layout.width - INDENT.length;
  const isFitting = textWidth(`- ${sanitize(member.address)} ${member.name}  ${note}`) <= width;
  const label = memberText(member, layout);
  const lines = isFitting ? [`${label}  ${note}`.trimEnd()] : [label, ...wrapWords(note, width - 2)];
  return lines.map((line, index) => `${index === 0 ? layout.paint("red", "-") : " "} ${line}`);
}

/** What is warned of changes. */
export function warningLines(
  warnings: readonly Diagnostic[],
  layout: Pick<ChangeLayout, "color" | "width" | "verbose">,
): readonly string[] {
  return warnings.length === 0 ? [] : renderDiagnostics(warnings, layout).trimEnd().split("\n");
}

/** Why something is blocked, and how to go ahead. */
export function boxLines({ lead, code, text, hint }: Box, { paint, width }: ChangeLayout): readonly string[] {
  const what = lead === "" ? sanitize(code) : `${lead} (${sanitize(code)})`;
  const [first = "", ...rest] = wrapLines(`${what}: ${sanitize(text)}`, width - INDENT.length);
  return [
    `${paint("red", first.slice(0, what.length))}${first.slice(what.length)}`,
    ...rest,
    ...(hint === undefined ? [] : stepLines(hint, width - INDENT.length)),
  ];
}
