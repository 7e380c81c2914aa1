/**
 * How values and paths are written in reports: as in YAML, on one line, and as plain text that is safe to print.
 *
 * Premise: two different values never look the same, so that no difference is invisible. A text is plain where it can only
 * be read as that text. Otherwise it is in quotes, as in JSON.
 */
import { isJsonArray, isJsonObject, isSensitive, own, pointerKeys, type Json } from "../model/json.ts";
import { valueNames, type KindName } from "../model/kind-name.ts";
import { sanitize } from "./escape.ts";

/** Words for values. */
export type ValueNames = Readonly<Record<string, Json>>;

/** Takes the place of a value that is not set. It differs from every value. */
export const NOT_SET = "(not set)";

/** Takes the place of a secret. It differs from every value. */
export const HIDDEN = "(sensitive)";

/** The words for the values of one field, which is given by its JSON Pointer. */
export function namesOfField(kind: KindName, path: string): ValueNames {
  return own(own(valueNames, kind), path) ?? {};
}

/** The value of a field on one line, with texts in quotes. A value that has a name is followed by it. */
export function inline(value: Json, names: ValueNames = {}): string {
  if (value === null) return NOT_SET;
  const [name] = Object.entries(names).find(([, named]) => named === value) ?? [];
  const text = typeof value === "string" ? quoted(value) : flow(value);
  return name === undefined ? text : `${text} (${sanitize(name)})`;
}

/** A value on one line in the flow style of YAML, such as `{ kind: EventsNode, event: purchase }`. */
export function flow(value: Json): string {
  if (isSensitive(value)) return HIDDEN;
  if (typeof value === "string") return isPlain(value) ? value : quoted(value);
  if (isJsonArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isJsonObject(value)) return sanitize(JSON.stringify(value));
  const members = Object.entries(value).map(([key, item]) => `${keyText(key)}: ${flow(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

function quoted(text: string): string {
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

/** A JSON Pointer in dotted form, such as `query.source.series[0].event`. Keys with special characters are quoted. */
export function pathText(path: string): string {
  const texts = pointerKeys(path).map((key, index) => {
    if (index > 0 && /^\d+$/.test(key)) return `[${key}]`;
    return `${index > 0 ? "." : ""}${keyText(key)}`;
  });
  return texts.length === 0 ? "(whole object)" : texts.join("");
}

/** A key before a colon, quoted if it has special characters. */
export function keyText(key: string): string {
  return sanitize(/^[^\s."\\:,[\]{}()]+$/.test(key) ? key : JSON.stringify(key));
}
