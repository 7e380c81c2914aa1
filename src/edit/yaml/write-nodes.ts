/** Writes values into a YAML text in the style around them, as splices of that text. */
import { groupBy } from "../../model/group-by.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import { isCollection, isMap, isNode, isScalar, Scalar, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { Value } from "../../model/json/json.ts";
import {
  formatBeside,
  formatBlock,
  formatInline,
  formatText,
  isLong,
  isNonEmptyCollection,
  type ValueMember,
} from "./format.ts";
import { compact } from "./compact.ts";
import { arrange, type Row } from "./arrange.ts";
import { flowAt, flowMembers, inlineMembers } from "./flow.ts";
import { LOSES_COMMENT, UneditableError } from "./uneditable.ts";
import { escapeDollar } from "./yaml-text.ts";
import {
  columnOf,
  commentsIn,
  contentEnd,
  isFirstOnLine,
  isBlock,
  isEmptyNode,
  isFlow,
  writtenKey,
  lineStart,
  nextLine,
  pairEnd,
  type Range,
  type SourceText,
  type Splice,
} from "./source-text.ts";

/** The member or the element that a node is the value of. */
export type Holder =
  | { readonly type: "pair"; readonly map: YAMLMap; readonly pair: Pair }
  | { readonly type: "item"; readonly list: YAMLSeq; readonly index: number };

/** A node, with the member or the element that it is the value of. */
export interface HeldNode<N extends Node = Node> {
  readonly node: N;
  readonly holder: Holder;
}

/** Writes a value in the place of another one. @throws UneditableError if a comment would be lost */
export function replaceNode(source: SourceText, node: Node, holder: Holder, value: Value): readonly Splice[] {
  const { text } = source;
  const [from, to] = rangeOf(source, node, holder);
  const outer = holder.type === "pair" ? holder.map : holder.list;
  const comments = bracketComments(source, node);
  const isUnderKey = outer.flow !== true && holder.type === "pair" && isNonEmptyCollection(value);
  if (comments.length > 0 && !(isUnderKey && isEmptyCollection(node))) throw new UneditableError(LOSES_COMMENT, from);
  if (outer.flow === true) {
    const written = isNonEmptyCollection(value)
      ? flowAt(source, from, value, outer)
      : formatInline(value, source, node);
    return [{ from, to, text: space(text, from) + written }];
  }
  const start = holder.type === "pair" ? keyStart(holder.pair) : dashOf(holder.list, holder.index);
  const column = columnOf(text, start ?? from);
  if (isUnderKey && isBlock(node)) {
    const inner = Math.max(columnOf(text, from), column + 1);
    return [overBlock(source, { from, to }, inner, formatBlock(value, inner, source))];
  }
  const isInBrackets = isFlow(node) && !isEmptyCollection(node);
  if (isUnderKey && !isInBrackets && (isLong(value, source) || comments.length > 0)) {
    const pad = " ".repeat(column + source.step);
    const lined = [...comments, formatBlock(value, pad.length, source)].map((line) => `${pad}${line}\n`).join("");
    return linesUnderKey(source, node, { from, to, column }, lined);
  }
  if (isBlock(node)) return inlineOverBlock(source, node, holder, value);
  const lined = typeof value === "string" ? textLines(source, node, value, column) : undefined;
  const inline = formatBeside(value, source, node) + headerComment(source, node);
  return [{ from, to, text: lined ?? space(text, from) + inline }];
}

/** Lines take the place of a value on the line of its key. A comment on that line stays there. */
function linesUnderKey(
  source: SourceText,
  node: Node,
  { from, to, column }: Range & { readonly column: number },
  lined: string,
): readonly Splice[] {
  if (!isEmptyNode(node) && !isFlow(node))
    return [{ from, to, text: `${headerComment(source, node).trimStart()}\n${lined.replace(/\n$/, "")}` }];
  const gone = isFlow(node) ? [{ from: source.text.slice(0, from).trimEnd().length, to, text: "" }] : [];
  return [...gone, lines(source, afterComments(source, to, column), lined)];
}

/** Where a node is written. If nothing is written, that is right behind the colon or the dash, before any comment. */
function rangeOf({ text }: SourceText, node: Node, holder: Holder): readonly [number, number] {
  const start = node.range?.[0] ?? 0;
  // The last line end of a block of text stays.
  if (!isEmptyNode(node)) return [start, text.slice(0, contentEnd(node, text)).replace(/\r?\n$/, "").length];
  const dash = holder.type === "item" ? dashOf(holder.list, holder.index) : undefined;
  const at = holder.type === "pair" ? pairEnd(holder.pair, text) : dash === undefined ? start : dash + 1;
  return [at, at];
}

