/**
 * The edit at one end of a text, such as a suffix that is added. Texts that differ may have the same one: 500 new names are then one line.
 *
 * Premise: what a person approves is what is shown. The planned text follows from the live one and the edit, and nothing else.
 */
import { groupBy } from "../../model/group-by.ts";
import type { Entry } from "./value-diff.ts";

/** A longer edit says more about one text than about many. Characters. */
const MAX_EDIT = 60;

/**
 * What entries of several changes have in common: the whole values if these are equal, else the edit at one end. Undefined if they have
 * nothing. A part is only shown of texts that differ: elsewhere it would be read as a whole value.
 */
export function commonEntry(entries: readonly Entry[]): Entry | undefined {
  const isAlike = (form: (entry: Entry) => Entry): boolean =>
    groupBy(entries, (entry) => JSON.stringify(form(entry))).size === 1;
  const form = [(entry: Entry) => entry, endEdit].find(isAlike);
  return form && entries.slice(0, 1).map(form)[0];
}

/** The entry of a text as what its beginning or its end loses and gains; any other entry as it is. */
export function endEdit(entry: Entry): Entry {
  if (entry.type !== "text") return entry;
  const prior = Array.from(entry.prior);
  const planned = Array.from(entry.planned);
  const [start, end] = [keptAtStart(prior, planned), keptAtStart(prior.toReversed(), planned.toReversed())];
  const kept = Math.max(start, end);
  const isAtEnd = start >= end;
  const changed = (text: readonly string[]): string =>
    (isAtEnd ? text.slice(kept) : text.slice(0, text.length - kept)).join("");
  const [removed, added] = [changed(prior), changed(planned)];
  if (kept === 0 || (removed + added).length > MAX_EDIT || /\n/u.test(removed + added)) return entry;
  const { path, label, isField } = entry;
  return {
    type: "set",
    path,
    label: `${label}, at the ${isAtEnd ? "end" : "start"}`,
    isField,
    removed: removed === "" ? [] : [removed],
    added: added === "" ? [] : [added],
  };
}

/** How many characters both begin with. No word is cut: 2025 becomes 2026, and EU becomes Europe. */
function keptAtStart(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((character, index) => character !== b[index]);
  let kept = different === -1 ? a.length : different;
  const isInWord = (text: readonly string[]): boolean => isOfWord(text[kept - 1]) && isOfWord(text[kept]);
  while (isInWord(a) || isInWord(b)) kept -= 1;
  return kept;
}

function isOfWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character);
}
