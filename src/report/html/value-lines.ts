import { isJsonArray, isJsonObject, isSensitive, type Json } from "../../model/json.ts";
import { inline, keyText } from "../value.ts";

/** A nested value of at most this length is written on one line. Characters. */
export const MAX_INLINE = 72;

/**
 * A value as lines: text by its own lines, a nested value like YAML, anything else on one line.
 *
 * @param text the value on one line
 */
export function valueLines(value: Json, text: string = value === null ? "null" : inline(value)): readonly string[] {
  if (typeof value === "string") return value.includes("\n") ? value.split("\n") : [text];
  if (isSensitive(value) || !isNested(value) || isInline(value, text)) return [text];
  return members(value).flatMap(([key, item]) => {
    const lines = valueLines(item);
    const isText = typeof item === "string" && lines.length > 1;
    if (lines.length === 1 && !isNestedBlock(item, lines)) return [`${key}: ${lines[0] ?? ""}`];
    return [`${key}:${isText ? " |" : ""}`, ...lines.map((line) => `  ${line}`)];
  });
}

/** Whether the only line of a value is that of its only member, so it cannot stand behind a key. */
function isNestedBlock(value: Json, lines: readonly string[]): boolean {
  return isNested(value) && !isSensitive(value) && lines[0] !== inline(value);
}

function isInline(value: Json, text: string): boolean {
  return text.length <= MAX_INLINE && !holdsLines(value);
}

/** Whether a text with several lines is in a value. */
function holdsLines(value: Json): boolean {
  if (typeof value === "string") return value.includes("\n");
  return members(value).some(([, item]) => holdsLines(item));
}

function isNested(value: Json): boolean {
  return members(value).length > 0;
}

function members(value: Json): readonly (readonly [string, Json])[] {
  if (isJsonArray(value)) return value.map((item, index): readonly [string, Json] => [`[${index}]`, item]);
  return isJsonObject(value) ? Object.entries(value).map(([key, item]) => [keyText(key), item]) : [];
}
