/**
 * YAML as driftline writes it: what is written is read back as the same value, by YAML 1.1 as well as 1.2.
 *
 * Premise: a literal `${` would be read as an expression, so it becomes `$${`. Strings that YAML 1.1 would read as another type
 * are quoted. Invisible characters are written as escapes, because they make text look like other text.
 */
import { Document, isNode, Pair, Scalar, YAMLMap, YAMLSeq, type Node, type ToStringOptions } from "yaml";
import { escapeInvisible, hasInvisible } from "../../model/text/invisible.ts";
import { withoutCommands } from "../../model/pipeline-commands.ts";
import type { Comments } from "../edit.ts";
import { hasCurlyQuotes } from "../../model/text/quote.ts";
import { isValueObject, Secret, type Json, type Value, type ValueObject } from "../../model/json/json.ts";

/** The text of a value, ending in a line end. Lines are never folded unless `options` says so. */
export function yamlText(node: Node, options: ToStringOptions = {}): string {
  const document = new Document(node, { version: "1.2", schema: "core", compat: "yaml-1.1" });
  return escapeInvisible(document.toString({ lineWidth: 0, ...options }));
}

/** A value as a node. Secrets become their expressions. */
export function yamlNode(value: Value, comments: Comments = new Map()): Node {
  if (value instanceof Secret) return textNode(value.expression);
  if (typeof value === "string") return textNode(escapeDollar(value));
  if (typeof value === "number") return numberNode(value);
  if (Array.isArray(value)) {
    const list = new YAMLSeq();
    list.items = value.map((item: Value) => yamlNode(item, comments));
    return list;
  }
  return isValueObject(value) ? mapNode(value, comments) : new Scalar(value);
}

/** A value as a parser reads its text: with expressions, and with `$${`. */
export function rawValue(value: Value): Json {
  if (value instanceof Secret) return value.expression;
  if (typeof value === "string") return escapeDollar(value);
  if (Array.isArray(value)) return value.map((item: Value) => rawValue(item));
  if (!isValueObject(value)) return JSON.parse(JSON.stringify(value)) as Json;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rawValue(item)]));
}

function mapNode(value: ValueObject, comments: Comments): Node {
  const map = new YAMLMap<Node, Node>();
  map.items = Object.entries(value).map(([key, item]) => new Pair(textNode(key), yamlNode(item, comments)));
  const comment = comments.get(value);
  const first = map.items[0]?.value;
  if (comment !== undefined && isPage(comment) && isNode(first)) first.comment = ` ${comment}`;
  else if (comment !== undefined) map.commentBefore = comment.replaceAll(/^/gm, " ");
  return map;
}

/** Whether a comment is the address of a page. */
function isPage(comment: string): boolean {
  return /^https?:\S+$/u.test(comment);
}

/**
 * A string. It is quoted if it would be read as a merge key, if it has invisible characters, if curly quotes or blanks of any kind are
 * around it, if the library would lose blanks of a block scalar, or if it has a command of a pipeline, which is escaped when it is printed.
 */
export function textNode(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  const isInBlanks = /^\s|[^\S\n]$/u.test(text) || hasBlankLine(text);
  const isPlain =
    !/^(<<|=)$/u.test(text) && !hasInvisible(text) && !hasCurlyQuotes(text) && withoutCommands(text) === text;
  if (isInBlanks || !isPlain) scalar.type = "QUOTE_DOUBLE";
  return scalar;
}

/** Whether a line of a text has nothing but blanks, which a block of text would lose. */
export function hasBlankLine(text: string): boolean {
  return text.includes("\n") && /^[^\S\n]+$/mu.test(text);
}

/** An integer beyond the safe range is written as a floating-point number. */
function numberNode(value: number): Scalar {
  const scalar = new Scalar(value);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) scalar.format = "EXP";
  return scalar;
}

/** A text that is read as itself, and not as an expression. Uses a function, because `$$` in a replacement string means one `$`. */
export function escapeDollar(text: string): string {
  return text.replaceAll("${", () => "$${");
}
