/**
 * Makes text from a service safe to print on a terminal.
 *
 * Premise: a name can contain any character. Escape sequences move the cursor and fake lines. Format characters (bidirectional
 * overrides, zero-width ones) make text look like other text. Lone surrogates break encoders. All of them are printed as
 * escapes, except the joiner inside an emoji, which is part of it.
 */
const UNSAFE =
  /(?![\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d/gu;

const SHORT: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text on one line, with every character escaped that a terminal would interpret. */
export function sanitize(text: string): string {
  return text.replaceAll(UNSAFE, (character) => SHORT[character] ?? escaped(character));
}

const AMBIGUOUS_BACKSLASHES = new RegExp(String.raw`(?<!\\)\\+(?=[nrtu]|${UNSAFE.source})`, "gu");

/** Like {@link sanitize}, but two different texts stay different: backslashes in front of an escape are doubled. */
export function sanitizeExactly(text: string): string {
  return sanitize(text.replaceAll(AMBIGUOUS_BACKSLASHES, "$&$&"));
}

/** Two texts that differ, so that a reader sees it: spaces at the end and characters that look alike become escapes. */
export function sanitizePair(left: string, right: string): readonly [string, string] {
  const show = appearance(left) === appearance(right) ? escapeAll : sanitizeExactly;
  return [show(left), show(right)];
}

/** What a reader sees of a text. */
export function appearance(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Zs}/gu, " ")
    .trimEnd();
}

/** Like {@link sanitizeExactly}, but everything beyond ASCII is an escape, and so are spaces at the end. */
export function escapeAll(text: string): string {
  return sanitizeExactly(text).replaceAll(/[^ -~]| (?= *$)/gu, escaped);
}

/**
 * JSON text in which the same characters are escaped as in {@link sanitize}. Every parser reads the same document from it.
 * JSON.stringify does not escape C1 controls and format characters, and 0x9b alone starts an escape sequence on some terminals.
 */
export function safeJson(document: unknown): string {
  return JSON.stringify(document, null, 2).replaceAll(UNSAFE, (character) =>
    character === "\n" ? character : units(character),
  );
}

/** Like {@link safeJson}, on one line without white space. */
export function safeLine(document: unknown): string {
  return JSON.stringify(document).replaceAll(UNSAFE, units);
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : units(character);
}

function units(character: string): string {
  return character
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}

/** At most `limit` characters of a text that describes something. An ellipsis marks the cut, which splits no character. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}
