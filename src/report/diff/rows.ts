/**
 * What a report shows below the path of a field: rows, which every text renderer lays out in its own width.
 *
 * Premise: everything that differs is shown. A value is shortened only if it is too large to read. Then
 * the number of omitted characters is shown as well.
 */
import { isJsonArray, isJsonObject, type Json, type JsonObject } from "../../model/json/json.ts";
import { plural } from "../../model/text/plural.ts";
import { isSensitive } from "../../model/secret-values.ts";
import { keyText } from "../../model/pointer.ts";
import type { Entry, WholeElement } from "./value-diff.ts";
import { diffLines, diffWords, type DiffWork, type TextPart } from "./text-diff.ts";
import type { ReportType } from "../marks.ts";
import { textWidth } from "../width.ts";
import { breakText } from "../wrap.ts";
import type { RenderOptions } from "../options.ts";
import { distinguish, flow, members, sanitizeExactly } from "../escape.ts";

/** A row below a path. Its text is sanitized. */
export interface Row {
  /** `-` for the prior side, `+` for the planned one, a space for both, `@@` where lines are left out; "" if there are no sides. */
  readonly sign: "" | " " | "-" | "+" | "@@";
  /** Levels of indent. */
  readonly depth: number;
  readonly parts: readonly TextPart[];
  /** What the text is: a line of a text with several lines, a whole text with one line, or a value with its key. */
  readonly type: "line" | "text" | "value";
}

type Sign = Row["sign"];

/** A row with one part. */
function row(sign: Sign, depth: number, text: string, type: Row["type"] = "value"): Row {
  return { sign, depth, parts: unmarkedParts(text), type };
}

/** More than this is not shown of one row, and of all rows of one path. Characters. */
const READABLE = { ofRow: 50_000, ofAll: 200_000 };

/** Cuts rows of a value that is too large to read, and says how many characters are left out, and what shows them. */
export function limitRows(rows: readonly Row[], type: ReportType): readonly Row[] {
  let [room, omitted] = [READABLE.ofAll, 0];
  const kept = rows.flatMap((one) => {
    const text = rowText(one);
    const size = Math.min(READABLE.ofRow, text.length, Math.max(0, room));
    room -= size + 1;
    omitted += text.length - size;
    if (size === text.length) return [one];
    return size === 0 ? [] : [{ ...one, parts: [{ text: text.slice(0, size), differs: false }] }];
  });
  const command = `driftline ${type === "driftline.drift" ? "drift" : "plan"} --format json`;
  const note = `${plural(omitted, "more character")} left out: ${command} shows them`;
  return omitted === 0 ? kept : [...kept, row("@@", 0, note)];
}

/** Values with at most this many characters are on one line. */
const MAX_FLOW = 60;
/** Values with more levels than this have one line for each member. */
const MAX_FLOW_LEVELS = 2;
/** Deeper values are on one line, because the indent would take all the room. */
const MAX_DEPTH = 8;

/** Whether a text has several lines. */
export function isMultiline(value: Json | undefined): value is string {
  return typeof value === "string" && value.includes("\n");
}

/** Whether a value is shown on one line. */
export function isShort(value: Json): boolean {
  if (isMultiline(value)) return false;
  return isSensitive(value) || (levels(value) <= MAX_FLOW_LEVELS && flow(value).length <= MAX_FLOW);
}

function levels(value: Json): number {
  if (!isJsonArray(value) && !isJsonObject(value)) return 0;
  const inner: readonly Json[] = Object.values(value);
  return inner.length === 0 ? 0 : 1 + Math.max(...inner.map(levels));
}

/** A value below its path, or behind its label: one row if it is short, else one row for each member. */
function rowsOfValue(value: Json, sign: Sign, depth = 0, label?: string): readonly Row[] {
  const lead = label === undefined ? "" : `${label}:`;
  if (isMultiline(value)) return [row(sign, depth, `${lead} |`.trimStart()), ...linesOfText(value, sign, depth + 1)];
  if (isShort(value) || depth >= MAX_DEPTH || !hasMembers(value)) {
    // Label and value are parts, so that {@link distinguishedRows} compares each of them.
    const parts = lead === "" ? [flow(value)] : [lead, ` ${flow(value)}`];
    return [{ sign, depth, parts: parts.flatMap(unmarkedParts), type: "value" }];
  }
  if (lead !== "") return [row(sign, depth, lead), ...rowsOfValue(value, sign, depth + 1)];
  const labels: readonly (readonly [string, Json])[] = isJsonArray(value)
    ? value.map((item, index) => [`[${index}]`, item] as const)
    : members(value as JsonObject).map(([key, item]) => [keyText(key), item] as const);
  return labels.flatMap(([name, item]) => rowsOfValue(item, sign, depth, name));
}

