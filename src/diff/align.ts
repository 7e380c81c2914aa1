/**
 * Which elements of two lists belong together.
 *
 * Terms: a run is a stretch between kept elements, with elements of one or of both lists. The similarity of two values is the
 * part of their leaves that both have, from 0 to 1.
 * Premise: people add, remove, move or edit single elements. Comparing by index would show everything behind them as changed.
 * Algorithm: keep the longest common subsequence of equal elements. In each run, pair elements that are alike, in order, so
 * that the sum of their similarity is greatest. Of the rest, an element that is removed here and added there was moved.
 */
import { diffArrays } from "diff";
import { canonicalJson, isJsonArray, isJsonObject, isSensitive, type Json } from "../model/json.ts";

/** Two elements that belong together, or one that has no partner. Indexes start at 0. */
export interface AlignedPair {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Whether the same element is at another place. */
  readonly moved: boolean;
}

/** Pairs that are less alike are shown as one removed and one added element. */
const MIN_SIMILARITY = 0.5;
/** Above this many possible pairs of one run, elements are paired by their place. It bounds the time. */
const MAX_PAIRS = 10_000;
/** Lists with more edits than this are not aligned. It bounds the time. */
const MAX_EDITS = 500;

/** Returns the pairs in the order of the planned list; removed elements stand where they were. */
export function alignLists(prior: readonly Json[], planned: readonly Json[]): readonly AlignedPair[] {
  return withMoves(pairElements(prior, planned), prior.map(identity), planned.map(identity));
}

/** Like {@link alignLists}, but an element that moved is removed at its old place and added at its new one. */
export function pairElements(prior: readonly Json[], planned: readonly Json[]): readonly AlignedPair[] {
  const parts = diffArrays(prior.map(identity), planned.map(identity), { maxEditLength: MAX_EDITS });
  if (parts === undefined)
    return pairRun(prior, planned, { from: 0, to: 0, fromEnd: prior.length, toEnd: planned.length });
  const pairs: AlignedPair[] = [];
  let run = { from: 0, to: 0, fromEnd: 0, toEnd: 0 };
  const endRun = (kept: number): void => {
    pairs.push(...pairRun(prior, planned, run));
    for (let index = 0; index < kept; index++)
      pairs.push({ from: run.fromEnd + index, to: run.toEnd + index, moved: false });
    const [from, to] = [run.fromEnd + kept, run.toEnd + kept];
    run = { from, to, fromEnd: from, toEnd: to };
  };
  for (const { removed, added, count } of parts) {
    if (removed) run.fromEnd += count;
    else if (added) run.toEnd += count;
    else endRun(count);
  }
  endRun(0);
  return pairs;
}

type Identity = string | symbol;

/** The same for equal elements. An element with a secret equals no other one, because nothing is known about it. */
function identity(value: Json): Identity {
  return holdsSecret(value) ? Symbol("secret") : canonicalJson(value);
}

function holdsSecret(value: Json): boolean {
  if (isJsonArray(value)) return value.some(holdsSecret);
  return isSensitive(value) || (isJsonObject(value) && Object.values(value).some(holdsSecret));
}

interface Run {
  readonly from: number;
  readonly to: number;
  readonly fromEnd: number;
  readonly toEnd: number;
}

function pairRun(prior: readonly Json[], planned: readonly Json[], run: Run): readonly AlignedPair[] {
  const [rows, columns] = [run.fromEnd - run.from, run.toEnd - run.to];
  const similarityAt = (row: number, column: number): number => {
    const value = similarity(prior[run.from + row] ?? null, planned[run.to + column] ?? null);
    return value < MIN_SIMILARITY ? 0 : value;
  };
  return rows * columns <= MAX_PAIRS ? pairBySimilarity(run, similarityAt) : pairByPlace(run, similarityAt);
}

type SimilarityAt = (row: number, column: number) => number;

