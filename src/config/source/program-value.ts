/**
 * The export of a program as a tree, with the places where its values were written.
 *
 * Premise: a program is run, so its export has no positions. But nearly all of it comes from literals, `{...}` and `[...]`.
 * Algorithm: while a file of the user is transpiled, a plugin wraps each literal in a function that notes the new object together
 * with the place of the literal and of its keys. A value that no literal wrote, such as the result of JSON.parse, has no place.
 */
import { dirname, posix, relative } from "node:path";
import type { Position } from "../../model/diagnostic.ts";
import { own, pointer } from "../../model/json.ts";
import type { Problems } from "../problems.ts";
import type { Member, Node, Source } from "../tree/tree.ts";

/** What the plugin writes into the program about a literal, as JSON. Lines start at 1, and columns as well. */
interface LiteralNote {
  readonly path: string;
  readonly at: Place;
  /** By key or index. A key that a later spread may have overwritten is left out, and so is a computed key. */
  readonly keys: Readonly<Record<string, Place>>;
}

type Place = readonly [line: number, column: number];

const NOTES = "driftline.literals";

/** A literal, as it was written. */
interface NotedLiteral {
  /** A {@link LiteralNote} as JSON. */
  readonly note: string;
  /** Its values by key or index. A program may change the object, and then the place of a key is not that of its value. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** The notes, by object. */
class LiteralNotes extends WeakMap<object, NotedLiteral> {
  note(literal: object, note: string): object {
    this.set(literal, { note, values: Object.assign(Object.create(null), literal) as NotedLiteral["values"] });
    return literal;
  }
}

/** The notes are global, because a program that runs can reach nothing else. */
function allNotes(): LiteralNotes {
  return ((globalThis as Record<string, unknown>)[NOTES] ??= new LiteralNotes()) as LiteralNotes;
}

/** The members of Babel's nodes that are used here. Babel is inside of jiti, and has no types of its own. */
interface BabelNode {
  readonly type: string;
  readonly loc?: { readonly start: { readonly line: number; readonly column: number } } | null;
  readonly computed?: boolean;
  readonly kind?: string;
  readonly key?: BabelNode & { readonly name?: string; readonly value?: string | number };
  readonly properties?: readonly BabelNode[];
  readonly elements?: readonly (BabelNode | null)[];
}

interface Babel {
  readonly types: { readonly VISITOR_KEYS: Readonly<Record<string, readonly string[]>> };
}

/**
 * A plugin of Babel that notes where the literals of a file were written. It changes the tree before Babel visits it, because
 * replacing each literal during the visit takes three times as long.
 */
export function literalNotes(path: string): (babel: Babel) => object {
  allNotes();
  return ({ types }) => {
    const noted = (node: BabelNode): BabelNode => {
      const members = node as unknown as Record<string, unknown>;
      const note = noteOfLiteral(node, path);
      for (const key of types.VISITOR_KEYS[node.type] ?? []) {
        const child = members[key];
        if (Array.isArray(child))
          members[key] = child.map((one: BabelNode | null) => (one === null ? null : noted(one)));
        else if (typeof child === "object" && child !== null) members[key] = noted(child as BabelNode);
      }
      return note === undefined ? node : notingCall(node, note);
    };
    return { pre: ({ ast }: { readonly ast: BabelNode }) => void noted(ast) };
  };
}

function noteOfLiteral(node: BabelNode, path: string): LiteralNote | undefined {
  const at = /^(?:Object|Array)Expression$/.test(node.type) ? placeOf(node) : undefined;
  // Taking the values would call a getter.
  const hasGetter = node.properties?.some(({ kind }) => kind === "get") === true;
  return at === undefined || hasGetter ? undefined : { path, at, keys: keyPlaces(node) };
}

/** Babel's tree of `globalThis["driftline.literals"].note(LITERAL, "NOTE")`. */
function notingCall(literal: BabelNode, note: LiteralNote): BabelNode {
  const text = (value: string): object => ({ type: "StringLiteral", value });
  const member = (object: object, name: string): object => ({
    type: "MemberExpression",
    object,
    property: text(name),
    computed: true,
  });
  const callee = member(member({ type: "Identifier", name: "globalThis" }, NOTES), "note");
  return { type: "CallExpression", callee, arguments: [literal, text(JSON.stringify(note))] } as BabelNode;
}

function placeOf({ loc }: BabelNode): Place | undefined {
  return loc === undefined || loc === null ? undefined : [loc.start.line, loc.start.column + 1];
}

function keyPlaces({ properties = [], elements = [] }: BabelNode): Record<string, Place> {
  let places: Record<string, Place> = {};
  for (const member of properties) {
    const { key } = member;
    // What is spread may have every key of what stands before it.
    if (key === undefined) places = {};
    const name = member.computed === true ? undefined : (key?.name ?? key?.value);
    const place = placeOf(member);
    if (name !== undefined && place !== undefined) places[String(name)] = place;
  }
  for (const [index, element] of elements.entries()) {
    if (element?.type === "SpreadElement") break;
    const place = element === null ? undefined : placeOf(element);
    if (place !== undefined) places[String(index)] = place;
  }
  return places;
}

const MAX_DEPTH = 200;

/** A program. Its places are filled when its export is converted. */
interface ProgramSource extends Source {
  readonly places: Map<string, Position>;
}

interface Conversion {
  readonly source: ProgramSource;
  readonly problems: Problems;
  /** The objects that are being converted, to detect cycles. */
  readonly open: Set<object>;
  failed: boolean;
}

/** Converts the export of a program into a tree. It reports a value that is not JSON and returns undefined. */
export function fromProgram(value: unknown, source: ProgramSource, problems: Problems): Node | undefined {
  const conversion: Conversion = { source, problems, open: new Set(), failed: false };
  setPlace("", value, source);
  const node = toNode(value, "", conversion);
  return conversion.failed ? undefined : node;
}

function toNode(value: unknown, mark: string, conversion: Conversion): Node {
  const place = { source: conversion.source, mark };
  if (
    typeof value === "number" &&
    (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
  ) {
    return reportNotJson(`JSON cannot represent ${value} exactly`, mark, conversion);
  }
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "number") {
    return { type: "scalar", ...place, value };
  }
  if (typeof value !== "object") return reportNotJson(`${describeType(value)} is not a JSON value`, mark, conversion);
  if (conversion.open.has(value)) return reportNotJson("the value contains itself", mark, conversion);
  if (conversion.open.size >= MAX_DEPTH)
    return reportNotJson(`more than ${MAX_DEPTH} levels of nesting`, mark, conversion);
  conversion.open.add(value);
  const node = Array.isArray(value) ? toListNode(value, mark, conversion) : toMapNode(value, mark, conversion);
  conversion.open.delete(value);
  return node;
}

function toListNode(items: readonly unknown[], mark: string, conversion: Conversion): Node {
  const literal = literalOf(items);
  // Array.from also visits the holes of a sparse array.
  const nodes = Array.from(items, (item, index) => {
    const at = `${mark}/${index}`;
    setPlace(at, item, conversion.source, literal, String(index));
    return toNode(item, at, conversion);
  });
  return { type: "list", source: conversion.source, mark, items: nodes };
}

function toMapNode(value: object, mark: string, conversion: Conversion): Node {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null)
    return reportNotJson(`${describeType(value)} is not a JSON value`, mark, conversion);
  const literal = literalOf(value);
  const members = new Map<string, Member>();
  for (const [key, item] of Object.entries(value)) {
    // A program may leave a field undefined under some condition. The field is then not declared.
    if (item === undefined) continue;
    const at = mark + pointer(key);
    setPlace(at, item, conversion.source, literal, key);
    members.set(key, { key, source: conversion.source, mark: at, value: toNode(item, at, conversion) });
  }
  return { type: "map", source: conversion.source, mark, members };
}