/** The comments between brackets that are about the whole: behind the first bracket, and all of them if there is nothing else. */
function bracketComments({ text }: SourceText, node: Node): readonly string[] {
  if (!isFlow(node)) return [];
  const inside = text.slice((node.range?.[0] ?? 0) + 1, (node.range?.[1] ?? 0) - 1).split("\n");
  const candidates = isEmptyCollection(node) ? inside : inside.slice(0, 1);
  return candidates.map((line) => line.trim()).filter((line) => line.startsWith("#"));
}

function isEmptyCollection(node: Node): boolean {
  return isCollection(node) && node.items.length === 0;
}

/** The start of the line behind an offset, and behind the comments there that stand deeper than a column. */
export function afterComments({ text, commentLines }: SourceText, offset: number, column: number): number {
  let at = nextLine(text, offset);
  for (const { from, to } of commentLines) if (from === at && columnOf(text, text.indexOf("#", from)) > column) at = to;
  return at;
}

/** One line replaces several, so it moves up to the line of its key. Comments between them stay. */
function inlineOverBlock(source: SourceText, node: Node, holder: Holder, value: Value): readonly Splice[] {
  const { text } = source;
  const [from, to] = [node.range?.[0] ?? 0, contentEnd(node, text)];
  const comments = commentsIn(source, from, to);
  const after = comments === "" ? [] : [lines(source, nextLine(text, to), comments)];
  if (holder.type === "item") return [{ from, to, text: formatBeside(value, source) }, ...after];
  const colon = text.indexOf(":", isNode(holder.pair.key) ? (holder.pair.key.range?.[1] ?? 0) : 0) + 1;
  // Between the colon and the block there are only blanks and comments.
  return [
    { from: colon, to: colon, text: ` ${formatBeside(value, source)}` },
    { from: lineStart(text, from), to: nextLine(text, to), text: comments },
  ];
}

/** A text in the place of a block of text, as another one. Undefined if a block does not fit. */
function textLines(source: SourceText, node: Node, value: string, column: number): string | undefined {
  const type = blockType(source, node, value);
  if (type === undefined) return undefined;
  const block = rangeText(source, node);
  const indent = /\n( +)\S/.exec(block)?.[1]?.length ?? column + source.step;
  const written = formatText(escapeDollar(value), type, indent, column);
  return written?.replace("\n", () => `${headerComment(source, node)}\n`);
}

/**
 * The type of the old text. A text on one line becomes a block if it gets more lines, as in an export. It does not if a
 * comment behind it would be taken for text.
 */
