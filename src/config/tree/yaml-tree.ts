import {
  type Alias,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Node as YamlNode,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
} from "yaml";
import { isExact } from "../../model/json/exact-number.ts";
import { hasCurlyQuotes } from "../../model/text/quote.ts";
import { COPIED } from "../hints.ts";
import type { ProblemDetail, Problems } from "../problems.ts";
import {
  describePlace,
  scalarText,
  type Member,
  type Node,
  type ScalarNode,
  type Source,
  type TreePosition,
} from "./tree.ts";

/** The limit on nesting. Deeper documents are accidents or attacks, and would exhaust the stack later. */
const MAX_DEPTH = 200;

/**
 * A document is an alias bomb if its aliases add more than 500,000 values and more than ten times the written values.
 * The limit of the library is no substitute: it counts the uses of an alias, which are frequent in a long file.
 */
const MAX_ALIAS_VALUES = 500_000;
const MAX_ALIAS_RATIO = 10;

interface YamlConversion {
  readonly source: Source;
  readonly problems: Problems;
  /** By anchor: the node and its number of values. Null while the node is being converted. */
  readonly anchors: Map<string, { readonly node: Node; readonly size: number } | null>;
  /** The number of written values, and the number of values with aliases expanded. */
  written: number;
  total: number;
  depth: number;
  failed: boolean;
}

/**
 * Converts a document into a tree. It reports a value that JSON cannot represent, or an alias bomb, and returns
 * undefined.
 */
export function convertYaml(contents: ParsedNode | null, source: Source, problems: Problems): Node | undefined {
  const conversion = { source, problems, anchors: new Map(), written: 0, total: 0, depth: 0, failed: false };
  const node = toNode(contents, conversion, 0);
  return conversion.failed ? undefined : node;
}

function toNode(yaml: YamlNode | null, conversion: YamlConversion, offset: number): Node {
  const mark = yaml?.range?.[0] ?? offset;
  if (isAlias(yaml)) return resolveAlias(yaml, mark, conversion);
  const anchor = isScalar(yaml) || isMap(yaml) || isSeq(yaml) ? yaml.anchor : undefined;
  if (anchor !== undefined) conversion.anchors.set(anchor, null);
  const before = conversion.total;
  conversion.written++;
  conversion.total++;
  conversion.depth++;
  const node =
    conversion.depth > MAX_DEPTH
      ? fail(conversion, mark, {
          code: "too_deep",
          message: `the document has more than ${MAX_DEPTH} levels of nesting`,
        })
      : convertContent(yaml, mark, conversion);
  conversion.depth--;
  if (anchor !== undefined) conversion.anchors.set(anchor, { node, size: conversion.total - before });
  return node;
}

function convertContent(yaml: YamlNode | null, mark: number, conversion: YamlConversion): Node {
  const { source } = conversion;
  if (isScalar(yaml)) return convertScalar(yaml, mark, conversion);
  const special = /^tag:yaml\.org,2002:(?!map$|seq$)(.*)/.exec(yaml?.tag ?? "")?.[1];
  if (special !== undefined)
    return fail(conversion, mark, { code: "not_json", message: `JSON cannot represent the type !!${special}` });
  if (isMap(yaml)) return { type: "map", source, mark, members: convertMembers(yaml, conversion) };
  if (!isSeq(yaml)) return { type: "scalar", source, mark, value: null };
  const items = yaml.items.map((item) => toNode(nodeFrom(item), conversion, mark));
  return { type: "list", source, mark, items };
}

function convertScalar({ value, source: text, type }: Scalar, mark: number, conversion: YamlConversion): Node {
  const { source } = conversion;
  if (typeof value === "number") {
    if (!Number.isFinite(value))
      return fail(conversion, mark, { code: "not_json", message: `JSON cannot represent ${text}` });
    // 12345678901234567890 would be sent as 12345678901234567000, and 9007199254740993.0 as 9007199254740992.
    if (Number.isInteger(value) && !Number.isSafeInteger(value) && !isExactFloat(text ?? "")) {
      const message = `${text} is too large to be exact`;
      return fail(conversion, mark, { code: "not_json", message, hint: "Put it in quotes." });
    }
    return written({ type: "scalar", source, mark, value }, text);
  }
  if (typeof value === "boolean") return written({ type: "scalar", source, mark, value }, text);
  if (value === null || typeof value === "string") {
    if (type === "PLAIN" && typeof value === "string") warnAboutCurlyQuotes(value, { source, mark }, conversion);
    return { type: "scalar", source, mark, value };
  }
  return fail(conversion, mark, { code: "not_json", message: "JSON cannot represent this value" });
}

/** YAML knows only straight quotes: others are part of the value. */
function warnAboutCurlyQuotes(text: string, place: TreePosition, { problems }: YamlConversion): void {
  if (!hasCurlyQuotes(text)) return;
  const message = "the curly quotes around the text are part of it";
  problems.warning(place, { code: "curly_quotes", message, hint: `Use straight quotes: "${text.slice(1, -1)}".` });
}