function hasMembers(value: Json): value is Extract<Json, object> {
  return (isJsonArray(value) || isJsonObject(value)) && !isSensitive(value) && Object.keys(value).length > 0;
}

/** The lines of a text, without a sign of their own. */
function linesOfText(text: string, sign: Sign, depth: number): readonly Row[] {
  return text.split("\n").map((line) => row(sign, depth, sanitizeExactly(line), "line"));
}

/** The rows of a difference, for an entry that does not fit behind its path. */
export function rowsOfEntry(entry: Entry, work: DiffWork): readonly Row[] {
  switch (entry.type) {
    case "whole":
      return isMultiline(entry.value) ? linesOfText(entry.value, "", 0) : rowsOfValue(entry.value, "");
    case "text":
      return rowsOfText(entry, work);
    case "set":
      return distinguishedRows([
        ...entry.removed.flatMap((item) => rowsOfValue(item, "-")),
        ...entry.added.flatMap((item) => rowsOfValue(item, "+")),
      ]);
    case "list":
      return distinguishedRows(entry.elements.flatMap(rowsOfElement));
    case "value": {
      const isSet = (value: Json | undefined): value is Json =>
        value !== undefined && !(entry.isField && value === null);
      return distinguishedRows([
        ...(isSet(entry.prior) ? rowsOfValue(entry.prior, "-") : []),
        ...(isSet(entry.planned) ? rowsOfValue(entry.planned, "+") : []),
      ]);
    }
  }
}

/** The rows, each with one part, so that no two of them look alike if they differ. */
function distinguishedRows(rows: readonly Row[]): readonly Row[] {
  const show = distinguish(rows.flatMap(({ parts }) => parts.map(({ text }) => text)));
  return rows.map((one) => ({ ...one, parts: unmarkedParts(one.parts.map(({ text }) => show(text)).join("")) }));
}

function rowsOfElement(element: WholeElement): readonly Row[] {
  switch (element.type) {
    case "added":
      return rowsOfValue(element.planned, "+", 0, `[${element.to}]`);
    case "removed":
      return rowsOfValue(element.prior, "-", 0, `[${element.from}]`);
    case "moved":
      return rowsOfValue(element.value, " ", 0, `[${element.from}] moved to [${element.to}]`);
  }
}

/** Longer texts are not compared by words. It bounds the time. */
const MAX_WORDS_LENGTH = 20_000;
/** Words are marked where at least this part of both texts is the same. Of texts with little in common, nearly everything would be marked. */
const MIN_ALIKE = 0.5;

type Parts = Row["parts"];

function markedPair(left: string, right: string, work: DiffWork): readonly [Parts, Parts] {
  if (left.length + right.length > MAX_WORDS_LENGTH) return [unmarkedParts(left), unmarkedParts(right)];
  const [prior, planned] = diffWords(left, right, work);
  const alike = [...prior, ...planned].reduce((sum, { text, differs }) => sum + (differs ? 0 : text.length), 0);
  return alike < (left.length + right.length) * MIN_ALIKE
    ? [unmarkedParts(left), unmarkedParts(right)]
    : [prior, planned];
}

function unmarkedParts(text: string): Parts {
  return [{ text, differs: false }];
}

/** The lines of two texts that differ as rows, with the lines around them. Where lines are left out, a row says which ones follow. */
function rowsOfText({ prior, planned }: Extract<Entry, { readonly type: "text" }>, work: DiffWork): readonly Row[] {
  const type = isMultiline(prior) || isMultiline(planned) ? "line" : "text";
  const hunks = diffLines(prior, planned, work);
  const show = distinguish(hunks.flatMap(({ lines }) => lines.map(({ text }) => sanitizeExactly(text))));
  return hunks.flatMap(({ priorStart, plannedStart, lines }) => {
    const rows = lines.map(({ sign, text }) => row(sign, 0, show(sanitizeExactly(text)), type));
    const where = priorStart === plannedStart ? `line ${priorStart}` : `line ${priorStart} → ${plannedStart}`;
    return [...(priorStart === 1 && plannedStart === 1 ? [] : [row("@@", 0, where)]), ...withMarks(rows, work)];
  });
}

/** In longer runs, no words are marked. It bounds the time. */
const MAX_PAIRS = 100;

