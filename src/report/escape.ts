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

/** At most `limit` characters from `start` on. An ellipsis marks each side on which text was left out. */
export function cut(text: string, limit: number, start = 0): string {
  const rest = text.length - start;
  if (start === 0 && rest <= limit) return text;
  const room = limit - (start > 0 ? 1 : 0);
  const end = rest <= room ? text.length : start + room - 1;
  return `${start > 0 ? "…" : ""}${whole(text, start, end)}${end < text.length ? "…" : ""}`;
}

/** A slice that splits no surrogate pair. */
function whole(text: string, start: number, end: number): string {
  const isLow = (index: number): boolean => /[\udc00-\udfff]/.test(text[index] ?? "");
  return text.slice(isLow(start) ? start + 1 : start, end < text.length && isLow(end) ? end - 1 : end);
}

/** Both texts, cut so that both show the first difference. */
export function cutPair(left: string, right: string, limit: number): readonly [string, string] {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  const start = Math.max(left.length, right.length) <= limit || same < limit / 2 ? 0 : same - Math.floor(limit / 3);
  return [cut(left, limit, Math.min(start, tail(left, limit))), cut(right, limit, Math.min(start, tail(right, limit)))];
}

/** The last start at which a window of `limit` characters is still full. */
function tail(text: string, limit: number): number {
  return Math.max(0, text.length - limit + 1);
}

/** Lines of at most `width` characters, broken at spaces; a longer word stays whole. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of sanitize(text).split(/ +/)) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
