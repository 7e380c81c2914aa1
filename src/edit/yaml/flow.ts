import type { Node } from "yaml";
import type { Value } from "../../model/json.ts";
import {
  formatFlow,
  formatInline,
  formatMembers,
  hasComment,
  isNonEmptyCollection,
  MAX_LINE,
  type ValueMember,
} from "./format.ts";
import {
  columnOf,
  commentsIn,
  isFirstOnLine,
  lineStart,
  nextLine,
  type Range,
  type SourceText,
  type Splice,
} from "./source-text.ts";

/**
 * Removes pieces between brackets, with their commas and the comments behind them. At least one other piece stays. Comments that
 * have a line of their own stay.
 */
export function removeFlow(source: SourceText, gone: readonly number[], pieces: readonly Range[]): readonly Splice[] {
  const { text } = source;
  const stays = pieces.findLastIndex((_, index) => !gone.includes(index));
  const splices = pieces.slice(0, stays).flatMap(({ from, to }, index): readonly Splice[] => {
    if (!gone.includes(index)) return [];
    const next = pieces[index + 1]?.from ?? to;
    const [line, end] = [lineStart(text, from), tailOf(text, to).end];
    if (isFirstOnLine(text, from) && isLineEnd(text, end))
      return [{ from: line, to: nextLine(text, end), text: commentsIn(source, line, end) }];
    return [{ from, to: text.slice(end, next).trim() === "" ? next : end, text: "" }];
  });
  const [kept, last] = [pieces[stays], pieces.at(-1)];
  return kept === undefined || last === undefined || kept === last
    ? splices
    : [...splices, ...removeRest(source, kept.to, last.to)];
}

/** Removes all pieces behind one that ends at `from`. The comment behind that one stays. */
function removeRest(source: SourceText, from: number, to: number): readonly Splice[] {
  const { text } = source;
  const [tail, lastTail] = [tailOf(text, from), tailOf(text, to)];
  const comments = commentsIn(source, nextLine(text, tail.end), lastTail.end);
  const endsInComment = comments !== "" || tail.end > tail.commaEnd;
  // A bracket must not become a part of the comment before it.
  const close = endsInComment && !isLineEnd(text, lastTail.end) ? `\n${" ".repeat(indentOf(text, to))}` : "";
  const hasTrailingComma = lastTail.commaEnd > to;
  return [
    { from, to: hasTrailingComma ? from : tail.commaEnd, text: "" },
    { from: tail.end, to: lastTail.end, text: (comments === "" ? "" : `\n${comments.trimEnd()}`) + close },
  ];
}

/** Where the comma behind a piece ends, and the comment behind that on the same line. */
export function tailOf(text: string, end: number): { readonly commaEnd: number; readonly end: number } {
  const [all = "", comma = ""] = /^([ \t]*,)?(?:[ \t]+#[^\r\n]*)?/.exec(text.slice(end)) ?? [];
  return { commaEnd: end + comma.length, end: end + all.length };
}

/** Whether nothing else is on the line. */
function isLineEnd(text: string, offset: number): boolean {
  return /^[ \t]*\r?(?:\n|$)/.test(text.slice(offset));
}

/** Adds a piece before the first one between brackets. */
export function beforeFlow(text: string, start: number, piece: string): Splice {
  const line = lineStart(text, start);
  return {
    from: start,
    to: start,
    text: isFirstOnLine(text, start) ? `${piece},\n${text.slice(line, start)}` : `${piece}, `,
  };
}

/** Members on one line. */
export function inlineMembers(members: readonly ValueMember[], source: SourceText): string {
  return members.map(({ key, value }) => `${formatInline(key, source)}: ${formatInline(value, source)}`).join(", ");
}

/** Adds members behind the last one. If collections among them would make the line too long, each member gets its own. */
export function addToFlow(
  source: SourceText,
  first: number,
  end: number,
  members: readonly ValueMember[],
): readonly Splice[] {
  const { text, step } = source;
  const isOwnLine = isFirstOnLine(text, first);
  const indent = isOwnLine ? columnOf(text, first) : indentOf(text, end) + step;
  const column = isOwnLine ? indent : columnOf(text, end) + 2;
  const inline = inlineMembers(members, source);
  const isShort = column + inline.length <= MAX_LINE && !members.some(({ value }) => hasComment(value, source));
  if (isShort || !members.some(({ value }) => isNonEmptyCollection(value)))
    return afterFlow(source, first, end, { text: inline });
  const lines = formatMembers(members, indent, source).join(`,\n${" ".repeat(indent)}`);
  return afterFlow(source, first, end, { text: lines, separator: `\n${" ".repeat(indent)}` });
}

/** A value in the place of one that stands between brackets, those of `outer`. */
export function flowAt(source: SourceText, at: number, value: Value, outer: Node): string {
  const { text, step } = source;
  const indent = indentOf(text, at);
  // If the line begins outside of the brackets, that may be in a block, and brackets must stand deeper than a block.
  const isInside = lineStart(text, at) + indent > (outer.range?.[0] ?? 0);
  return formatFlow(value, isInside ? indent : indent + step, columnOf(text, at), source);
}

/** Indent of the first key on the line, after list dashes. */
function indentOf(text: string, offset: number): number {
  return /^[ \t]*(?:- +)*/.exec(text.slice(lineStart(text, offset)))?.[0].length ?? 0;
}

/**
 * Adds a piece behind another one between brackets. If pieces have lines of their own, the new one gets one, too.
 *
 * @param piece `separator` stands between the comma and the text otherwise
 */
export function afterFlow(
  source: SourceText,
  first: number,
  end: number,
  { text: piece, separator = " " }: { readonly text: string; readonly separator?: string },
): readonly Splice[] {
  const { text } = source;
  const isOwnLine = isFirstOnLine(text, first);
  const tail = tailOf(text, end);
  const isCommented = tail.end > tail.commaEnd;
  if (!isCommented && !(isLineEnd(text, tail.end) && (isOwnLine || separator.startsWith("\n"))))
    return [{ from: end, to: end, text: `,${separator}${piece}` }];
  const indent = separator.startsWith("\n") && !isOwnLine ? separator.slice(1) : " ".repeat(columnOf(text, first));
  const line = `\n${indent}${piece}`;
  if (tail.commaEnd > end) return [{ from: tail.end, to: tail.end, text: `${line},` }];
  // The comment behind the last one stays on its line.
  const added = { from: tail.end, to: tail.end, text: line };
  return isCommented ? [{ from: end, to: end, text: "," }, added] : [{ ...added, text: `,${line}` }];
}
