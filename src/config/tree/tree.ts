import { compareText } from "../../model/compare-text.ts";
import type { Position } from "../../model/diagnostic.ts";
import { Secret, type Value, type ValueObject } from "../../model/json/json.ts";

/**
 * The parsed configuration: values with their positions. A node is small, so that ten thousand resources take little
 * more memory than the parser needs. Nodes are immutable, so YAML aliases can share them.
 */
export type Node = ScalarNode | ListNode | MapNode | BrokenNode;

export interface ScalarNode extends TreePosition {
  readonly type: "scalar";
  readonly value: null | boolean | number | string | Secret;
  /** What was written, if it differs from the value: `0123` for 123. */
  readonly written?: string;
  /** The text with expressions that the value was made of. */
  readonly expression?: string;
  /** The variable that the value is from. */
  readonly variable?: string;
}

interface ListNode extends TreePosition {
  readonly type: "list";
  readonly items: readonly Node[];
}

export interface MapNode extends TreePosition {
  readonly type: "map";
  readonly members: ReadonlyMap<string, Member>;
}

/** A value with an error that was already reported. Later checks skip it. */
interface BrokenNode extends TreePosition {
  readonly type: "broken";
}

/** One key of a mapping with its value. The position is that of the key. */
export interface Member extends TreePosition {
  readonly key: string;
  readonly value: Node;
}

/** The position of a node: an offset into a YAML text, or a JSON Pointer into the export of a program. */
export interface TreePosition {
  readonly source: Source;
  readonly mark: number | string;
}

/** A file that was read. */
export interface Source {
  /** The name that diagnostics show, relative to the working directory. */
  readonly file: string;
  readonly path: string;
  /** The offsets at which lines begin; empty for programs, and for a file that is empty or not parsed. */
  readonly lineStarts: readonly number[];
  /** Takes secrets out of what a message quotes. */
  readonly conceal?: ((text: string) => string) | undefined;
  /** True if the text contains no `${`, so it has no expressions and no secrets. */
  readonly isLiteral: boolean;
}

/** A file that is not parsed, as a whole: it may not exist, and has no line. */
export function wholeFile({ file, path }: Pick<Source, "file" | "path">): TreePosition {
  return { source: { file, path, lineStarts: [], isLiteral: true }, mark: 0 };
}

/** Converts a position to the form that diagnostics show. */
export function positionOf({ source, mark }: TreePosition): Position {
  if (typeof mark === "string") return { file: source.file, pointer: mark };
  if (source.lineStarts.length === 0) return { file: source.file };
  const line = lineOf(source.lineStarts, mark);
  return { file: source.file, line, column: mark - (source.lineStarts[line - 1] ?? 0) + 1 };
}

/** Formats a position as `file:line:column` or `file#/pointer`, for messages that name a second position. */
export function describePlace(place: TreePosition): string {
  const { file, line, column, pointer } = positionOf(place);
  return pointer === undefined ? `${file}:${line}:${column}` : `${file}#${pointer}`;
}

/** The number, from 1, of the line that contains the offset. */
export function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Moves the whole value of a variable to one position, so an error in it is reported at the use of the variable. */
export function relocate(place: TreePosition, node: Node, variable: string): Node {
  const { source, mark } = place;
  if (node.type === "list")
    return { type: "list", source, mark, items: node.items.map((item) => relocate(place, item, variable)) };
  if (node.type === "scalar") return { ...node, source, mark, variable: node.variable ?? variable };
  if (node.type === "broken") return { ...node, source, mark };
  const members = [...node.members.values()].map(({ key, value }): [string, Member] => [
    key,
    { key, source, mark, value: relocate(place, value, variable) },
  ]);
  return { type: "map", source, mark, members: new Map(members) };
}

/** A mapping of members that were read. */
export function toMapNode(members: ReadonlyMap<string, Member>, { source, mark }: TreePosition): MapNode {
  return { type: "map", source, mark, members };
}

/** The node at a path, and the position of its key. Without the node, the position of the last key that is there. */
export function nodeAt(
  root: Node,
  keys: readonly string[],
): { readonly node: Node | undefined; readonly place: TreePosition } {
  let node: Node | undefined = root;
  let place: TreePosition = root;
  for (const key of keys) {
    const member: Member | undefined = node?.type === "map" ? node.members.get(key) : undefined;
    node = node?.type === "list" ? node.items[Number(key)] : member?.value;
    place = member ?? node ?? place;
  }
  return { node, place };
}

/** Converts a node to a plain value. Broken parts become empty secrets. */
export function toValue(node: Node): Value {
  if (node.type === "scalar") return node.value;
  if (node.type === "list") return node.items.map(toValue);
  return node.type === "broken" ? new Secret("") : toObject(node.members);
}

