import { Document, Pair, Scalar, YAMLMap, YAMLSeq, type Node } from "yaml";
import { escapeInvisible, hasInvisible } from "../model/invisible.ts";
import { isValueObject, Secret, type Value, type ValueObject } from "../model/json.ts";

/** Names the schema for editors with a YAML language server. They resolve the path relative to the file. */
const modeline = (up: string): string =>
  `# yaml-language-server: $schema=${up}node_modules/driftline/schemas/config.schema.json`;

type Comments = ReadonlyMap<ValueObject, string>;

/**
 * The text of a configuration: YAML 1.2 in block style without folded lines. Strings are quoted if YAML 1.1 would read them as
 * another type. A literal `${` in a string becomes `$${`.
 *
 * @param comments comments above mappings, by mapping
 * @param up the relative path to the folder in which driftline is installed, such as `../`
 */
export function renderDocument(tree: ValueObject, comments: Comments, up = ""): string {
  const document = new Document(toNode(tree, comments), { version: "1.2", schema: "core", compat: "yaml-1.1" });
  return `${modeline(up)}\n${escapeInvisible(document.toString({ lineWidth: 0 }))}`;
}

function toNode(value: Value, comments: Comments): Node {
  if (value instanceof Secret) return textNode(value.expression);
  if (typeof value === "string") return textNode(escapeDollar(value));
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
 * A string. It is quoted if it would be read as a merge key, if it has invisible characters, or if the library would lose
 * blanks of a block scalar.
 */
function textNode(text: string): Scalar {
  const scalar = new Scalar(text);
  const losesBlanks = text.includes("\n") && (/^\s/.test(text) || /^[ \t]+$/m.test(text));
  if (losesBlanks || /^(<<|=)$/u.test(text) || hasInvisible(text)) scalar.type = "QUOTE_DOUBLE";
  return scalar;
}

/** An integer beyond the safe range is written as a floating-point number. */
function numberNode(value: number): Scalar {
  const scalar = new Scalar(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) scalar.format = "EXP";
  return scalar;
}

/** Uses a function, because `$$` in a replacement string means one `$`. */
function escapeDollar(text: string): string {
  return text.replaceAll("${", () => "$${");
}
