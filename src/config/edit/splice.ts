import { isCollection, isMap, isScalar, Scalar, stringify, type Node, type ToStringOptions } from "yaml";
import type { Json } from "../../model/json.ts";
import { escapeInvisible, hasInvisible } from "../../model/invisible.ts";
import type { Located } from "./locate.ts";

/** A range of the text, by offsets, and its replacement. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Returns the splice that writes a value to its position, in the style of the present value. */
export function createSplice({ node, parent, path }: Located, value: Json, text: string): Splice {
  if (node === undefined) return insertMember(parent, path.at(-1) ?? "", value, text);
  const [from, to] = [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
  if (isBlock(node)) {
    const same = Array.isArray(value) ? !isMap(node) : isMap(node);
    if (same && isNonEmpty(value))
      return { from, to, text: formatBlock(value, columnOf(text, from)) + finalLineEnd(text, from, to) };
    // One line replaces several, so it moves up to the line of its key.
    const start = typeof parent === "object" && "afterKey" in parent ? text.indexOf(":", parent.afterKey) + 1 : from;
    return {
      from: start,
      to,
      text: `${start === from ? "" : " "}${formatInline(value)}${finalLineEnd(text, from, to)}`,
    };
  }
  const space = text[from - 1] === ":" ? " " : "";
  return { from, to, text: space + formatInline(value, node) + finalLineEnd(text, from, to) };
}

/** Inserts the new member before the first one, because comments may follow the last one. */
function insertMember(parent: Located["parent"], key: string, value: Json, text: string): Splice {
  const first = typeof parent === "object" && "map" in parent ? parent.map.items[0]?.key : undefined;
  const from = isScalar(first) ? (first.range?.[0] ?? 0) : 0;
  const isFlow = typeof parent === "object" && "map" in parent && parent.map.flow === true;
  const between = isFlow ? ", " : `\n${" ".repeat(columnOf(text, from))}`;
  return { from, to: from, text: `${formatInline(key)}: ${formatInline(value)}${between}` };
}

function isBlock(node: Node): boolean {
  return isCollection(node) && node.flow !== true;
}

function isNonEmpty(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** A block includes its last line end, so its replacement must include one as well. */
function finalLineEnd(text: string, from: number, to: number): string {
  return text.slice(from, to).endsWith("\n") ? "\n" : "";
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

function formatBlock(value: Json, indentation: number): string {
  const lines = stringifyVisible(value, { defaultStringType: stringStyle(value) })
    .trimEnd()
    .split("\n");
  return lines.join(`\n${" ".repeat(indentation)}`);
}

/** Formats a value on one line, valid inside and outside of braces. It keeps the quotes of the old value. */
function formatInline(value: Json, old?: Node): string {
  const scalar = new Scalar(value);
  if (typeof value === "string" && isScalar(old) && (old.type === "QUOTE_DOUBLE" || old.type === "QUOTE_SINGLE"))
    scalar.type = stringStyle(value) === "QUOTE_DOUBLE" ? "QUOTE_DOUBLE" : old.type;
  const content = typeof value === "object" && value !== null ? value : scalar;
  const text = stringifyVisible([content], { collectionStyle: "flow", defaultStringType: stringStyle(value) });
  return text.trim().slice(1, -1).trim();
}

/** Double quotes keep text with line breaks on one line, and show invisible characters as escapes. */
function stringStyle(value: Json): "PLAIN" | "QUOTE_DOUBLE" {
  const text = JSON.stringify(value);
  return text.includes(String.raw`\n`) || hasInvisible(text) || /\\[bfrtu]/u.test(text) ? "QUOTE_DOUBLE" : "PLAIN";
}

/** Quotes keys like values, never wraps quoted text, and escapes invisible characters. */
function stringifyVisible(
  value: unknown,
  style: Pick<ToStringOptions, "collectionStyle" | "defaultStringType">,
): string {
  const isQuoted = style.defaultStringType === "QUOTE_DOUBLE";
  const options = {
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    ...style,
    ...(isQuoted ? { defaultKeyType: "QUOTE_DOUBLE" as const } : {}),
  };
  return escapeInvisible(stringify(value, options));
}
