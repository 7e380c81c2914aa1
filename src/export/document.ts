import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from "yaml";
import { escapeInvisible, hasInvisible } from "../model/invisible.ts";
import { isValueObject, Secret, type Value, type ValueObject } from "../model/json.ts";

/** For editors with a YAML language server: completion and checks while typing. They look from where the file lies. */
const modeline = (up: string): string =>
  `# yaml-language-server: $schema=${up}node_modules/driftline/schemas/config.schema.json`;

type Comments = ReadonlyMap<ValueObject, string>;

/**
 * The text of a configuration: YAML 1.2 in block style, strings quoted where YAML 1.1 would take them for something else,
 * no line folded. A literal `${` in a string is written as `$${`.
 *
 * @param comments remarks that are written above mappings, by the mapping
 * @param up the way to the folder in which driftline is installed, such as `../`
 */
export function renderDocument(tree: ValueObject, comments: Comments, up = ""): string {
  const document = new Document(toNode(tree, comments), { version: "1.2", schema: "core", compat: "yaml-1.1" });
  return `${modeline(up)}\n${escapeInvisible(document.toString({ lineWidth: 0 }))}`;
}

function toNode(value: Value, comments: Comments): Node {
  if (value instanceof Secret) return textNode(value.expression);
  if (typeof value === "string") return textNode(escape(value));
  if (typeof value === "number") return numberNode(value);
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map((item: Value) => toNode(item, comments));
    return list;
  }
  return isValueObject(value) ? mapNode(value, comments) : new Scalar(value);
}

function mapNode(value: ValueObject, comments: Comments): Node {
  const map = new YAMLMap();
  map.items = Object.entries(value).map(([key, item]) => new Pair(textNode(key), toNode(item, comments)));
  const comment = comments.get(value);
  if (comment !== undefined) map.commentBefore = comment.replaceAll(/^/gm, " ");
  return map;
}

/**
 * Quoted where it would be a merge, where characters that cannot be seen would stand in the file as they are, and where the
 * library loses blanks of a block of lines.
 */
function textNode(text: string): Scalar {
  const scalar = new Scalar(text);
  const isLines = text.includes("\n") && (/^\s/.test(text) || /^[ \t]+$/m.test(text));
  if (isLines || /^(<<|=)$/u.test(text) || hasInvisible(text)) scalar.type = "QUOTE_DOUBLE";
  return scalar;
}

/** An integer that may not be exact is written as the floating-point number that it is. */
function numberNode(value: number): Scalar {
  const scalar = new Scalar(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) scalar.format = "EXP";
  return scalar;
}

/** In a replacement `$$` stands for one `$`: hence a function. */
function escape(text: string): string {
  return text.replaceAll("${", () => "$${");
}
