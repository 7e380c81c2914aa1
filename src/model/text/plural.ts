/** A number with its noun: `1 change`, `2 changes`. */
export function plural(count: number, noun: string, several = `${noun}s`): string {
  return `${String(count)} ${count === 1 ? noun : several}`;
}

/** The first texts, and how many there are besides: `a, b and 3 more`. */
export function firstOf(texts: readonly string[], most: number, separator = ", "): string {
  const more = texts.length > most ? ` and ${String(texts.length - most)} more` : "";
  return texts.slice(0, most).join(separator) + more;
}

const PERSON = String.raw`[^\s,()@]+@[^\s,()@]+(?: \([^()]*\))?`;

/**
 * A sentence with the first of the people whom it names. Documents have all of them, and a text on a terminal or in a
 * comment has room for few.
 */
export function withFewNames(text: string, wayToAll: string): string {
  const many = new RegExp(String.raw`(?<=^|[\s(])${PERSON}(?:, ${PERSON}){${String(MAX_NAMES)},}`, "gu");
  return text.replaceAll(many, (all) => `${firstOf(all.split(", "), MAX_NAMES)} (${wayToAll})`);
}

/** The most files, or changes, that a message names: more are only counted. */
export const MAX_FILES = 3;

/** The same for addresses. */
export const MAX_ADDRESSES = 5;

/** The same for people and other things that have names. */
export const MAX_NAMES = 8;

/** `a`, `a or b`, `a, b or c`. */
export function joinWords(words: readonly string[], last: "and" | "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1)}`;
}

/** A noun with its article: "a domain", "an insight". */
export function withArticle(noun: string): string {
  return `${/^[aeiou]/u.test(noun) ? "an" : "a"} ${noun}`;
}

/** `about 4 minutes`; undefined below a minute. @param ms milliseconds */
export function aboutTime(ms: number): string | undefined {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return undefined;
  return minutes < 90 ? `about ${plural(minutes, "minute")}` : `about ${plural(Math.round(minutes / 60), "hour")}`;
}
