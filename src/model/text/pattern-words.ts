/** The rules of patterns in words, for people who cannot be expected to read a pattern. */
import { own } from "../json/json.ts";
import { joinWords } from "./plural.ts";
import { suggest } from "./suggest.ts";

const RULES: Readonly<Record<string, string>> = {
  "\\S": "a text that is not empty",
  "^[0-9]+$": "digits",
  "^([a-z0-9]+(-[a-z0-9]+)*\\.)+[a-z]{2,}$": "a domain in lower case, such as acme.com",
};

/** What a pattern takes; undefined if that is not known. */
export function ruleOf(pattern: string): string | undefined {
  return (
    own(RULES, pattern) ??
    (joinWords(
      alternatives(pattern).map((one) => one.replace("[0-9]+", "N")),
      "or",
    ) ||
      undefined)
  );
}

/** The words of a pattern that is a list of them: `every [0-9]+ minutes` has a number. */
export function alternatives(pattern: string): readonly string[] {
  const [, list = ""] = /^\^\(([^()]*)\)\$$/u.exec(pattern) ?? [];
  return list === "" ? [] : list.split("|").map((one) => one.replaceAll(/\[\w(\w)\]/gu, "$1"));
}

/** The word or form of the pattern that a text is near to, with the number of the text; undefined if there is none. */
export function nearWord(text: string, pattern: string): string | undefined {
  const [number = ""] = /\d+/u.exec(text) ?? [];
  const words = alternatives(pattern)
    .map((word) => word.replace("[0-9]+", number))
    .filter((word) => new RegExp(pattern, "u").test(word));
  const near = suggest(text, words);
  if (near !== undefined) return near;
  // `dayly` and `hourly` have more letters than a spelling mistake.
  const alike = words.filter((word) => text.slice(0, 2).toLowerCase() === word.slice(0, 2));
  return alike.length === 1 ? alike[0] : undefined;
}
