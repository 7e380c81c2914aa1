import { isMap, isScalar, isSeq, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from "yaml";
import { isJsonObject, isValueObject, type Json, type Value } from "../../model/json/json.ts";
import { escapeInvisibleJson, hasInvisible } from "../../model/text/invisible.ts";
import { compact, compactResources, withoutPaddings } from "./compact.ts";
import type { SourceText } from "./source-text.ts";
import { hasBlankLine, rawValue, textNode, yamlNode, yamlText } from "./yaml-text.ts";

/** The most columns of a collection that is written on one line although the file leaves the choice. */
const MAX_INLINE = 80;

/** Whether a value is better read on several lines. */
export function isLong(value: Value, source: SourceText): boolean {
  return formatInline(value, source).length > MAX_INLINE;
}

export function isNonEmptyCollection(value: Value): boolean {
  return (Array.isArray(value) || isValueObject(value)) && Object.keys(value).length > 0;
}

/** A value as lines that stand at a column; the first one is not indented. What is in it stands as an export writes it. */
export function formatBlock(
  value: Value,
  column: number,
  { step, comments }: SourceText,
  compactMember: (node: Node) => void = compactResources,
): string {
  const node = yamlNode(value, comments);
  if (isMap<Node, Node>(node)) for (const pair of node.items) if (pair.value !== null) compactMember(pair.value);
  if (isSeq<Node>(node)) for (const item of node.items) compact(item);
  const text = yamlText(node, { indent: step });
  // Blanks and empty lines before the last line end belong to a text.
  const lines = text.replace(/\n$/, "").split("\n");
  return lines.map((line, index) => (index === 0 || line === "" ? line : " ".repeat(column) + line)).join("\n");
}

/** The most columns of a line to which a collection is added between brackets. */
export const MAX_LINE = 100;

/**
 * A value between brackets. A collection that is too long for its line, or that has a comment, gets a line for each part.
 *
 * @param indent column at which its last bracket stands then
 * @param column where it begins
 */
export function formatFlow(value: Value, indent: number, column: number, source: SourceText): string {
  const inline = formatInline(value, source);
  const isShort = column + inline.length <= MAX_LINE && !hasComment(value, source);
  if (isShort || !isNonEmptyCollection(value)) return inline;
  const inner = indent + source.step;
  const [open, close, parts] = Array.isArray(value)
    ? ["[", "]", value.map((item: Value) => formatFlow(item, inner, inner, source))]
    : ["{", "}", formatMembers(membersOf(value), inner, source)];
  const comment = isValueObject(value) ? source.comments?.get(value) : undefined;
  const comments = comment === undefined ? [] : comment.split("\n").map((line) => `# ${line}`);
  const pad = `\n${" ".repeat(inner)}`;
  return `${open}${[...comments, parts.join(`,${pad}`)].map((line) => pad + line).join("")}\n${" ".repeat(indent)}${close}`;
}

export interface ValueMember {
  readonly key: string;
  readonly value: Value;
}

/** Members between brackets, each of them for a line of its own that begins at a column. */
export function formatMembers(members: readonly ValueMember[], column: number, source: SourceText): readonly string[] {
  return members.map(({ key, value }) => {
    const start = `${formatInline(key, source)}: `;
    return start + formatFlow(value, column, column + start.length, source);
  });
}

export function hasComment(value: Value, source: Pick<SourceText, "comments">): boolean {
  const { comments } = source;
  if (comments === undefined || comments.size === 0) return false;
  if (Array.isArray(value)) return value.some((item: Value) => hasComment(item, source));
  return isValueObject(value) && (comments.has(value) || membersOf(value).some((one) => hasComment(one.value, source)));
}

function membersOf(value: Value): readonly ValueMember[] {
  return isValueObject(value) ? Object.entries(value).map(([key, item]) => ({ key, value: item })) : [];
}

/** A value on one line, valid inside and outside of braces. It keeps the quotes of the old value. */
export function formatInline(value: Value, { isJson }: Pick<SourceText, "isJson">, old?: Node): string {
  const raw = rawValue(value);
  if (isJson) return escapeInvisibleJson(inlineJson(raw));
  const node = typeof raw === "string" ? quotedScalar(raw, old) : yamlNode(value);
  const isLined = JSON.stringify(raw).includes(String.raw`\n`);
  const list = new YAMLSeq();
  list.items = [node];
  withoutPaddings(node);
  const text = yamlText(list, {
    collectionStyle: "flow",
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: true,
    ...(isLined ? { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "QUOTE_DOUBLE" } : {}),
  });
  return text.trim().slice(1, -1).trim();
}

/** A value on the line of its key, or of its dash, outside of braces: a text has fewer quotes there. */
export function formatBeside(value: Value, source: Pick<SourceText, "isJson">, old?: Node): string {
  const raw = rawValue(value);
  if (source.isJson || typeof raw !== "string") return formatInline(value, source, old);
  const map = new YAMLMap();
  map.items = [new Pair(new Scalar("k"), quotedScalar(raw, old))];
  return yamlText(map, { doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER }).slice("k: ".length).trimEnd();
}

/** JSON on one line, with the blanks that people write. */
function inlineJson(raw: Json): string {
  if (Array.isArray(raw)) return `[${raw.map((item: Json) => inlineJson(item)).join(", ")}]`;
  if (!isJsonObject(raw)) return JSON.stringify(raw);
  const members = Object.entries(raw).map(([key, item]) => `${JSON.stringify(key)}: ${inlineJson(item)}`);
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** A text in the quotes of the old one. Double quotes show line breaks and invisible characters as escapes. */
function quotedScalar(text: string, old?: Node): Scalar<string> {
  const scalar = textNode(text);
  if (scalar.type !== undefined) return scalar;
  if (text.includes("\n")) scalar.type = "QUOTE_DOUBLE";
  else if (isScalar(old) && (old.type === "QUOTE_DOUBLE" || old.type === "QUOTE_SINGLE")) scalar.type = old.type;
  return scalar;
}

/**
 * A text as a literal or folded block, without the line end. Undefined if a block cannot hold it.
 *
 * @param column where the lines begin
 * @param parent column of the key, or of the item, that holds the text
 */
export function formatText(
  text: string,
  type: Scalar.BLOCK_LITERAL | Scalar.BLOCK_FOLDED,
  column: number,
  parent: number,
): string | undefined {
  if (hasInvisible(text) || text === "" || /^\s/.test(text) || hasBlankLine(text)) return undefined;
  const scalar = new Scalar(text);
  scalar.type = type;
  const map = new YAMLMap();
  map.items = [new Pair(new Scalar("k"), scalar)];
  const width = type === Scalar.BLOCK_FOLDED ? { lineWidth: 100 } : {};
  const written = yamlText(map, {
    indent: 2,
    blockQuote: type === Scalar.BLOCK_FOLDED ? "folded" : "literal",
    ...width,
  });
  const header = /^k: ([|>][+-]?)\n/.exec(written);
  if (header === null) return undefined;
  const indent = " ".repeat(Math.max(column - parent, 1) + parent);
  const lines = written.slice(header[0].length).replace(/\n$/, "").split("\n");
  return [header[1] ?? "", ...lines.map((line) => (line.trim() === "" ? "" : indent + line.slice(2)))].join("\n");
}
