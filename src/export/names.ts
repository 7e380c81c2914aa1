/** Longer names are cut, so that an address fits on a line. */
const MAX_SLUG = 60;

/** Digits alone would be read as a project id. The others are devices of Windows, where no file can have such a name. */
const RESERVED = /^(?:\d+|con|prn|aux|nul|(?:com|lpt)\d)$/;

/**
 * Turns a natural key into a name for addresses and files: lower-case letters, also of Hangul, kana and other scripts, digits and
 * dashes. Accents of Latin and Greek are left out; elsewhere such marks make another letter. If no character remains, the name
 * is `fallback`. A reserved name is prefixed with `fallback`.
 */
export function slugOf(text: string, fallback: string): string {
  const letters = text
    .normalize("NFKD")
    .replaceAll(/(?<=[\p{sc=Latin}\p{sc=Greek}]\p{M}*)\p{M}/gu, "")
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, "-");
  const slug = Array.from(letters).slice(0, MAX_SLUG).join("").replaceAll(/^-|-$/g, "");
  if (slug === "") return fallback;
  return RESERVED.test(slug) ? `${fallback}-${slug}` : slug;
}

/** Returns each name once. A repeated name becomes `name-2`, then `name-3`. */
export function uniqueNames(separator: string, reserved: Iterable<string> = []): (name: string) => string {
  const used = new Set(reserved);
  const counts = new Map<string, number>();
  return (name) => {
    let unique = name;
    let count = counts.get(name) ?? 1;
    while (used.has(unique)) unique = `${name}${separator}${++count}`;
    counts.set(name, count);
    used.add(unique);
    return unique;
  };
}
