import type { Node } from "yaml";
import type { Value } from "../../model/json.ts";
import { formatFlow, formatInline, formatMembers, hasComment, isNonEmptyCollection, MAX_LINE } from "./format.ts";
import { columnOf, commentsIn, isBlank, lineStart, type SourceText, type Splice } from "./source-text.ts";

/** Removes pieces between commas: from the start of a piece to the next one, or from the end of the one before it. */
export function removeFlow(
  source: SourceText,
  gone: readonly number[],
  starts: readonly number[],
  ends: readonly number[],
): readonly Splice[] {
  const { text } = source;
  const stays = starts.findLastIndex((_, index) => !gone.includes(index));
  return gone.flatMap((index): readonly Splice[] => {
    const [start, end] = [starts[index] ?? 0, ends[index] ?? 0];
    const line = lineStart(text, start);
    const rest = /^[ \t]*,?[ \t]*(?:#[^\n]*)?\r?(?:\n|$)/.exec(text.slice(end))?.[0];
    if (
      isBlank(text.slice(line, start)) &&
      rest !== undefined &&
      line > (starts[0] ?? 0) - 1 - columnOf(text, starts[0] ?? 0)
    )
      return [{ from: line, to: end + rest.length, text: commentsIn(source, line, end + rest.length) }];
    if (index < stays) return [{ from: start, to: starts[index + 1] ?? end, text: "" }];
    // All pieces behind the last one that stays go together.
    return index === stays + 1 ? [{ from: ends[stays] ?? start, to: ends.at(-1) ?? end, text: "" }] : [];
  });
}

/** Adds a piece before the first one between brackets. */
export function beforeFlow(text: string, start: number, piece: string): Splice {
  const line = lineStart(text, start);
  const isOwnLine = isBlank(text.slice(line, start));
  return { from: start, to: start, text: isOwnLine ? `${piece},\n${text.slice(line, start)}` : `${piece}, ` };
}

/** A member between brackets. */
interface FlowMember {
  readonly key: string;
  readonly value: Value;
}

/** Members on one line. */
export function inlineMembers(members: readonly FlowMember[]): string {
  return members.map(({ key, value }) => `${formatInline(key)}: ${formatInline(value)}`).join(", ");
}

/** Adds members behind the last one. If collections among them would make the line too long, each member gets its own. */
export function addToFlow(
  source: SourceText,
  first: number,
  end: number,
  members: readonly FlowMember[],
): readonly Splice[] {
  const { text, step } = source;
  const isOwnLine = isBlank(text.slice(lineStart(text, first), first));
  const indent = isOwnLine ? columnOf(text, first) : indentOf(text, end) + step;
  const column = isOwnLine ? indent : columnOf(text, end) + 2;
  const inline = inlineMembers(members);
  const isShort = column + inline.length <= MAX_LINE && !members.some(({ value }) => hasComment(value, source));
  if (isShort || !members.some(({ value }) => isNonEmptyCollection(value)))
    return afterFlow(source, first, end, inline);
  const lines = formatMembers(members, indent, source).join(`,\n${" ".repeat(indent)}`);
  return afterFlow(source, first, end, lines, `\n${" ".repeat(indent)}`);
}

/** A value in the place of one that stands between brackets, those of `outer`. */
export function flowAt(source: SourceText, at: number, value: Value, outer: Node): string {
  const { text, step } = source;
  const indent = indentOf(text, at);
  // If the line begins outside of the brackets, that may be in a block, and brackets must stand deeper than a block.
  const isInside = lineStart(text, at) + indent > (outer.range?.[0] ?? 0);
  return formatFlow(value, isInside ? indent : indent + step, columnOf(text, at), source);
}

/** The columns before the first key of the line, so behind the dashes of lists. */
function indentOf(text: string, offset: number): number {
  return /^[ \t]*(?:- +)*/.exec(text.slice(lineStart(text, offset)))?.[0].length ?? 0;
}

/**
 * Adds a piece behind another one between brackets. If pieces have lines of their own, the new one gets one, too.
 *
 * @param gap what stands between the comma and the piece otherwise
 */
export function afterFlow(source: SourceText, first: number, end: number, piece: string, gap = " "): readonly Splice[] {
  const { text } = source;
  const line = lineStart(text, first);
  const rest = /^[ \t]*(,?)[ \t]*(?:#[^\n]*)?\r?\n/.exec(text.slice(end));
  const isOwnLine = isBlank(text.slice(line, first));
  // The comment behind the last one stays on its line.
  if (rest === null || !(isOwnLine || gap.startsWith("\n"))) return [{ from: end, to: end, text: `,${gap}${piece}` }];
  const isLast = /^\s*(?:#[^\n]*\n\s*)*[\]}]/.test(text.slice(end + rest[0].length));
  const comma = isLast && rest[1] === "" ? "" : ",";
  const added = {
    from: end + rest[0].length,
    to: end + rest[0].length,
    text: `${isOwnLine ? text.slice(line, first) : gap.slice(1)}${piece}${comma}\n`,
  };
  return rest[1] === "" ? [{ from: end, to: end, text: "," }, added] : [added];
}