/** Keeps what stands in the file, for messages. Most values are written as they are read, and need no memory for it. */
function written(node: ScalarNode, text: string | undefined): Node {
  return text === undefined || text === scalarText(node) ? node : { ...node, written: text };
}

/** Whether digits with a point or an exponent are exactly the number that they are parsed as. */
function isExactFloat(text: string): boolean {
  return !/^[-+]?(?:\d+$|0[ox])/i.test(text) && isExact(text);
}

function resolveAlias(alias: Alias, mark: number, conversion: YamlConversion): Node {
  const anchor = conversion.anchors.get(alias.source);
  if (anchor === null)
    return fail(conversion, mark, { code: "alias_bomb", message: `*${alias.source} contains itself` });
  if (anchor === undefined)
    return fail(conversion, mark, { code: "yaml_syntax", message: `no anchor &${alias.source} precedes this alias` });
  conversion.written++;
  conversion.total += anchor.size;
  const added = conversion.total - conversion.written;
  if (added > MAX_ALIAS_VALUES && added > MAX_ALIAS_RATIO * conversion.written) {
    const message = "aliases expand the document to many times its written size";
    return fail(conversion, mark, { code: "alias_bomb", message, hint: "Write the values out, or use ${var:...}." });
  }
  return anchor.node;
}

/**
 * Converts the members. Explicit keys win over merged ones in any order. Of several merged keys, the first one wins.
 */
function convertMembers(map: YAMLMap, conversion: YamlConversion): ReadonlyMap<string, Member> {
  const { source } = conversion;
  const members = new Map<string, Member>();
  const merged: Member[] = [];
  for (const pair of map.items) {
    const yamlKey = nodeFrom(pair.key);
    const mark = yamlKey?.range?.[0] ?? map.range?.[0] ?? 0;
    if (isMergeKey(yamlKey)) {
      merged.push(...mergedMembers(nodeFrom(pair.value), mark, conversion));
      continue;
    }
    const key = convertKey(yamlKey, mark, conversion);
    const value = toNode(nodeFrom(pair.value), conversion, mark);
    if (key === undefined) continue;
    const first = members.get(key);
    if (first === undefined) members.set(key, { key, source, mark, value });
    else {
      const message = `${key} appears twice in this mapping, first at ${describePlace(first)}`;
      const isBlock = value.type === "map" && (value.members.has("id") || value.members.has("name"));
      fail(conversion, mark, { code: "duplicate_key", message, hint: isBlock ? COPIED : "Remove one of them." });
    }
  }
  for (const member of merged) if (!members.has(member.key)) members.set(member.key, member);
  return members;
}

/** The types of the library allow any value in a collection, but parsed collections contain only nodes. */
function nodeFrom(value: unknown): YamlNode | null {
  return isNode(value) ? value : null;
}

function isMergeKey(key: YamlNode | null): boolean {
  return isScalar(key) && key.source === "<<" && (key.type === undefined || key.type === "PLAIN");
}

function mergedMembers(value: YamlNode | null, mark: number, conversion: YamlConversion): readonly Member[] {
  const node = toNode(value, conversion, mark);
  const nodes = node.type === "list" ? node.items : [node];
  return nodes.flatMap((item) => {
    if (item.type === "map") return [...item.members.values()];
    if (item.type !== "broken")
      fail(conversion, mark, { code: "yaml_syntax", message: "<< requires a mapping or a list of mappings" });
    return [];
  });
}

/** Accepts a number as its written text, because project ids are keys. */
function convertKey(key: YamlNode | null, mark: number, conversion: YamlConversion): string | undefined {
  if (isScalar(key)) {
    if (typeof key.value === "string") return key.value;
    if (typeof key.value === "number" && String(key.value) === key.source) return key.source;
  }
  const text = isScalar(key) ? key.source : undefined;
  const [found, hint] = text ? [`key ${text}`, `Put it in quotes: "${text}".`] : ["this key", keyHint(key)];
  fail(conversion, mark, { code: "non_string_key", message: `${found} is not a string`, hint });
  return undefined;
}

/** In YAML, `{{ name }}` is a mapping whose key is a mapping. */
function keyHint(key: YamlNode | null): string {
  return isMap(key) ? "Write ${var:NAME} for a variable: double braces are those of other tools." : "Put it in quotes.";
}

function fail(conversion: YamlConversion, mark: number, detail: ProblemDetail): Node {
  const place = { source: conversion.source, mark };
  // One alias bomb or deep document causes many such errors, so only the first is reported.
  const silent = conversion.failed && (detail.code === "alias_bomb" || detail.code === "too_deep");
  if (!silent) conversion.problems.error(place, detail);
  conversion.failed = true;
  return { type: "broken", ...place };
}