/** A literal with its places. */
type Literal = LiteralNote & Pick<NotedLiteral, "values">;

function literalOf(value: unknown): Literal | undefined {
  const noted = typeof value === "object" && value !== null ? allNotes().get(value) : undefined;
  return noted === undefined ? undefined : { ...(JSON.parse(noted.note) as LiteralNote), values: noted.values };
}

/** Keeps where a value was written: its key in the literal around it, or else its own literal. */
function setPlace(mark: string, value: unknown, source: ProgramSource, around?: Literal, key = ""): void {
  const at = Object.is(own(around?.values, key), value) ? own(around?.keys, key) : undefined;
  const literal = at === undefined ? literalOf(value) : around;
  if (literal === undefined) return;
  const [line, column] = at ?? literal.at;
  source.places.set(mark, { file: shownFile(literal.path, source), line, column });
}

/** The path of a file that a program consists of, relative to the working directory, as diagnostics show it. */
export function shownFile(path: string, program: { readonly path: string; readonly file: string }): string {
  if (path === program.path) return program.file;
  return posix.join(dirname(program.file), relative(dirname(program.path), path));
}

function describeType(value: unknown): string {
  if (value === undefined) return "undefined";
  if (typeof value !== "object" || value === null) return `a ${typeof value}`;
  return value instanceof Date ? "a Date" : `an instance of ${value.constructor?.name ?? "a class"}`;
}

function reportNotJson(message: string, mark: string, conversion: Conversion): Node {
  conversion.failed = true;
  const place = { source: conversion.source, mark };
  const hint = message.startsWith("a Date") ? "Use toISOString()." : undefined;
  conversion.problems.error(place, { code: "not_json", message, hint });
  return { type: "broken", ...place };
}