function blockType(
  source: SourceText,
  node: Node,
  value: string,
): Scalar.BLOCK_LITERAL | Scalar.BLOCK_FOLDED | undefined {
  if (!isScalar(node) || isEmptyNode(node)) return undefined;
  if (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED") return node.type;
  const isAlone = /^[ \t]*(?:$|\r?\n(?!\s*#))/u.test(source.text.slice(node.range?.[1] ?? 0));
  return isAlone && value.includes("\n") && !String(node.value).includes("\n") ? Scalar.BLOCK_LITERAL : undefined;
}

/** The comment in the first line of a block of text, with the blanks before it. */
function headerComment(source: SourceText, node: Node): string {
  return /^[|>][^\n#]*?([ \t]+#[^\r\n]*)/.exec(rangeText(source, node))?.[1] ?? "";
}

function rangeText({ text }: SourceText, node: Node): string {
  return text.slice(node.range?.[0] ?? 0, node.range?.[1] ?? 0);
}

/** A member that is added to a mapping. */
export interface NewMember extends ValueMember {
  /**
   * Where it goes: before the others, as an id does; behind them; or by its name if they are sorted. `inside` is behind
   * them, on the line of a value.
   */
  readonly place: "first" | "last" | "sorted" | "inside";
  /** What stands beside its value, if that is on one line in a block. */
  readonly comment?: string | undefined;
}

/** Members that are removed from a mapping and added to it. Several edits may change one mapping. */
export interface MemberChange {
  readonly map: YAMLMap;
  readonly holder: Holder;
  readonly removed: readonly Pair[];
  readonly added: readonly NewMember[];
  /** The keys that there may be, in the order in which they are written. Others stand where their author puts them. */
  readonly order?: readonly string[] | undefined;
  /** The removal of the mapping itself, if nothing is left of it. */
  readonly ifEmpty?: MemberChange | undefined;
}

/** Removes members of a mapping, and adds others. All changes of the members of one mapping have to be made together. */
export function changeMembers(
  source: SourceText,
  { map, holder, removed, added, order }: MemberChange,
): readonly Splice[] {
  // Nothing is left, or there was nothing.
  if (removed.length === map.items.length)
    return replaceNode(source, map, holder, Object.fromEntries(added.map(({ key, value }) => [key, value])));
  const keys = map.items.map(writtenKey);
  const compare = order === undefined ? compareNaturally : comparisonBy(order);
  const isSorted =
    keys.length > 1 && keys.every((key, index) => index === 0 || compare(keys[index - 1] ?? "", key) < 0);
  const isOrdered = ({ place }: NewMember): boolean => order !== undefined || (place === "sorted" && isSorted);
  // Of the keys that come before a new one, the last of those that come latest: an author may have put them in another order.
  const nearestBefore = (key: string): number =>
    keys.reduce((best, one, at) => (compare(one, key) <= 0 && compare(keys[best] ?? one, one) <= 0 ? at : best), -1);
  const groups = groupBy(added, (member) => {
    if (member.place === "first") return -1;
    return isOrdered(member) ? nearestBefore(member.key) : keys.length - 1;
  });
  const gone = new Set(removed);
  const rows = [-1, ...keys.keys()].flatMap((index): readonly Row[] => {
    const pair = map.items[index];
    const old: readonly Row[] = pair === undefined ? [] : [{ type: gone.has(pair) ? "gone" : "kept", index }];
    const members = groups.get(index) ?? [];
    const ordered = members.every(isOrdered) ? members.toSorted((one, other) => compare(one.key, other.key)) : members;
    return [...old, ...newRows(source, map, index, ordered)];
  });
  // The comments above the first member are about that one.
  const isAbove = groups.get(-1)?.every(isOrdered) === true;
  return arrange(source, map, memberPieces(source, map, isAbove), rows);
}

/** Compares keys by their places in a list. What is not in it comes behind that, in no order. */
function comparisonBy(order: readonly string[]): (one: string, other: string) => number {
  const placeOf = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  return (one, other) => placeOf(one) - placeOf(other);
}

/** Members behind the one at `index`. */
function newRows(source: SourceText, map: YAMLMap, index: number, members: readonly NewMember[]): readonly Row[] {
  const [head] = map.items;
  if (head === undefined || members.length === 0) return [];
  if (map.flow !== true) return members.map((member) => ({ type: "new", text: memberLines(source, map, member) }));
  const before = map.items[index];
  // Parts of a value stay on its line. Only whole declarations get lines of their own, as no line has room for several.
  const isPart = before === undefined || members.every(({ place }) => place === "inside");
  const text = { text: inlineMembers(members, source) };
  return [
    { type: "new", ...(isPart ? text : flowMembers(source, keyStart(head), pairEnd(before, source.text), members)) },
  ];
}

function memberPieces(source: SourceText, map: YAMLMap, isAbove: boolean): readonly Range[] {
  const { text } = source;
  return map.items.map((pair, index) => {
    const [start, end] = [keyStart(pair), pairEnd(pair, text)];
    if (map.flow === true || !isFirstOnLine(text, start))
      return { from: start, to: map.flow === true ? end : nextLine(text, end) };
    return {
      from: isAbove && index === 0 ? aboveComments(source, start) : lineStart(text, start),
      to: nextLine(text, end),
    };
  });
}

/** A new member of a block. */
function memberLines(source: SourceText, { items }: YAMLMap, { key, value, comment, place }: NewMember): string {
  const column = columnOf(source.text, items[0] === undefined ? 0 : keyStart(items[0]));
  const isSiblingFlow = items.some(
    ({ value: one }) => isNode(one) && isFlow(one) && isMap(one) && one.items.length > 0,
  );
  const isInline = !isNonEmptyCollection(value) || (isSiblingFlow && !isLong(value, source));
  const isText = typeof value === "string" && value.includes("\n");
  const member =
    isInline && !isText
      ? `${formatInline(key, source)}: ${formatBeside(value, source)}${comment === undefined ? "" : ` # ${comment}`}`
      : formatBlock({ [key]: value }, column, source, place === "inside" ? compact : undefined);
  return `${" ".repeat(column)}${member}\n`;
}

/** The start of the line of an offset, or of the comments right above it. */
export function aboveComments({ text, commentLines }: SourceText, offset: number): number {
  return commentLines.reduceRight((at, { from, to }) => (to === at ? from : at), lineStart(text, offset));
}

/** Lines in the place of a block. Comments that have a line of their own in it stay as they are. */
function overBlock(source: SourceText, { from, to }: Range, column: number, content: string): Splice {
  const { text } = source;
  const comments = commentsIn(source, from, to);
  const line = lineStart(text, from);
  if (isFirstOnLine(text, from)) return { from: line, to, text: `${comments}${" ".repeat(column)}${content}` };
  return { from, to, text: comments === "" ? content : `${content}\n${comments.replace(/\n$/, "")}` };
}

/** Whole lines at the start of a line, or behind a last line that has no line end. */
function lines({ text }: SourceText, at: number, block: string): Splice {
  const isOpen = at > 0 && text[at - 1] !== "\n";
  return { from: at, to: at, text: isOpen ? `\n${block.replace(/\n$/, "")}` : block };
}

export function dashOf(list: YAMLSeq, index: number): number | undefined {
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
