import { diffArrays, diffWordsWithSpace } from "diff";

/** A line of a hunk. ` ` stands for a line of both texts. It has no line break, and is not sanitized. */
export interface HunkLine {
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

/** A stretch of lines that differ, with lines around it. */
export interface Hunk {
  /** Number of the first line in each text. Starts at 1. */
  readonly priorStart: number;
  readonly plannedStart: number;
  readonly lines: readonly HunkLine[];
}

/** A piece of a text. Pieces that are not in the other text differ. */
export interface TextPart {
  readonly text: string;
  readonly differs: boolean;
}

/** Lines of both texts around those that differ. */
const CONTEXT = 3;
/** Texts with more edits than this are shown as removed and added as a whole. It bounds the time. */
const MAX_LINE_EDITS = 1_500;
const MAX_WORD_EDITS = 1_000;

/** Returns the lines that differ, in hunks with three lines of context. Joined by line breaks, the lines are the text again. */
export function diffLines(prior: string, planned: string): readonly Hunk[] {
  return hunksOf(signedLines(prior.split("\n"), planned.split("\n")));
}

function signedLines(prior: string[], planned: string[]): readonly HunkLine[] {
  const signed = (lines: readonly string[], sign: HunkLine["sign"]): readonly HunkLine[] =>
    lines.map((text) => ({ sign, text }));
  const parts = diffArrays(prior, planned, { maxEditLength: MAX_LINE_EDITS });
  if (parts === undefined) return [...signed(prior, "-"), ...signed(planned, "+")];
  return parts.flatMap(({ value, removed, added }) => signed(value, removed ? "-" : added ? "+" : " "));
}

function hunksOf(lines: readonly HunkLine[]): readonly Hunk[] {
  const isShown = lines.map(() => false);
  lines.forEach(({ sign }, index) => {
    if (sign !== " ") isShown.fill(true, Math.max(0, index - CONTEXT), index + CONTEXT + 1);
  });
  const hunks: (Hunk & { readonly lines: HunkLine[] })[] = [];
  let [priorLine, plannedLine] = [1, 1];
  lines.forEach((line, index) => {
    if (isShown[index] === true && isShown[index - 1] !== true)
      hunks.push({ priorStart: priorLine, plannedStart: plannedLine, lines: [] });
    if (isShown[index] === true) hunks.at(-1)?.lines.push(line);
    if (line.sign !== "+") priorLine += 1;
    if (line.sign !== "-") plannedLine += 1;
  });
  return hunks;
}

/** Returns the pieces of both texts, so that the words that differ can be marked. Joined, the pieces are the texts again. */
export function diffWords(prior: string, planned: string): readonly [readonly TextPart[], readonly TextPart[]] {
  const parts = diffWordsWithSpace(prior, planned, { maxEditLength: MAX_WORD_EDITS });
  if (parts === undefined) return [[{ text: prior, differs: true }], [{ text: planned, differs: true }]];
  const side = (other: "added" | "removed"): readonly TextPart[] =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, differs: added || removed }));
  return [side("added"), side("removed")];
}
