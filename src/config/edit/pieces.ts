import { isCollection, isMap, isNode, isScalar, Scalar, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Value } from "../../model/json.ts";
import { formatBlock, formatInline, formatText, isLong, isNonEmptyCollection, isShortList } from "./format.ts";
import { addToFlow, afterFlow, beforeFlow, flowAt, inlineMembers, removeFlow } from "./flow.ts";
import {
  columnOf,
  commentsIn,
  contentEnd,
  isBlank,
  isBlock,
  isEmpty,
  isFlow,
  lineStart,
  nextLine,
  pairEnd,
  type SourceText,
  type Splice,
} from "./source-text.ts";

/** The member or the element that a node is the value of. */
export type Holder =
  | { readonly type: "pair"; readonly map: YAMLMap; readonly pair: Pair }
  | { readonly type: "item"; readonly list: YAMLSeq; readonly index: number };

/** Writes a value in the place of another one. */
export function replaceNode(source: SourceText, node: Node, holder: Holder, value: Value): readonly Splice[] {
  const { text } = source;
  const from = node.range?.[0] ?? 0;
  const to = contentEnd(node, text);
  const outer = holder.type === "pair" ? holder.map : holder.list;
  const column = columnOf(text, holder.type === "pair" ? keyStart(holder.pair) : from);
  if (outer.flow === true) {
    const written = isNonEmptyCollection(value) ? flowAt(source, from, value, outer) : formatInline(value, node);
    return [{ from, to, text: space(text, from) + written }];
  }
  const isLoose = !isFlow(node) || (isCollection(node) && node.items.length === 0);
  const comments = isLoose && isFlow(node) ? commentsIn(source, from, to) : "";
  const isLined = isNonEmptyCollection(value) && (isBlock(node) || (isLoose && (isLong(value) || comments !== "")));
  if (isBlock(node) && isNonEmptyCollection(value) && holder.type === "pair") {
    const inner = Math.max(columnOf(text, from), column + 1);
    return [overBlock(source, from, to, inner, formatBlock(value, inner, source))];
  }
  if (isLined && holder.type === "pair") {
    const inner = column + source.step;
    const block = `${comments}${" ".repeat(inner)}${formatBlock(value, inner, source)}\n`;
    // A comment on the line of the key stays there.
    const gone = isFlow(node) ? [{ from: text.slice(0, from).trimEnd().length, to, text: "" }] : [];
    if (isEmpty(node) || isFlow(node)) return [...gone, lines(source, nextLine(text, to), block)];
    return [{ from, to, text: `\n${block.trimEnd()}` }];
  }
  if (isBlock(node)) return inlineOverBlock(source, node, holder, value);
  const styled = isBlockText(node) && typeof value === "string" ? textLines(source, node, value, column) : undefined;
  return [{ from, to, text: styled ?? space(text, from) + formatInline(value, node) }];
}

/** One line replaces several, so it moves up to the line of its key. Comments between them stay. */
function inlineOverBlock(source: SourceText, node: Node, holder: Holder, value: Value): readonly Splice[] {
  const { text } = source;
  const [from, to] = [node.range?.[0] ?? 0, contentEnd(node, text)];
  const comments = commentsIn(source, from, to);
  const after = comments === "" ? [] : [lines(source, nextLine(text, to), comments)];
  if (holder.type === "item") return [{ from, to, text: formatInline(value) }, ...after];
  const colon = text.indexOf(":", isNode(holder.pair.key) ? (holder.pair.key.range?.[1] ?? 0) : 0) + 1;
  // Between the colon and the block there are only blanks and comments.
  return [
    { from: colon, to: colon, text: ` ${formatInline(value)}` },
    { from: lineStart(text, from), to: nextLine(text, to), text: comments },
  ];
}

