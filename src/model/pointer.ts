/** JSON Pointers (RFC 6901): `/destination/config/url`. Files and JSON have them. Texts for people have the dotted form. */
import { sanitize } from "./text/quote.ts";

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

/** Whether fields, or JSON Pointers in which `*` stands for any one key, name the value at a path. */
export function isNamedBy(names: readonly string[], keys: readonly string[]): boolean {
  const patterns = names.map((name) => (name.startsWith("/") ? pointerKeys(name) : [name]));
  return patterns.some(
    (pattern) => pattern.length === keys.length && pattern.every((key, index) => key === "*" || key === keys[index]),
  );
}

/** The field that a JSON Pointer leads into. */
export function topField(path: string): string {
  return pointerKeys(path)[0] ?? "";
}

/** A JSON Pointer in dotted form, such as `query.source.series[0].event`. Keys with special characters are in quotes. */
export function pathText(path: string): string {
  const texts = pointerKeys(path).map((key, index) => {
    if (index > 0 && /^\d+$/.test(key)) return `[${key}]`;
    return `${index > 0 ? "." : ""}${keyText(key)}`;
  });
  return texts.length === 0 ? "(whole object)" : texts.join("");
}

/** A key before a colon, in quotes if it has special characters. */
export function keyText(key: string): string {
  return sanitize(/^[^\s."\\:,[\]{}()]+$/.test(key) ? key : JSON.stringify(key));
}

/** Several paths in dotted form. */
export function pathTexts(paths: readonly string[]): string {
  return paths.map(pathText).join(", ");
}
