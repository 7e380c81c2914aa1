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
export function spliceFor({ node, parent, path }: Located, value: Json, text: string): Splice {
  if (node === undefined) return addition(parent, path.at(-1) ?? "", value, text);
  const [from, to] = [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
  if (isBlock(node)) {
    const same = Array.isArray(value) ? !isMap(node) : isMap(node);
    if (same && isFilled(value)) return { from, to, text: block(value, columnOf(text, from)) + ending(text, from, to) };
    // One line takes the place of several: it stands behind its key.
    const start = typeof parent === "object" && "afterKey" in parent ? text.indexOf(":", parent.afterKey) + 1 : from;
    return { from: start, to, text: `${start === from ? "" : " "}${inline(value)}${ending(text, from, to)}` };
  }
  const space = text[from - 1] === ":" ? " " : "";
  return { from, to, text: space + inline(value, node) + ending(text, from, to) };
}

/** The new member comes first: behind the last one, comments may follow. */
function addition(parent: Located["parent"], key: string, value: Json, text: string): Splice {
  const first = typeof parent === "object" && "map" in parent ? parent.map.items[0]?.key : undefined;
  const from = isScalar(first) ? (first.range?.[0] ?? 0) : 0;
  const isFlow = typeof parent === "object" && "map" in parent && parent.map.flow === true;
  const between = isFlow ? ", " : `\n${" ".repeat(columnOf(text, from))}`;
  return { from, to: from, text: `${inline(key)}: ${inline(value)}${between}` };
}

function isBlock(node: Node): boolean {
  return isCollection(node) && node.flow !== true;
}

function isFilled(value: Json): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** Blocks end with the line that they end on. */
function ending(text: string, from: number, to: number): string {
  return text.slice(from, to).endsWith("\n") ? "\n" : "";
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf("\n", offset - 1) + 1);
}

function block(value: Json, indentation: number): string {
  const lines = written(value, { defaultStringType: stringType(value) })
    .trimEnd()
    .split("\n");
  return lines.join(`\n${" ".repeat(indentation)}`);
}

/** On one line, right inside of braces as outside of them; quoted as what was there. */
function inline(value: Json, old?: Node): string {
  const scalar = new Scalar(value);
  if (typeof value === "string" && isScalar(old) && (old.type === "QUOTE_DOUBLE" || old.type === "QUOTE_SINGLE"))
    scalar.type = stringType(value) === "QUOTE_DOUBLE" ? "QUOTE_DOUBLE" : old.type;
  const content = typeof value === "object" && value !== null ? value : scalar;
  const text = written([content], { collectionStyle: "flow", defaultStringType: stringType(value) });
  return text.trim().slice(1, -1).trim();
}

/** Text of several lines would become a block of its own; what cannot be seen is written as a code. */
function stringType(value: Json): "PLAIN" | "QUOTE_DOUBLE" {
  const text = JSON.stringify(value);
  return text.includes(String.raw`\n`) || hasInvisible(text) || /\\[bfrtu]/u.test(text) ? "QUOTE_DOUBLE" : "PLAIN";
}

/** Keys are quoted like the values. A text in quotes stays on its line, however long it is. */
function written(value: unknown, style: Pick<ToStringOptions, "collectionStyle" | "defaultStringType">): string {
  const isQuoted = style.defaultStringType === "QUOTE_DOUBLE";
  const options = {
    lineWidth: 0,
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    ...style,
    ...(isQuoted ? { defaultKeyType: "QUOTE_DOUBLE" as const } : {}),
  };
  return escapeInvisible(stringify(value, options));
}
