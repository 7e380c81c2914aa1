/**
 * Values from outside in a message: names, ids, files, and texts of the service.
 *
 * Premise: such a value can contain any character. It must not look like a part of the message, least of all like a command.
 * Escape sequences move the cursor and fake lines. Format characters (bidirectional overrides, zero-width ones) make text look
 * like other text. Lone surrogates break encoders. All of them become escapes, except the joiner inside an emoji.
 */

import { own } from "../json/json.ts";
/** Control characters, which a terminal would interpret, and invisible characters. */
export const UNSAFE =
  /(?![\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The value in quotes as in JSON, with backticks, line breaks, control and invisible characters as visible escapes. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** The same without quotes, for a list of ids, and for a text that its place in the message sets apart. */
export function visible(text: string): string {
  return sanitize(text).replaceAll("`", String.raw`\u0060`);
}

/** The text on one line, with every character escaped that a terminal would interpret. */
export function sanitize(text: string): string {
  return text.replaceAll(UNSAFE, (character) => own(SHORT, character) ?? escaped(character));
}

/** A character as an escape of a reader's kind: `\u{1f600}` is one character. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : jsonEscape(character);
}

/** A character as an escape in JSON. */
export function jsonEscape(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Whether curly quotes stand around a text, as editors of documents write them. */
export function hasCurlyQuotes(text: string): boolean {
  return /^(?:“[^“”]+”|„[^„“”]+[“”]|‘[^‘’]+’)$/u.test(text);
}

/** The text without a pair of straight or curly quotes around it; undefined if it has none. */
export function withoutQuotes(text: string): string | undefined {
  return hasCurlyQuotes(text) || /^(?:"[^"]+"|'[^']+')$/u.test(text) ? text.slice(1, -1) : undefined;
}

/** A longer message or hint is cut: a value in it can have any length. Characters. */
export const LONGEST_MESSAGE = 2_000;

/** At most `limit` characters of a text that describes something. An ellipsis marks the cut, which splits no character. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
