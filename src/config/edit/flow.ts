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

/** Adds a piece behind another one between brackets. If pieces have lines of their own, the new one gets one, too. */
export function afterFlow(source: SourceText, first: number, end: number, piece: string): readonly Splice[] {
  const { text } = source;
  const line = lineStart(text, first);
  const rest = /^[ \t]*(,?)[ \t]*(?:#[^\n]*)?\r?\n/.exec(text.slice(end));
  if (!isBlank(text.slice(line, first)) || rest === null) return [{ from: end, to: end, text: `, ${piece}` }];
  const isLast = /^\s*(?:#[^\n]*\n\s*)*[\]}]/.test(text.slice(end + rest[0].length));
  const comma = isLast && rest[1] === "" ? "" : ",";
  const added = {
    from: end + rest[0].length,
    to: end + rest[0].length,
    text: `${text.slice(line, first)}${piece}${comma}\n`,
  };
  return rest[1] === "" ? [{ from: end, to: end, text: "," }, added] : [added];
}
