import { isCollection, isMap, isScalar, Scalar, stringify, type Node, type ToStringOptions } from "yaml";
import type { Json } from "../../model/json.ts";
import { escapeInvisible, hasInvisible } from "../../model/invisible.ts";
import type { Located } from "./locate.ts";

/** A piece of text, by offsets, and what takes its place. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** What puts a value at a place, in the style of what stands there. */
export function createSplice({ node, parent, path }: Located, value: Json, text: string): Splice {
  if (node === undefined) return insertMember(parent, path.at(-1) ?? "", value, text);
  const [from, to] = [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
  if (isBlock(node)) {
    const same = Array.isArray(value) ? !isMap(node) : isMap(node);
    if (same && isNonEmpty(value))
      return { from, to, text: formatBlock(value, columnOf(text, from)) + finalLineEnd(text, from, to) };
    // One line takes the place of several: it stands behind its key.
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

/** The new member comes first: behind the last one, comments may follow. */
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

/** Blocks end with the line that they end on. */
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

/** On one line, right inside of braces as outside of them; quoted as what was there. */
function formatInline(value: Json, old?: Node): string {
  const scalar = new Scalar(value);
  if (typeof value === "string" && isScalar(old) && (old.type === "QUOTE_DOUBLE" || old.type === "QUOTE_SINGLE"))
    scalar.type = stringStyle(value) === "QUOTE_DOUBLE" ? "QUOTE_DOUBLE" : old.type;
  const content = typeof value === "object" && value !== null ? value : scalar;
  const text = stringifyVisible([content], { collectionStyle: "flow", defaultStringType: stringStyle(value) });
  return text.trim().slice(1, -1).trim();
}

/** Text of several lines would become a block of its own; what cannot be seen is written as a code. */
function stringStyle(value: Json): "PLAIN" | "QUOTE_DOUBLE" {
  const text = JSON.stringify(value);
  return text.includes(String.raw`\n`) || hasInvisible(text) || /\\[bfrtu]/u.test(text) ? "QUOTE_DOUBLE" : "PLAIN";
}

/** Keys are quoted like the values. A text in quotes stays on its line, however long it is. */
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
