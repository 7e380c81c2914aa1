/** Longer names are cut: an address should fit on a line. */
const LONGEST = 60;

/**
 * A name that can be a part of an address, made of a natural key: lower-case letters, digits and dashes. Where nothing is
 * left of the text it is `fallback`; digits alone, which would count as a project's id, get it in front.
 */
export function slugOf(text: string, fallback: string): string {
  const slug = plain(text)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, LONGEST)
    .replaceAll(/^-|-$/g, "");
  if (slug === "") return fallback;
  return /^\d+$/.test(slug) ? `${fallback}-${slug}` : slug;
}

/** `Events to S3` and `aws_secret_access_key` as `EVENTS_TO_S3_AWS_SECRET_ACCESS_KEY`. */
export function variableName(...parts: readonly string[]): string {
  const words = parts.map((part) => plain(part).replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2"));
  const name = words
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "");
  return /^[A-Z]/.test(name) ? name : `SECRET_${name}`.replace(/_$/, "");
}

/** Letters without their accents. */
function plain(text: string): string {
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
}

/** Gives each name once: the second time it is asked for it becomes `name-2`, then `name-3`. */
export function uniqueNames(separator: string, taken: Iterable<string> = []): (name: string) => string {
  const given = new Set(taken);
  return (name) => {
    let unique = name;
    for (let count = 2; given.has(unique); count++) unique = `${name}${separator}${count}`;
    given.add(unique);
    return unique;
  };
}

/** Order of texts that does not depend on where the program runs. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

const WORDS =
  "await break case catch class const continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield arguments eval undefined";

/** Gives each key of the configuration a variable of its own that the program may use. */
export function identifiers(taken: readonly string[]): (key: string, fallback: string) => string {
  const unique = uniqueNames("_", [...WORDS.split(" "), ...taken]);
  return (key, fallback) => {
    const name = key.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_found, next: string | undefined) => next?.toUpperCase() ?? "");
    const isOne = /^[A-Za-z]/.test(name);
    return unique(isOne ? name.charAt(0).toLowerCase() + name.slice(1) : `${fallback}${name}`);
  };
}
