import type { Node } from "yaml";
import type { Value } from "../../model/json/json.ts";
import {
  formatFlow,
  formatInline,
  formatMembers,
  hasComment,
  isNonEmptyCollection,
  MAX_LINE,
  type ValueMember,
} from "./format.ts";
import { columnOf, isFirstOnLine, lineStart, type SourceText } from "./source-text.ts";

/** Members on one line. */
export function inlineMembers(members: readonly ValueMember[], source: SourceText): string {
  return members.map(({ key, value }) => `${formatInline(key, source)}: ${formatInline(value, source)}`).join(", ");
}

/** Members behind another one. If collections among them would make the line too long, each member gets its own, after `lead`. */
export function flowMembers(
  source: SourceText,
  first: number,
  end: number,
  members: readonly ValueMember[],
): { readonly text: string; readonly lead?: string } {
  const isOwnLine = isFirstOnLine(source.text, first);
  const indent = isOwnLine ? columnOf(source.text, first) : indentOf(source.text, end) + source.step;
  const column = isOwnLine ? indent : columnOf(source.text, end) + 2;
  const inline = inlineMembers(members, source);
  const isShort = column + inline.length <= MAX_LINE && !members.some(({ value }) => hasComment(value, source));
  if (isShort || !members.some(({ value }) => isNonEmptyCollection(value))) return { text: inline };
  const lead = `\n${" ".repeat(indent)}`;
  return { text: formatMembers(members, indent, source).join(`,${lead}`), lead };
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
export function indentOf(text: string, offset: number): number {
  return /^[ \t]*(?:- +)*/.exec(text.slice(lineStart(text, offset)))?.[0].length ?? 0;
}
