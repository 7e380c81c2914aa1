import { jsonEscape } from "./quote.ts";

/**
 * Invisible characters, and those that make text look different: controls, format characters, lone surrogates. Not line
 * feeds.
 */
const INVISIBLE = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Whether a text holds invisible characters, which must be escaped before people read it. */
export function hasInvisible(text: string): boolean {
  return text.search(INVISIBLE) >= 0;
}

/** Removes invisible characters, for a text that cannot hold escapes. */
export function stripInvisible(text: string): string {
  return text.replaceAll(INVISIBLE, "");
}

/** Escapes the invisible characters of a YAML text. A scalar with an escape must be in double quotes. */
export function escapeInvisible(yaml: string): string {
  return yaml.replaceAll(INVISIBLE, (found) => {
    const code = found.codePointAt(0) ?? 0;
    const digits = code.toString(16);
    return code > 0xff_ff ? `\\U${digits.padStart(8, "0")}` : `\\u${digits.padStart(4, "0")}`;
  });
}

/** Escapes the invisible characters of a JSON text. */
export function escapeInvisibleJson(json: string): string {
  return json.replaceAll(INVISIBLE, jsonEscape);
}