/** Converts members to a plain object. Keys are sorted, so their order in the file has no effect. */
export function toObject(members: ReadonlyMap<string, Member>): ValueObject {
  const object: Record<string, Value> = {};
  // Sorting is skipped for one key, because a configuration can have tens of thousands of small mappings.
  const keys = members.size > 1 ? [...members.keys()].toSorted() : members.keys();
  for (const key of keys) {
    const member = members.get(key);
    if (member === undefined) continue;
    const value = toValue(member.value);
    // An assignment would set the prototype instead of adding a member.
    if (key === "__proto__")
      Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    else object[key] = value;
  }
  return object;
}

/** Whether a scalar, or something broken, in the tree passes the test. */
function someLeaf(node: Node, test: (leaf: ScalarNode | BrokenNode) => boolean): boolean {
  if (node.type === "list") return node.items.some((item) => someLeaf(item, test));
  if (node.type !== "map") return test(node);
  for (const { value } of node.members.values()) if (someLeaf(value, test)) return true;
  return false;
}

/** Whether the value is fully known: it contains no secret and nothing broken. */
export function isResolved(node: Node): boolean {
  return !someLeaf(node, (leaf) => leaf.type === "broken" || leaf.value instanceof Secret);
}

/** Whether an error in the tree was already reported. */
export function isBroken(node: Node): boolean {
  return someLeaf(node, ({ type }) => type === "broken");
}

/** A scalar that holds a secret. */
interface SecretNode extends TreePosition {
  readonly value: Secret;
}

/** Lists every secret in the tree. */
export function secretsIn(node: Node): readonly SecretNode[] {
  if (node.source.isLiteral) return [];
  if (node.type === "list") return node.items.flatMap(secretsIn);
  if (node.type === "map") return [...node.members.values()].flatMap(({ value }) => secretsIn(value));
  return node.type === "scalar" && node.value instanceof Secret ? [{ ...node, value: node.value }] : [];
}

/** The text of a string, or what was written for a variable; undefined for other values. */
export function textOf(node: Node | undefined): string | undefined {
  if (node?.type === "scalar" && node.variable !== undefined) return writtenText(node);
  return node?.type === "scalar" && typeof node.value === "string" ? node.value : undefined;
}

/** The text of a string, number or boolean; undefined for other values. */
export function scalarText(node: Node): string | undefined {
  if (node.type !== "scalar" || node.value === null || node.value instanceof Secret) return undefined;
  return String(node.value);
}

/** The text of a string, number or boolean as it was written, such as `1.0`; undefined for other values. */
export function writtenText(node: Node): string | undefined {
  return node.type === "scalar" ? (node.written ?? scalarText(node)) : undefined;
}

/** What was written for each scalar in the tree, in the order of the keys. */
export function writtenTexts(node: Node): readonly (string | undefined)[] {
  if (node.type === "list") return node.items.flatMap(writtenTexts);
  if (node.type !== "map") return [writtenText(node)];
  const members = [...node.members.values()].toSorted((left, right) => compareText(left.key, right.key));
  return members.flatMap(({ value }) => writtenTexts(value));
}

/** The members of a mapping; none for null, undefined for other values. */
export function mapMembers(node: Node): ReadonlyMap<string, Member> | undefined {
  if (node.type === "map") return node.members;
  return node.type === "scalar" && node.value === null ? new Map() : undefined;
}

/**
 * The node as every message has to quote it: without secrets. What a message has cut, split or written in lower case cannot be
 * recognized as a secret any more.
 */
export function shownNode(node: Node, isSecret = false): Node {
  const text = writtenText(node);
  if (node.type !== "scalar" || text === undefined) return node;
  const concealed = isSecret ? "[redacted]" : (node.source.conceal?.(text) ?? text);
  if (concealed === text) return node;
  return { ...node, written: concealed, value: typeof node.value === "string" ? concealed : node.value };
}

/** Like {@link shownNode}, the key of a member. */
export function shownKey({ key, source }: Pick<Member, "key" | "source">): string {
  return source.conceal?.(key) ?? key;
}

/** Describes a value for a message: `string "yes"`, `number 5`, `a list`. */
export function describeNode(given: Node): string {
  const node = shownNode(given);
  if (node.type === "map") return "a mapping";
  if (node.type === "list") return "a list";
  if (node.type === "broken" || node.value instanceof Secret) return "a secret";
  if (node.value === null) return "null";
  if (typeof node.value === "string") return `string ${JSON.stringify(shorten(node.value))}`;
  return `${typeof node.value} ${shorten(writtenText(node) ?? "")}`;
}

/** Shortens a long value, which would make a message hard to read. */
export function shorten<T>(value: T): T | string {
  return typeof value === "string" && value.length > 60 ? `${value.slice(0, 57)}...` : value;
}
