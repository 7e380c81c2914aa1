/** Patterns that are a list of words and forms, such as `^(hour|day|every [0-9]+ minutes)$`: which of them was meant. */
import { suggest } from "../model/suggest.ts";

/** The word or form of the pattern that a text is near to, with the number of the text; undefined if there is none. */
export function nearWord(text: string, pattern: string): string | undefined {
  const words = wordsOf(pattern, text);
  const near = suggest(text, words);
  if (near !== undefined) return near;
  // `dayly` and `hourly` have more letters than a spelling mistake.
  const alike = words.filter((word) => text.slice(0, 2).toLowerCase() === word.slice(0, 2));
  return alike.length === 1 ? alike[0] : undefined;
}

/** The alternatives of a pattern as values that match it. One that is no word and no form with a number is left out. */
function wordsOf(pattern: string, text: string): readonly string[] {
  const [, list = ""] = /^\^\(([^()]*)\)\$$/u.exec(pattern) ?? [];
  const [number = ""] = /\d+/u.exec(text) ?? [];
  const all = new RegExp(pattern, "u");
  return list
    .split("|")
    .map((one) => one.replaceAll(/\[\w(\w)\]/gu, "$1").replace("[0-9]+", number))
    .filter((word) => word !== "" && all.test(word));
}
