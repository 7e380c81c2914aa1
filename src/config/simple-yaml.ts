/**
 * The short way through YAML: mappings and lists as blocks, values on one line, comments. Nearly all of what configurations
 * are made of, in a tenth of the library's time.
 *
 * Premise: whatever is not known for certain is left to the library: this may give up on any text, but must not read one
 * differently, nor take one that the library refuses. A test holds the two against each other, places included.
 * Algorithm: one pass over the lines. A line that begins right of its parent belongs into it; the column where a collection
 * begins is that of all its keys, or dashes.
 */
import { DEEPEST, isLineOver, readInline, readKey, skipSpaces, type Cursor } from "./simple-value.ts";
import type { MapNode, Member, Node, Source } from "./tree.ts";

/** Characters that mean something, or that terminals and editors break lines at. */
const UNUSUAL = /[^\n -~\u00a1-\u2027\u202a-\ufefe\uff00-\ufffd]/;

const SPACE = 32;
const HASH = 35;
const DASH = 45;

/** The mapping that a text of one document holds; undefined where the library has to look at it. */
export function readSimple(text: string, file: Omit<Source, "lineStarts">): MapNode | undefined {
  if (UNUSUAL.test(text)) return undefined;
  const lineStarts: number[] = [];
  const cursor: Cursor = { text, source: { ...file, lineStarts }, lineStarts, pos: 0, column: 0, end: -1, depth: 0 };
  nextLine(cursor);
  const node = cursor.column === 0 ? readBlock(cursor) : undefined;
  return node?.type === "map" && isAtEnd(cursor) ? node : undefined;
}

/** Goes to the next line that holds more than a comment; behind the last one the column is -1. */
function nextLine(cursor: Cursor): void {
  const { text, lineStarts } = cursor;
  for (let start = cursor.end + 1; start < text.length; start = cursor.end + 1) {
    const newline = text.indexOf("\n", start);
    cursor.end = newline < 0 ? text.length : newline;
    lineStarts.push(start);
    let pos = start;
    while (text.charCodeAt(pos) === SPACE) pos++;
    if (pos === cursor.end || text.charCodeAt(pos) === HASH) continue;
    cursor.pos = pos;
    cursor.column = pos - start;
    return;
  }
  cursor.column = -1;
}

function isAtEnd({ column }: Cursor): boolean {
  return column === -1;
}

/** What begins here and goes on in the lines below, up to the first that does not belong to it. */
function readBlock(cursor: Cursor): Node | undefined {
  if (cursor.depth === DEEPEST) return undefined;
  cursor.depth++;
  const node = isDash(cursor) ? readList(cursor) : readMap(cursor);
  cursor.depth--;
  return node;
}

function readMap(cursor: Cursor): Node | undefined {
  const { source, column, pos: mark } = cursor;
  const members = new Map<string, Member>();
  do {
    const { pos } = cursor;
    const key = readKey(cursor);
    if (key === undefined) return members.size === 0 ? readLine(cursor) : undefined;
    const value = isLineOver(cursor) ? readBelow(cursor, column, true) : readLine(cursor);
    if (value === undefined || members.has(key)) return undefined;
    members.set(key, { key, source, mark: pos, value });
  } while (cursor.column === column);
  // What stands further in continues a value, or is a mistake.
  return cursor.column < column ? { type: "map", source, mark, members } : undefined;
}

function readList(cursor: Cursor): Node | undefined {
  const { source, column, pos: mark } = cursor;
  const items: Node[] = [];
  do {
    const dash = cursor.pos;
    cursor.pos++;
    skipSpaces(cursor);
    cursor.column += cursor.pos - dash;
    const item = isLineOver(cursor) ? readBelow(cursor, column, false) : readBlock(cursor);
    if (item === undefined) return undefined;
    items.push(item);
  } while (cursor.column === column && isDash(cursor));
  return cursor.column <= column ? { type: "list", source, mark, items } : undefined;
}

/** The value of a key or of a dash with nothing behind it. A list may stand in the column of its key. */
function readBelow(cursor: Cursor, column: number, isKey: boolean): Node | undefined {
  nextLine(cursor);
  const isHere = cursor.column > column || (isKey && cursor.column === column && isDash(cursor));
  return isHere ? readBlock(cursor) : undefined;
}

/** A value that ends with its line. */
function readLine(cursor: Cursor): Node | undefined {
  const node = readInline(cursor);
  nextLine(cursor);
  return node;
}

function isDash({ text, pos, end }: Cursor): boolean {
  return text.charCodeAt(pos) === DASH && (pos + 1 === end || text.charCodeAt(pos + 1) === SPACE);
}
