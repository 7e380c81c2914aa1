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

/**
 * Makes texts that are shown together differ for a reader. If a text looks like another one of them, its spaces at the end and
 * everything beyond ASCII are escapes. The texts are sanitized before, exactly or in quotes.
 *
 * @returns a function from each text to what is shown
 */
export function distinguish(texts: readonly string[]): (text: string) => string {
  const looks = new Map<string, Set<string>>();
  for (const text of texts) looks.set(appearance(text), (looks.get(appearance(text)) ?? new Set()).add(text));
  return (text) => ((looks.get(appearance(text))?.size ?? 0) > 1 ? escapeAll(text) : text);
}

/** What a reader sees of a text. */
function appearance(text: string): string {
  return text
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/\p{Zs}/gu, " ")
    .trimEnd();
}

/** Backslashes in front of a new escape are doubled, so that no text of only ASCII is the same. */
function escapeAll(text: string): string {
  return text.replaceAll(/\\+(?=[^ -~]| +$)/gu, "$&$&").replaceAll(/[^ -~]| (?= *$)/gu, escaped);
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