/** Marks the words that differ in each pair of rows, where as many are removed as added. */
function withMarks(plain: readonly Row[], work: DiffWork): readonly Row[] {
  const rows = [...plain];
  for (let start = 0; start < rows.length; start++) {
    const count = runLength(rows, start, "-");
    if (count > 0 && count <= MAX_PAIRS && count === runLength(rows, start + count, "+")) {
      for (let index = start; index < start + count; index++) markPair(rows, index, index + count, work);
    }
    start += count;
  }
  return rows;
}

/** The number of rows with this sign from an index on. */
function runLength(rows: readonly Row[], start: number, sign: Sign): number {
  let end = start;
  while (rows[end]?.sign === sign) end++;
  return end - start;
}

function markPair(rows: Row[], from: number, to: number, work: DiffWork): void {
  const [prior, planned] = [rows[from], rows[to]];
  if (prior === undefined || planned === undefined) return;
  const [left, right] = markedPair(rowText(prior), rowText(planned), work);
  rows[from] = { ...prior, parts: withoutAlike(left) };
  rows[to] = { ...planned, parts: withoutAlike(right) };
}

/** A stretch that both sides share is shown up to here around what differs, if at least as much again is left out. Characters. */
const ALIKE = 60;

/** The parts without the middle of long stretches that do not differ: a line in which three words changed is not read twice. */
function withoutAlike(parts: Parts): Parts {
  if (!parts.some(({ differs }) => differs)) return parts;
  return parts.flatMap(({ text, differs }, index): Parts => {
    if (differs) return [{ text, differs }];
    const start = index === 0 ? 0 : endOfWord(text, ALIKE);
    const end = index === parts.length - 1 ? text.length : startOfWord(text, text.length - ALIKE);
    const omitted = end - start;
    if (omitted < 2 * ALIKE) return [{ text, differs }];
    const note = `… (${String(omitted)} characters alike) …`;
    const [before, after] = [
      start > 0 ? `${text.slice(0, start)} ` : "",
      end < text.length ? ` ${text.slice(end)}` : "",
    ];
    return [{ text: `${before}${note}${after}`, differs }];
  });
}

/** The next space from an index on, or the index if there is none nearby. */
function endOfWord(text: string, index: number): number {
  const space = text.indexOf(" ", index);
  return space === -1 || space > index + ALIKE ? wholeCharacter(text, index) : space;
}

function startOfWord(text: string, index: number): number {
  const space = text.lastIndexOf(" ", index);
  return space === -1 || space < index - ALIKE ? wholeCharacter(text, Math.max(0, index)) : space + 1;
}

/** The index, or the next one if it is between the halves of a character. */
function wholeCharacter(text: string, index: number): number {
  return /[\udc00-\udfff]/.test(text[index] ?? "") ? index + 1 : index;
}

export function rowText({ parts }: Row): string {
  return parts.map(({ text }) => text).join("");
}

/** A line of a row. A row that is too long has several; `marks` stand below the words that differ. */
export interface RowLine {
  readonly type: "first" | "rest" | "marks";
  readonly parts: readonly TextPart[];
}

/** The indent of the rest of a row that is a value. */
const HANGING = "  ";
/** The least columns for the text of a row. */
const MIN_ROOM = 24;

/** Breaks a row into lines of at most `room` columns. Output without colours has marks. */
export function linesOfRow(whole: Row, room: number, { color }: Pick<RenderOptions, "color">): readonly RowLine[] {
  const text = rowText(whole);
  const width = Math.max(MIN_ROOM, room);
  const spans = breakText(text, whole.type === "value" ? width - HANGING.length : width);
  const isMarked = !color && spans.length > (whole.type === "line" ? 1 : 0);
  return spans.flatMap(({ start, end }, index): readonly RowLine[] => {
    const type = index === 0 ? "first" : "rest";
    const own = slice(whole.parts, start, end);
    const parts = whole.type !== "value" || index === 0 ? own : [{ text: HANGING, differs: false }, ...own];
    const marks = isMarked ? marksBelow(own) : "";
    return marks === ""
      ? [{ type, parts }]
      : [
          { type, parts },
          { type: "marks", parts: [{ text: marks, differs: false }] },
        ];
  });
}

function marksBelow(parts: readonly TextPart[]): string {
  return parts
    .map(({ text, differs }) => (differs ? "^" : " ").repeat(textWidth(text)))
    .join("")
    .trimEnd();
}

/** The parts of a stretch of a text. */
function slice(parts: readonly TextPart[], start: number, end: number): readonly TextPart[] {
  let offset = 0;
  return parts.flatMap(({ text, differs }) => {
    const piece = text.slice(Math.max(0, start - offset), Math.max(0, end - offset));
    offset += text.length;
    return piece === "" ? [] : [{ text: piece, differs }];
  });
}
