import type { Position } from "../../model/diagnostic.ts";
import { Secret, type Value, type ValueObject } from "../../model/json.ts";

/**
 * The parsed configuration: values with the places they stand at, small enough that ten thousand resources cost little
 * more than parsing them. Nodes are never changed, so that YAML aliases may share them.
 */
export type Node = ScalarNode | ListNode | MapNode | BrokenNode;

interface ScalarNode extends TreePosition {
  readonly type: "scalar";
  readonly value: null | boolean | number | string | Secret;
}

interface ListNode extends TreePosition {
  readonly type: "list";
  readonly items: readonly Node[];
}

export interface MapNode extends TreePosition {
  readonly type: "map";
  readonly members: ReadonlyMap<string, Member>;
}

/** A value that could not be worked out and was reported already: nothing more is said about it. */
interface BrokenNode extends TreePosition {
  readonly type: "broken";
}

/** One key of a mapping with its value; the place is the key's. */
export interface Member extends TreePosition {
  readonly key: string;
  readonly value: Node;
}

/** Where something stands: an offset into a YAML text, or a JSON Pointer into what a program exported. */
export interface TreePosition {
  readonly source: Source;
  readonly mark: number | string;
}

/** A file that was read. */
export interface Source {
  /** As diagnostics name it: relative to the working directory. */
  readonly file: string;
  readonly path: string;
  /** Offsets at which lines begin; empty for programs. */
  readonly lineStarts: readonly number[];
  /** Known to hold no `${`: there is nothing to substitute in it, and no secret. */
  readonly isLiteral: boolean;
}

/** The place as diagnostics show it. */
export function positionOf({ source, mark }: TreePosition): Position {
  if (typeof mark === "string") return { file: source.file, pointer: mark };
  const line = lineOf(source.lineStarts, mark);
  return { file: source.file, line, column: mark - (source.lineStarts[line - 1] ?? 0) + 1 };
}

/** `file:line:column`, for messages that name a second place. */
export function describePlace(place: TreePosition): string {
  const { file, line, column, pointer } = positionOf(place);
  return pointer === undefined ? `${file}:${line}:${column}` : `${file}#${pointer}`;
}

/** The number of the last line that begins at or before the offset, from 1. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return Math.max(1, low);
}

/** The same value, standing at one place as a whole: what a variable gave is wrong where it is used. */
export function relocate(place: TreePosition, node: Node): Node {
  const { source, mark } = place;
  if (node.type === "list")
    return { type: "list", source, mark, items: node.items.map((item) => relocate(place, item)) };
  if (node.type !== "map") return { ...node, source, mark };
  const members = [...node.members.values()].map(({ key, value }): [string, Member] => [
    key,
    { key, source, mark, value: relocate(place, value) },
  ]);
  return { type: "map", source, mark, members: new Map(members) };
}

/** The bare value; broken parts become empty secrets. */
export function toValue(node: Node): Value {
  if (node.type === "scalar") return node.value;
  if (node.type === "list") return node.items.map(toValue);
  return node.type === "broken" ? new Secret("") : toObject(node.members);
}

/** The bare values of members, keys sorted so that their order in a file has no effect. */
export function toObject(members: ReadonlyMap<string, Member>): ValueObject {
  const object: Record<string, Value> = {};
  // Most mappings have a key or two, and there are tens of thousands of them.
  const keys = members.size > 1 ? [...members.keys()].toSorted() : members.keys();
  for (const key of keys) {
    const member = members.get(key);
    if (member === undefined) continue;
    const value = toValue(member.value);
    // An assignment would not make a member of it.
    if (key === "__proto__")
      Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
    else object[key] = value;
  }
  return object;
}

/** Whether all of the value is known: no secret stands in it, and nothing that was reported. */
export function isResolved(node: Node): boolean {
  if (node.type === "scalar") return !(node.value instanceof Secret);
  if (node.type === "list") return node.items.every(isResolved);
  if (node.type === "broken") return false;
  for (const { value } of node.members.values()) if (!isResolved(value)) return false;
  return true;
}

/** The text of a string, number or boolean; undefined for anything else. */
export function scalarText(node: Node): string | undefined {
  if (node.type !== "scalar" || node.value === null || node.value instanceof Secret) return undefined;
  return String(node.value);
}

/** The members of a mapping, of null none; undefined for anything else. */
export function mapMembers(node: Node): ReadonlyMap<string, Member> | undefined {
  if (node.type === "map") return node.members;
  return node.type === "scalar" && node.value === null ? new Map() : undefined;
}

/** How a message calls a value: `string "yes"`, `number 5`, `a list`. */
export function describeNode(node: Node): string {
  if (node.type === "map") return "a mapping";
  if (node.type === "list") return "a list";
  if (node.type === "broken" || node.value instanceof Secret) return "a secret";
  if (node.value === null) return "null";
  return `${typeof node.value} ${JSON.stringify(shorten(node.value))}`;
}

/** Long values would bury what the message says. */
export function shorten<T>(value: T): T | string {
  return typeof value === "string" && value.length > 60 ? `${value.slice(0, 57)}...` : value;
}
