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

/** What the comparisons of texts in one report may still cost: the squares of their edits, which their time depends on. */
export interface DiffWork {
  left: number;
}

/** The work for one report. It takes at most about a second. */
export function startWork(): DiffWork {
  return { left: 1_000_000 };
}

interface DiffPart {
  readonly added: boolean;
  readonly removed: boolean;
  readonly count: number;
}

/** Compares with at most half of the work that is left. Returns undefined if that is too little. */
function compareWithin<T extends DiffPart>(
  work: DiffWork,
  compare: (maxEdits: number) => T[] | undefined,
): T[] | undefined {
  const maxEdits = Math.floor(Math.sqrt(work.left / 2));
  const parts = compare(maxEdits);
  const edits = parts?.reduce((sum, { added, removed, count }) => sum + (added || removed ? count : 0), 0) ?? maxEdits;
  work.left -= edits ** 2;
  return parts;
}

/**
 * Returns the lines that differ, in hunks with three lines of context. Joined by line breaks, the lines are the text again. If the
 * comparison is too much work, all lines are removed and added.
 */
export function diffLines(prior: string, planned: string, work: DiffWork): readonly Hunk[] {
  return hunksOf(signedLines(prior.split("\n"), planned.split("\n"), work));
}

function signedLines(prior: string[], planned: string[], work: DiffWork): readonly HunkLine[] {
  const signed = (lines: readonly string[], sign: HunkLine["sign"]): readonly HunkLine[] =>
    lines.map((text) => ({ sign, text }));
  const parts = compareWithin(work, (maxEditLength) => diffArrays(prior, planned, { maxEditLength }));
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

/**
 * Returns the pieces of both texts, so that the words that differ can be marked. Joined, the pieces are the texts again. If the
 * comparison is too much work, each text is one piece.
 */
export function diffWords(
  prior: string,
  planned: string,
  work: DiffWork,
): readonly [readonly TextPart[], readonly TextPart[]] {
  const parts = compareWithin(work, (maxEditLength) => diffWordsWithSpace(prior, planned, { maxEditLength }));
  if (parts === undefined) return [[{ text: prior, differs: true }], [{ text: planned, differs: true }]];
  const side = (other: "added" | "removed"): readonly TextPart[] =>
    parts
      .filter((part) => !part[other])
      .map(({ value, added, removed }) => ({ text: value, differs: added || removed }));
  return [side("added"), side("removed")];
}
