/** JSON Pointers (RFC 6901): `/destination/config/url`. */

/** A JSON Pointer (RFC 6901) of the given keys. */
export function pointer(...keys: readonly (string | number)[]): string {
  return keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

export function pointerKeys(text: string): string[] {
  return text
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The field that a JSON Pointer leads into. */
export function topField(path: string): string {
  return pointerKeys(path)[0] ?? "";
}
