/**
 * Suggests the candidate that is nearest to `word` by edits (insert, delete, replace, swap of neighbours), ignoring
 * case. Returns undefined if more than a third of the word would have to be edited, or if it is too long for a word.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST) return undefined;
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  const wanted = toSnakeCase(word);
  for (const candidate of candidates) {
    const known = toSnakeCase(candidate);
    if (Math.abs(known.length - wanted.length) > Math.min(limit, best?.distance ?? limit)) continue;
    const distance = edits(wanted, known, limit);
    // The first of two in the order of the alphabet, so that the order of the candidates does not count.
    const isBetter =
      best === undefined || distance < best.distance || (distance === best.distance && candidate < best.candidate);
    if (distance <= limit && isBetter) best = { candidate, distance };
  }
  return best?.candidate;
}

/** A longer text is no misspelt word, and comparing it takes the square of its length. Characters. */
const LONGEST = 200;

/**
 * Suggests one of the values of a field: the nearest one, else the only one that the text continues, or that continues the text,
 * such as `admin` for `administrator`.
 */
export function suggestValue(text: string, values: readonly string[]): string | undefined {
  return suggest(text, values) ?? sameBeginning(text.trim().toLowerCase(), values);
}

/** The hint for a probable spelling mistake; undefined if no known word is similar. */
export function didYouMean(word: string | undefined): string | undefined {
  return word === undefined ? undefined : `Did you mean ${word}?`;
}

function sameBeginning(text: string, values: readonly string[]): string | undefined {
  if (text.length < SHORTEST) return undefined;
  const found = values.filter((value) => text.startsWith(value.toLowerCase()) || value.toLowerCase().startsWith(text));
  return found.length === 1 ? found[0] : undefined;
}

/** A single letter may stand for anything. */
const SHORTEST = 2;

/** `jitProvisioningEnabled` and `jit-provisioning-enabled` become `jit_provisioning_enabled`. */
function toSnakeCase(word: string): string {
  if (/^[a-z0-9_]*$/.test(word)) return word;
  return word
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[-\s]/g, "_")
    .toLowerCase();
}

/** Whether two texts are equal but for one letter that is added, left out, another one, or swapped with its neighbour. */
export function isOneEdit(left: string, right: string): boolean {
  return Math.abs(left.length - right.length) <= 1 && edits(left, right, 1) <= 1;
}

/** Optimal string alignment distance, three rows at a time; Infinity as soon as it must be above the limit. */
function edits(left: string, right: string, limit: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        distanceAt(previous, column) + 1,
        distanceAt(current, column - 1) + 1,
        distanceAt(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, distanceAt(before, column - 2) + 1);
      current.push(cost);
    }
    // A swap goes back two rows.
    if (Math.min(...current, ...previous) > limit) return Infinity;
    before = previous;
    previous = current;
  }
  return distanceAt(previous, right.length);
}

function distanceAt(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