function textLines({ text, step }: SourceText, node: Node, value: string, column: number): string | undefined {
  if (!isScalar(node)) return undefined;
  const source = text.slice(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
  const indent = /\n( +)\S/.exec(source)?.[1]?.length ?? column + step;
  const type = node.type === "BLOCK_FOLDED" ? Scalar.BLOCK_FOLDED : Scalar.BLOCK_LITERAL;
  const written = formatText(
    value.replaceAll("${", () => "$${"),
    type,
    indent,
    column,
  );
  // The header may have a comment.
  const comment = /^[^\n#]*?([ \t]+#[^\r\n]*)/.exec(source)?.[1] ?? "";
  return written?.replace("\n", () => `${comment}\n`);
}

function isBlockText(node: Node): boolean {
  return isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");
}

/** A member that is added to a mapping. */
export interface NewMember {
  readonly key: string;
  readonly value: Value;
  /** Whether it goes before the others, as an id does. */
  readonly first: boolean;
}

/** Removes members of a mapping, and adds others. All changes of the members of one mapping have to be made together. */
export function changeMembers(
  source: SourceText,
  map: YAMLMap,
  holder: Holder,
  removed: readonly Pair[],
  added: readonly NewMember[],
): readonly Splice[] {
  if (removed.length < map.items.length)
    return [...removeMembers(source, map, removed), ...insertMembers(source, map, added)];
  // Nothing is left, or there was nothing.
  return replaceNode(source, map, holder, Object.fromEntries(added.map(({ key, value }) => [key, value])));
}

function insertMembers(source: SourceText, map: YAMLMap, added: readonly NewMember[]): readonly Splice[] {
  const [head] = map.items;
  const last = map.items.at(-1);
  if (added.length === 0 || head === undefined || last === undefined) return [];
  if (map.flow !== true) return added.flatMap((member) => insertMember(source, map, head, last, member));
  const [before, after] = [added.filter(({ first }) => first), added.filter(({ first }) => !first)];
  const start = keyStart(head);
  return [
    ...(before.length === 0 ? [] : [beforeFlow(source.text, start, inlineMembers(before))]),
    ...(after.length === 0 ? [] : addToFlow(source, start, pairEnd(last, source.text), after)),
  ];
}

/** Adds a member to a block, behind the others or before them. */
function insertMember(
  source: SourceText,
  map: YAMLMap,
  head: Pair,
  last: Pair,
  { key, value, first }: NewMember,
): readonly Splice[] {
  const { text } = source;
  const start = keyStart(head);
  const column = columnOf(text, start);
  const isSiblingFlow = map.items.some(
    ({ value: one }) => isNode(one) && isFlow(one) && isMap(one) && one.items.length > 0,
  );
  const isInline =
    !isNonEmptyCollection(value) || (isSiblingFlow && !isLong(value)) || (Array.isArray(value) && isShortList(value));
  const isText = typeof value === "string" && value.includes("\n");
  const member =
    isInline && !isText
      ? `${formatInline(key)}: ${formatInline(value)}`
      : formatBlock({ [key]: value }, column, source);
  if (first) return [{ from: start, to: start, text: `${member}\n${" ".repeat(column)}` }];
  return [lines(source, nextLine(text, pairEnd(last, text)), `${" ".repeat(column)}${member}\n`)];
}

/** Adds an element behind the one at `index`, or before all if it is -1. */
export function insertItem(source: SourceText, list: YAMLSeq, index: number, value: Value): readonly Splice[] {
  const { text } = source;
  const nodes = list.items.filter((item): item is Node => isNode(item));
  const [head] = nodes;
  const before = nodes[index];
  if (head === undefined) return [];
  const start = head.range?.[0] ?? 0;
  if (list.flow === true) {
    if (before === undefined) return [beforeFlow(text, start, formatInline(value))];
    return afterFlow(source, start, before.range?.[1] ?? 0, formatInline(value));
  }
  const dash = dashOf(list, 0) ?? start;
  const column = columnOf(text, dash);
  const isInline = !isNonEmptyCollection(value) || (isFlow(before ?? head) && !isLong(value));
  const content = isInline ? formatInline(value) : formatBlock(value, column + 2, source);
  if (before === undefined) return [{ from: dash, to: dash, text: `- ${content}\n${" ".repeat(column)}` }];
  return [lines(source, nextLine(text, contentEnd(before, text)), `${" ".repeat(column)}- ${content}\n`)];
}

/** Removes members. At least one other member stays. */
function removeMembers(source: SourceText, map: YAMLMap, pairs: readonly Pair[]): readonly Splice[] {
  const gone = map.items.flatMap((pair, index) => (pairs.includes(pair) ? [index] : []));
  const ends = map.items.map((pair) => pairEnd(pair, source.text));
  const starts = map.items.map(keyStart);
  return map.flow === true ? removeFlow(source, gone, starts, ends) : removeLines(source, gone, starts, ends);
}

/** Removes elements. At least one other element stays. */
export function removeItems(source: SourceText, list: YAMLSeq, indexes: readonly number[]): readonly Splice[] {
  const { text } = source;
  const nodes = list.items.filter((item): item is Node => isNode(item));
  const starts = nodes.map(
    (node, index) => (list.flow === true ? undefined : dashOf(list, index)) ?? node.range?.[0] ?? 0,
  );
  const ends = nodes.map((node, index) => Math.max(contentEnd(node, text), (starts[index] ?? 0) + 1));
  return list.flow === true ? removeFlow(source, indexes, starts, ends) : removeLines(source, indexes, starts, ends);
}

/** Lines in the place of a block. Comments that have a line of their own in it stay as they are. */
function overBlock(source: SourceText, from: number, to: number, column: number, content: string): Splice {
  const { text } = source;
  const comments = commentsIn(source, from, to);
  const line = lineStart(text, from);
  if (isBlank(text.slice(line, from))) return { from: line, to, text: `${comments}${" ".repeat(column)}${content}` };
  return { from, to, text: comments === "" ? content : `${content}\n${comments.replace(/\n$/, "")}` };
}

/** Removes pieces that stand on lines of their own. Comments that have a line of their own stay. */
function removeLines(
  source: SourceText,
  gone: readonly number[],
  starts: readonly number[],
  ends: readonly number[],
): readonly Splice[] {
  const { text } = source;
  return gone.map((index): Splice => {
    const start = starts[index] ?? 0;
    const end = nextLine(text, ends[index] ?? 0);
    const line = lineStart(text, start);
    if (isBlank(text.slice(line, start))) return { from: line, to: end, text: commentsIn(source, line, end) };
    // It shares its line with the dash of an outer list, so the next piece that stays moves up.
    const next = starts.find((_, other) => other > index && !gone.includes(other)) ?? end;
    return { from: start, to: next, text: movedUp(commentsIn(source, start, next), columnOf(text, start)) };
  });
}

/** Comments between a dash and the piece that moves up to it. */
function movedUp(comments: string, column: number): string {
  return comments === "" ? "" : `\n${comments}${" ".repeat(column)}`;
}

/** Whole lines at the start of a line, or behind a last line that has no line end. */
function lines({ text }: SourceText, at: number, block: string): Splice {
  const isOpen = at > 0 && text[at - 1] !== "\n";
  return { from: at, to: at, text: isOpen ? `\n${block.replace(/\n$/, "")}` : block };
}

function dashOf(list: YAMLSeq, index: number): number | undefined {
  const token = list.srcToken;
  if (token?.type !== "block-seq") return undefined;
  return token.items[index]?.start.find(({ type }) => type === "seq-item-ind")?.offset;
}

function keyStart({ key }: Pair): number {
  return isNode(key) ? (key.range?.[0] ?? 0) : 0;
}

/** A value needs a blank behind the colon. */
function space(text: string, from: number): string {
  return /[:-]/.test(text[from - 1] ?? "") ? " " : "";
}
