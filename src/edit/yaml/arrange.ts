/**
 * The splices that give a mapping other members, or a list other elements.
 *
 * Terms: a piece is the text of a member or an element, with the comments that go with it. A gap is what stands before it, behind the
 * piece before. A row is a piece that stays, one that goes, or a new text.
 * Premise: what stays is not written again, so that other edits may change it.
 * Algorithm: put the rows in their order, each old one behind its gap. Then replace what stands between the pieces that stay.
 */
import { isMap, type YAMLMap, type YAMLSeq } from "yaml";
import { indentOf } from "./flow.ts";
import { UneditableError } from "./uneditable.ts";
import { columnOf, commentsIn, isFirstOnLine, type Range, type SourceText, type Splice } from "./source-text.ts";

export type Row =
  | { readonly type: "kept" | "gone"; readonly index: number }
  /** `lead` is what stands before it between brackets. */
  | { readonly type: "new"; readonly text: string; readonly isMoved?: boolean; readonly lead?: string | undefined };

type ArrangedPart = string | Range;

/** Puts the rows into a collection. At least one of them is there. @throws UneditableError if a comment would come to another one */
export function arrange(
  source: SourceText,
  node: YAMLMap | YAMLSeq,
  pieces: readonly Range[],
  rows: readonly Row[],
): readonly Splice[] {
  if (rows.length === pieces.length && rows.every(({ type }) => type === "kept")) return [];
  return node.flow === true
    ? arrangeBrackets(source, (node.range?.[0] ?? 0) + 1, pieces, rows)
    : arrangeLines(source, pieces, rows, isMap(node));
}

/** The splices that put texts between the ranges that stay. */
function between(text: string, { from, to }: Range, parts: readonly ArrangedPart[]): readonly Splice[] {
  const splices: Splice[] = [];
  let [at, added] = [from, ""];
  for (const part of [...parts, { from: to, to }])
    if (typeof part === "string") added += part;
    else {
      if (added !== text.slice(at, part.from)) splices.push({ from: at, to: part.from, text: added });
      [at, added] = [part.to, ""];
    }
  return splices;
}

