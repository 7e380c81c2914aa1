/**
 * How texts, values and paths are written in reports: safe to print on a terminal, and values as in YAML, on one line.
 *
 * Premise: a name can contain any character. Those of `UNSAFE` are printed as escapes.
 * Two different values never look the same, so that no difference is invisible. A text is plain where it can only be read as
 * that text. Otherwise it is in quotes, as in JSON.
 */
import { compareNaturally } from "../model/compare-text.ts";
import { TAKEN_FOR } from "../model/text/confusable.ts";
import { exactJson } from "../model/json/exact-json.ts";
import { ExactNumber, isJsonArray, isJsonObject, type Json, type JsonObject } from "../model/json/json.ts";
import { isSensitive } from "../model/secret-values.ts";
import { keyText } from "../model/pointer.ts";
import { escaped, jsonEscape, sanitize, UNSAFE } from "../model/text/quote.ts";

/** Words for values. */
export type ValueNames = Readonly<Record<string, Json>>;

/** Takes the place of a value that is not set. It differs from every value. */
export const NOT_SET = "(not set)";

/** Takes the place of a secret. It differs from every value. */
export const HIDDEN = "(sensitive)";

/** The value of a field on one line, with texts in quotes. A value that has a name is that name, as in a file. */
export function inline(value: Json, names: ValueNames = {}): string {
  const [name] = Object.entries(names).find(([, named]) => named === value) ?? [];
  if (name !== undefined) return sanitize(name);
  return typeof value === "string" ? inQuotes(value) : flow(value);
}

/** A value on one line in the flow style of YAML, such as `{ kind: EventsNode, event: purchase }`. */
export function flow(value: Json): string {
  if (isSensitive(value)) return HIDDEN;
  if (typeof value === "string") return isPlain(value) ? value : inQuotes(value);
  if (isJsonArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (value instanceof ExactNumber) return sanitize(value.text);
  if (!isJsonObject(value)) return sanitize(JSON.stringify(value));
  const texts = members(value).map(([key, item]) => `${keyText(key)}: ${flow(item)}`);
  return texts.length === 0 ? "{}" : `{ ${texts.join(", ")} }`;
}

/** These say what an object is. */
const LEADING = ["kind", "type", "name", "key", "event"];

/**
 * The members of an object in one order, by which people compare objects: first what says what it is, then the others by name. The
 * order of the service and that of a file differ.
 */
export function members(value: JsonObject): readonly (readonly [string, Json])[] {
  const rank = (key: string): string => {
    const index = LEADING.indexOf(key);
    return `${String(index === -1 ? LEADING.length : index)}/${key}`;
  };
  return Object.entries(value).toSorted(([a], [b]) => compareNaturally(rank(a), rank(b)));
}

function inQuotes(text: string): string {
  return sanitize(JSON.stringify(text));
}

/** Texts that need no quotes: words with a letter, `$`, `_` or `/` at the start, and one space between them. */
const PLAIN = /^[\p{L}$_/](?:[\p{L}\p{M}\p{Nd}$_./@%+'-]|:(?=[^\s,])| (?=[\p{L}\p{Nd}$_/]))*$/u;
/** Longer texts are in quotes, so that their end is visible. */
const MAX_PLAIN = 100;
/** Words that YAML reads as something else. */
const RESERVED = /^(?:true|false|null|yes|no|on|off)$/i;

function isPlain(text: string): boolean {
  return text.length <= MAX_PLAIN && PLAIN.test(text) && !RESERVED.test(text);
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
    .replaceAll(/\P{ASCII}/gu, (character) => TAKEN_FOR.get(character) ?? character)
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replaceAll(/\p{Zs}/gu, " ")
    .trimEnd();
}

/** Backslashes in front of a new escape are doubled, so that no text of only ASCII is the same. */
function escapeAll(text: string): string {
  return text.replaceAll(/\\+(?=[^ -~]| +$)/gu, "$&$&").replaceAll(/[^ -~]| (?= *$)/gu, escaped);
}

/**
 * JSON as a file, in which the same characters are escaped as in {@link sanitize}. Every parser reads the same document from it.
 * JSON.stringify does not escape C1 controls and format characters, and 0x9b alone starts an escape sequence on some terminals.
 */
export function safeJson(document: unknown): string {
  const text = exactJson(document, 2);
  return `${text.replaceAll(UNSAFE, (character) => (character === "\n" ? character : jsonEscape(character)))}\n`;
}

/** Like {@link safeJson}, on one line without white space. */
export function safeLine(document: unknown): string {
  return exactJson(document).replaceAll(UNSAFE, jsonEscape);
}
