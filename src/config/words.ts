import { suggest } from "../model/suggest.ts";
import type { ProblemDetail } from "./problems.ts";
import { shorten } from "./tree/tree.ts";

/** `a, b or c`. */
export function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

/** "did you mean" as a hint, or nothing. */
export function didYouMean(word: string | undefined): string | undefined {
  return word === undefined ? undefined : `did you mean ${word}?`;
}

/** What to say about a key that does not belong, given those that do. */
export function unknownKey(key: string, known: readonly string[]): Omit<ProblemDetail, "address"> {
  return { code: "unknown_key", message: `unknown key ${shorten(key)}`, hint: nearest(key, known) };
}

/** The known word that was probably meant, as a hint; else all of them, where they are few. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const few = known.length > 0 && known.length <= 8 ? `known are ${known.join(", ")}` : undefined;
  return didYouMean(suggest(word, known)) ?? few;
}
