/** Reports keys that are not known, with what was probably meant. */
import { insteadOfKey } from "../model/instead.ts";
import { joinWords } from "../model/plural.ts";
import { suggest, didYouMean } from "../model/suggest.ts";
import { gluedKeyHint } from "./hints.ts";
import type { ProblemDetail } from "./problems.ts";
import { type Member, shorten, shownKey } from "./tree/tree.ts";

/**
 * Reports a key that is not one of the known keys.
 *
 * @param instead what to write instead, if no known key is near
 */
export function unknownKey(key: string, known: readonly string[], instead?: string): ProblemDetail {
  const hint = /[^\P{Zs} ]/u.test(key)
    ? "Indent with plain spaces: this key has a no-break space."
    : isForAnchors(key)
      ? `For anchors, write it at the top of the document as x-${shorten(key.slice(2))}.`
      : (gluedKeyHint(key) ?? nearestHint(key, known, instead));
  return { code: "unknown_key", message: `unknown key ${shorten(key)}`, hint };
}

/**
 * Reports a key of an organization or a project that is neither a field nor a collection. With a mapping or a list as its value,
 * it was probably meant as a kind.
 *
 * @param collections the collections that this scope has
 */
export function unknownScopeKey(
  member: Member,
  known: readonly string[],
  collections: readonly string[],
): ProblemDetail {
  const { value } = member;
  const key = shownKey(member);
  if (value.type === "scalar" || isForAnchors(key) || suggest(key, known) !== undefined)
    return unknownKey(key, known, insteadOfKey(key));
  const hint = `The kinds here are ${joinWords(collections, "and")}. Remove the key.`;
  return { code: "unknown_key", message: `${shorten(key)} is not a kind of this interface`, hint };
}

/** Whether a key looks like one that holds anchors, as Docker Compose has them at the top of a document. */
function isForAnchors(key: string): boolean {
  return /^x[-_]/iu.test(key);
}

/** A hint with the most similar known word, or else what to do instead, or else all known words if there are few. */
export function nearestHint(word: string, known: readonly string[], instead?: string): string | undefined {
  const few = known.length > 0 && known.length <= 12 ? `Use ${joinWords(known, "or")}.` : undefined;
  return didYouMean(suggestKey(word, known)) ?? instead ?? few;
}

/** The most similar known key, or the only one that begins with the word, as `bucket_name` does with `bucket`. */
export function suggestKey(word: string, known: readonly string[]): string | undefined {
  const longer = known.filter((key) => key.startsWith(`${word}_`));
  return suggest(word, known) ?? (longer.length === 1 ? longer[0] : undefined);
}