/** Pairs elements that are at the same place of a run and alike. */
function pairByPlace({ from, fromEnd, to, toEnd }: Run, similarityAt: SimilarityAt): readonly AlignedPair[] {
  const [rows, columns] = [fromEnd - from, toEnd - to];
  return Array.from({ length: Math.max(rows, columns) }, (_, index): readonly AlignedPair[] => {
    if (index < rows && index < columns && similarityAt(index, index) > 0)
      return [{ from: from + index, to: to + index, moved: false }];
    return [
      ...(index < rows ? [{ from: from + index, moved: false }] : []),
      ...(index < columns ? [{ to: to + index, moved: false }] : []),
    ];
  }).flat();
}

/** Pairs the elements of a run so that the sum of their similarity is greatest, by dynamic programming from the end. */
function pairBySimilarity(run: Run, similarityAt: SimilarityAt): readonly AlignedPair[] {
  const [rows, columns] = [run.fromEnd - run.from, run.toEnd - run.to];
  const similarities = grid(rows, columns, similarityAt);
  const best = grid(rows + 1, columns + 1, () => 0);
  const withPair = (row: number, column: number): number => {
    const paired = at(similarities, row, column);
    return paired === 0 ? -1 : paired + at(best, row + 1, column + 1);
  };
  for (let row = rows - 1; row >= 0; row--) {
    for (let column = columns - 1; column >= 0; column--)
      set(best, row, column, Math.max(withPair(row, column), at(best, row + 1, column), at(best, row, column + 1)));
  }
  const pairs: AlignedPair[] = [];
  let [row, column] = [0, 0];
  while (row < rows || column < columns) {
    const [from, to] = [run.from + row, run.to + column];
    const isPair = withPair(row, column) === at(best, row, column);
    const isRemoved = !isPair && row < rows && at(best, row + 1, column) >= at(best, row, column + 1);
    if (isPair) pairs.push({ from, to, moved: false });
    else pairs.push(isRemoved ? { from, moved: false } : { to, moved: false });
    if (isPair || isRemoved) row += 1;
    if (!isRemoved) column += 1;
  }
  return pairs;
}

type Grid = readonly Float64Array[];

function grid(rows: number, columns: number, valueAt: (row: number, column: number) => number): Grid {
  return Array.from({ length: rows }, (_, row) =>
    Float64Array.from({ length: columns }, (__, column) => valueAt(row, column)),
  );
}

function at(values: Grid, row: number, column: number): number {
  return values[row]?.[column] ?? 0;
}

function set(values: Grid, row: number, column: number, value: number): void {
  const cells = values[row];
  if (cells !== undefined) cells[column] = value;
}

/** Nothing is known about a secret, so it is like no other one. */
function similarity(left: Json, right: Json): number {
  if (isJsonArray(left) !== isJsonArray(right) || isSensitive(left)) return 0;
  const [a, b] = [leafTexts(left), leafTexts(right)];
  let shared = 0;
  for (const text of a) if (b.has(text)) shared += 1;
  return shared / Math.max(a.size, b.size);
}

/** One text for each leaf, with its path. */
function leafTexts(value: Json): ReadonlySet<string> {
  const texts = new Set<string>();
  const visit = (item: Json, path: string): void => {
    const isNested = (isJsonArray(item) || isJsonObject(item)) && !isSensitive(item) && Object.keys(item).length > 0;
    if (!isNested) return void texts.add(`${path}=${canonicalJson(item)}`);
    for (const [key, child] of Object.entries(item)) visit(child, `${path}/${JSON.stringify(key)}`);
  };
  visit(value, "");
  return texts;
}

/** Joins a removed element with an added one that is equal to it. */
function withMoves(
  pairs: readonly AlignedPair[],
  left: readonly Identity[],
  right: readonly Identity[],
): readonly AlignedPair[] {
  const removed = new Map<Identity, AlignedPair[]>();
  for (const pair of pairs) {
    if (pair.from === undefined || pair.to !== undefined) continue;
    const key = left[pair.from] ?? "";
    removed.set(key, [...(removed.get(key) ?? []), pair]);
  }
  const moved = new Set<AlignedPair>();
  const joined = pairs.map((pair): AlignedPair => {
    if (pair.from !== undefined || pair.to === undefined) return pair;
    const origin = removed.get(right[pair.to] ?? "")?.shift();
    if (origin === undefined) return pair;
    moved.add(origin);
    return { from: origin.from, to: pair.to, moved: true };
  });
  return joined.filter((pair) => !moved.has(pair));
}
