import { isScalar, Scalar, type Node } from "yaml";
import type { Value } from "../../model/json.ts";
import { hasInvisible } from "../../model/invisible.ts";
import type { SourceText } from "./source-text.ts";
import { rawValue, textNode, yamlNode, yamlText } from "../yaml-text.ts";

/** The most columns of a collection that is written on one line although the file leaves the choice. */
const MAX_INLINE = 80;

/** Whether a value is better read on several lines. */
export function isLong(value: Value): boolean {
  return formatInline(value).length > MAX_INLINE;
}

export function isNonEmptyCollection(value: Value): boolean {
  const raw = rawValue(value);
  return typeof raw === "object" && raw !== null && Object.keys(raw).length > 0;
}

/** A value as lines that stand at a column; the first one is not indented. */
export function formatBlock(value: Value, column: number, { step, comments }: SourceText): string {
  const lines = yamlText(yamlNode(value, comments), { indent: step }).trimEnd().split("\n");
  return lines.map((line, index) => (index === 0 || line === "" ? line : " ".repeat(column) + line)).join("\n");
}

/** A value on one line, valid inside and outside of braces. It keeps the quotes of the old value. */
export function formatInline(value: Value, old?: Node): string {
  const raw = rawValue(value);
  const node = typeof raw === "string" ? quoted(raw, old) : yamlNode(value);
  const isLined = JSON.stringify(raw).includes(String.raw`\n`);
  const text = yamlText(asList(node), {
    collectionStyle: "flow",
    doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
    flowCollectionPadding: true,
    ...(isLined ? { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "QUOTE_DOUBLE" } : {}),
  });
  return text.trim().slice(1, -1).trim();
}

function asList(node: Node): Node {
  const list = yamlNode([null]);
  if ("items" in list && Array.isArray(list.items)) list.items = [node];
  return list;
}

/** A text in the quotes of the old one. Double quotes show line breaks and invisible characters as escapes. */
function quoted(text: string, old?: Node): Scalar<string> {
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
  if (hasInvisible(text) || text === "" || /^\s/.test(text) || /^[ \t]+$/m.test(text)) return undefined;
  const scalar = new Scalar(text);
  scalar.type = type;
  const map = yamlNode({ k: null });
  if ("items" in map && Array.isArray(map.items)) (map.items[0] as { value: unknown }).value = scalar;
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