/** @param keeps whether the comments with lines of their own stay if their piece goes */
function arrangeLines(
  source: SourceText,
  pieces: readonly Range[],
  rows: readonly Row[],
  keeps: boolean,
): readonly Splice[] {
  const { text } = source;
  const [from, to] = [pieces[0]?.from ?? 0, pieces.at(-1)?.to ?? 0];
  let next = 0;
  const parts = rows.flatMap((row): readonly ArrangedPart[] => {
    if (row.type === "new") return [withoutLineEnd(row.text), "\n"];
    const piece = pieces[row.index] ?? { from, to };
    const comments = row.type === "gone" && keeps ? commentsIn(source, piece.from, piece.to) : "";
    // What stands before an element that goes, or that is at another place now, stays only if it has a comment.
    const gaps = pieces.slice(next, row.index + 1).map((before, index, { length }) => {
      const gap = text.slice(pieces[next + index - 1]?.to ?? from, before.from);
      const isBeforePiece = index === length - 1 && (row.type === "kept" || comments !== "");
      return isBeforePiece || gap.includes("#") ? gap : "";
    });
    next = row.index + 1;
    return [...gaps, row.type === "gone" ? comments : piece];
  });
  const written = fromDash(
    text,
    from,
    parts.filter((part) => part !== ""),
  );
  if (text[to - 1] === "\n") return between(text, { from, to }, written);
  // The last line has no end.
  const ended = written.flatMap((part, index) => {
    if (index === written.length - 1)
      return typeof part === "string"
        ? [withoutLineEnd(part)]
        : [{ ...part, to: part.from + withoutLineEnd(text.slice(part.from, part.to)).length }];
    return typeof part !== "string" && part.to === to ? [part, "\n"] : [part];
  });
  return between(text, { from, to }, ended);
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

/** The first piece may stand behind the dash of an outer list, on one line. Then the first part takes that place. */
function fromDash(text: string, from: number, parts: readonly ArrangedPart[]): readonly ArrangedPart[] {
  if (isFirstOnLine(text, from)) return parts;
  const [first = "", ...rest] = parts;
  const start = typeof first === "string" ? first : text.slice(first.from, first.to);
  if (start.trimStart().startsWith("#")) return ["\n", ...parts];
  if (typeof first !== "string") return [{ ...first, from: first.from + start.search(/\S/) }, ...rest];
  const indent = " ".repeat(columnOf(text, from));
  return [
    start.trimStart(),
    ...rest.flatMap((part) => (typeof part !== "string" && part.from === from ? [indent, part] : [part])),
  ];
}

/** A piece between brackets. The comment behind it, on its line, goes with it. */
interface BracketPiece extends Range {
  readonly gap: string;
  readonly comma: string;
  readonly comment: string;
  /** Where the comment ends. */
  readonly end: number;
}

/** The pieces, with what stands around each. */
function bracketPieces(text: string, open: number, pieces: readonly Range[]): readonly BracketPiece[] {
  let at = open;
  return pieces.map(({ from, to }): BracketPiece => {
    const [tail = "", comma = ""] = /^([ \t]*,)?(?:[ \t]+#[^\r\n]*)?/.exec(text.slice(to)) ?? [];
    const gap = text.slice(at, from);
    at = to + tail.length;
    return { from, to, gap, comma, comment: tail.slice(comma.length), end: at };
  });
}

function arrangeBrackets(
  source: SourceText,
  open: number,
  pieces: readonly Range[],
  rows: readonly Row[],
): readonly Splice[] {
  const { text, step } = source;
  const places = bracketPieces(text, open, pieces);
  if (rows.some((row) => row.type === "new" && row.isMoved === true)) requireNoComments(places);
  const [head, last] = [places[0], places.at(-1)];
  if (head === undefined || last === undefined) return [];
  const lined = [head, last].find(({ from }) => isFirstOnLine(text, from));
  const line = `\n${" ".repeat(lined === undefined ? indentOf(text, head.from) + step : columnOf(text, lined.from))}`;
  const parts: ArrangedPart[] = [];
  let [apart, comment] = ["", ""];
  let before: Row | undefined;
  for (const row of rows)
    if (row.type === "gone") apart += commentsOf(source, places[row.index] ?? head);
    else {
      const place = row.type === "kept" ? places[row.index] : undefined;
      const lead = leadOf(text, places, row, { isFirst: before === undefined, apart, line });
      const needsLine = (comment !== "" || apart !== "") && !/^[ \t]*\r?\n/.test(lead);
      const gap = (before === undefined ? "" : ",") + comment + apart + (needsLine ? line : lead);
      const isNext = row.type === "kept" && before?.type === "kept" && before.index + 1 === row.index;
      parts.push(isNext ? { from: places[row.index - 1]?.to ?? open, to: place?.from ?? open } : gap);
      parts.push(place ?? (row.type === "new" ? row.text : ""));
      [apart, before, comment] = ["", row, place?.comment ?? ""];
    }
  const end = last.comma + comment + apart;
  // A bracket must not become a part of the comment before it.
  const isInComment = end.includes("#") && !/^[ \t]*\r?(?:\n|$)/.test(text.slice(last.end));
  parts.push(isInComment ? `${end}\n${" ".repeat(indentOf(text, last.to))}` : end);
  return between(text, { from: open, to: last.end }, parts);
}

/** What stands before a piece. */
function leadOf(
  text: string,
  places: readonly BracketPiece[],
  row: Row,
  { isFirst, apart, line }: { readonly isFirst: boolean; readonly apart: string; readonly line: string },
): string {
  const [{ gap: start = "", from = 0 } = {}, last] = [places[0], places.at(-1)];
  // A comment on the line of the bracket is about the whole.
  const bracket = /^[ \t]*(?:#[^\r\n]*)?/.exec(start)?.[0] ?? "";
  if (row.type === "new") {
    const isLined = isFirstOnLine(text, from) && (isFirst || isFirstOnLine(text, last?.from ?? 0));
    const lead = isFirst ? (apart === "" ? bracket : "") : " ";
    return row.lead ?? (isLined ? lead.trimEnd() + line : lead);
  }
  const gap = places[row.index]?.gap ?? "";
  if (row.index === 0 && !isFirst) return gap.slice(bracket.length) || " ";
  return isFirst && !/[\n#]/.test(gap) && !start.includes("#") ? start : gap;
}

/** The comments that stay if a piece goes: those before it, and those in it that have lines of their own. */
function commentsOf(source: SourceText, { from, end, gap }: BracketPiece): string {
  const inside = commentsIn(source, from, end).replace(/\r?\n$/, "");
  return (gap.includes("#") ? gap.replace(/\r?\n[ \t]*$/, "") : "") + (inside === "" ? "" : `\n${inside}`);
}

/** Elements move away from comments between brackets. @throws UneditableError */
function requireNoComments(places: readonly BracketPiece[]): void {
  // A comment on the line of the bracket is about the whole list.
  const texts = places.flatMap(({ gap, comment }, index) => [index === 0 ? gap.replace(/^[^\n]*/, "") : gap, comment]);
  if (texts.some((one) => one.includes("#")))
    throw new UneditableError("its elements would move away from their comments", places[0]?.from);
}
