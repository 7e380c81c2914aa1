/**
 * Writes values into a YAML configuration that people maintain by hand.
 *
 * Terms: an edit names a resource by the position of its key, and a field below it. A splice replaces one range of the
 * text.
 * Premise: everything else stays the same byte for byte, including comments. A review then shows the edit and nothing
 * else.
 * Algorithm: find the node of each edit in the parsed text, turn the difference into splices (see reconcile.ts), and apply
 * them. Then parse the new text: it must hold the old values with exactly these edits. If it does not, try each edit alone,
 * and refuse those that go wrong.
 */
import { isDeepStrictEqual } from "node:util";
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  type YAMLMap,
} from "yaml";
import { isObject, pointerKeys, type Json, type JsonObject, type Value } from "../../model/json.ts";
import { rawValue, type Comments } from "../yaml-text.ts";
import { changeMembers, type Holder } from "./pieces.ts";
import { editAt, expectedValue, NOT_FOUND, Refusal, requireRemovable, type MemberChange } from "./reconcile.ts";
import { keyText, ownPairs, sourceText, type SourceText, type Splice } from "./source-text.ts";

/** A change of a value, or of a resource as a whole. */
export interface Edit {
  /** Position of the key of a resource, or of a scope. 1-based. */
  readonly line: number;
  readonly column: number;
  /** JSON Pointer below it; "" for the resource itself. Mappings that are missing on the way are made. */
  readonly path: string;
  /** What the configuration declares there now, with expressions resolved; undefined if it declares nothing. */
  readonly declared?: Value | undefined;
  /** Undefined removes what is declared. */
  readonly value: Value | undefined;
  /** Whether a new member goes before the others, as an id does. */
  readonly first?: boolean | undefined;
  /** Whether the members of `value` are added to those that are declared there. Each of them must be new. */
  readonly add?: boolean | undefined;
  /** Comments above mappings in `value`, by mapping. */
  readonly comments?: Comments | undefined;
}

export interface Edited {
  readonly text: string;
  /** The edits that were not made. */
  readonly refused: readonly RefusedEdit[];
}

/** An edit that was not made. */
export interface RefusedEdit {
  readonly edit: Edit;
  /** The reason, as the end of a sentence. */
  readonly why: string;
  /** Where the value is that cannot be changed. 1-based. */
  readonly line: number;
  readonly column: number;
}

/** Applies the edits to the text. Edits must not overlap. */
export function editYaml(text: string, edits: readonly Edit[]): Edited {
  const parsed = parse(text, edits);
  const refused: RefusedEdit[] = [];
  const made: Made[] = [];
  for (const edit of edits) {
    const result = makeEdit(parsed, edit);
    if (result instanceof Refusal) refused.push(refusedEdit(parsed, edit, result));
    else made.push(result);
  }
  const together = applied(parsed, made);
  if (together !== undefined) return { text: together, refused };
  const alone = made.filter((one) => applied(parsed, [one]) !== undefined);
  const result = applied(parsed, alone);
  const rest = result === undefined ? made : made.filter((one) => !alone.includes(one));
  const unsafe = new Refusal("the file cannot be edited safely");
  return { text: result ?? text, refused: [...refused, ...rest.map(({ edit }) => refusedEdit(parsed, edit, unsafe))] };
}

/** Returns edits that are refused for a reason that the text does not show, with the places of their values. */
export function refuseEdits(
  text: string,
  edits: readonly { readonly edit: Edit; readonly why: string }[],
): readonly RefusedEdit[] {
  const parsed = parse(text);
  return edits.map(({ edit, why }) => refusedEdit(parsed, edit, new Refusal(why)));
}

interface Parsed {
  readonly source: SourceText;
  readonly lineStarts: readonly number[];
  readonly documents: readonly Document.Parsed[];
}

function parse(text: string, edits: readonly Edit[] = []): Parsed {
  const lines = new LineCounter();
  const comments = new Map(edits.flatMap((edit) => [...(edit.comments ?? [])]));
  return {
    source: { ...sourceText(text), comments },
    documents: parseDocuments(text, lines),
    lineStarts: lines.lineStarts,
  };
}

function parseDocuments(text: string, lines = new LineCounter()): readonly Document.Parsed[] {
  const options = {
    merge: true,
    uniqueKeys: false,
    logLevel: "silent",
    lineCounter: lines,
    keepSourceTokens: true,
  } as const;
  const parsed = parseAllDocuments(text, options);
  return Array.isArray(parsed) ? parsed : [];
}

/** An edit with its splices. */
interface Made {
  readonly edit: Edit;
  readonly splices: readonly Splice[];
  readonly members: readonly MemberChange[];
  /** Index of the document, and the keys from its top to the value. */
  readonly document: number;
  readonly keys: readonly string[];
}

function makeEdit(parsed: Parsed, edit: Edit): Made | Refusal {
  const found = findPair(parsed, edit);
  if (found === undefined || !isNode(found.pair.value)) return new Refusal(NOT_FOUND);
  const { map, pair, outer, path, document } = found;
  const below = pointerKeys(edit.path);
  const context = {
    source: parsed.source,
    document: parsed.documents[document] as Document,
    splices: [] as Splice[],
    members: [] as MemberChange[],
  };
  try {
    if (below.length === 0 && edit.value === undefined && outer !== undefined) {
      requireRemovable(pair);
      context.members.push({ map, holder: outer, removed: [pair], added: [] });
    } else
      editAt(context, found.pair.value, { type: "pair", map, pair }, below, {
        ...edit,
        first: edit.first === true,
        add: edit.add === true,
      });
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  const { splices, members } = context;
  return { edit, splices, members, document, keys: [...path, ...below] };
}

/** An edit with the reason against it. Without a better place it has that of its value, or of what surrounds that. */
function refusedEdit(parsed: Parsed, edit: Edit, { message, offset }: Refusal): RefusedEdit {
  const at = offset ?? offsetOf(findPair(parsed, edit)?.pair, pointerKeys(edit.path));
  if (at === undefined) return { edit, why: message, line: edit.line, column: edit.column };
  const line = parsed.lineStarts.findLastIndex((start) => start <= at);
  return { edit, why: message, line: line + 1, column: at - (parsed.lineStarts[line] ?? 0) + 1 };
}

/** The offset of the last node on the way to a value. For the value of a resource itself it is that of its key. */
function offsetOf(pair: Pair | undefined, keys: readonly string[]): number | undefined {
  let at: unknown = pair?.value;
  let offset = isNode(pair?.key) ? pair.key.range?.[0] : undefined;
  for (const key of keys) {
    at = isMap(at)
      ? ownPairs(at).find((one) => keyText(one) === key)?.value
      : isSeq(at)
        ? at.items[Number(key)]
        : undefined;
    if (isNode(at)) offset = at.range?.[0];
  }
  return offset;
}

interface Found {
  readonly map: YAMLMap;
  readonly pair: Pair;
  /** What holds the mapping; undefined for the top of a document. */
  readonly outer: Holder | undefined;
  readonly path: readonly string[];
}

function findPair(
  { documents, lineStarts }: Parsed,
  { line, column }: Edit,
): (Found & { readonly document: number }) | undefined {
  const offset = (lineStarts[line - 1] ?? 0) + column - 1;
  for (const [document, { contents }] of documents.entries()) {
    const found = findPairAt(contents, offset, [], undefined);
    if (found !== undefined) return { ...found, document };
  }
  return undefined;
}

function findPairAt(
  node: unknown,
  offset: number,
  path: readonly string[],
  outer: Holder | undefined,
): Found | undefined {
  if (!isMap(node)) return undefined;
  for (const pair of node.items) {
    const here = [...path, keyText(pair)];
    if (isScalar(pair.key) && pair.key.range?.[0] === offset) return { map: node, pair, path: here, outer };
    const inside = findPairAt(pair.value, offset, here, { type: "pair", map: node, pair });
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** The text with all splices; undefined if it would not hold exactly the values that are wanted. */
function applied({ source, documents }: Parsed, made: readonly Made[]): string | undefined {
  const { text } = source;
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const ordered = [...made.flatMap(({ splices }) => splices), ...memberSplices(source, made)].toSorted(
    (a, b) => a.from - b.from || a.to - b.to || indentOf(b) - indentOf(a),
  );
  let [edited, position] = ["", 0];
  for (const { from, to, text: piece } of ordered) {
    if (from < position) return undefined;
    edited += text.slice(position, from) + piece.replaceAll(/\r?\n/g, lineEnd);
    position = to;
  }
  edited += text.slice(position);
  const expected = documentValues(documents);
  for (const one of made) applyTo(expected, one);
  return isDeepStrictEqual(documentValues(parseDocuments(edited)), expected) ? edited : undefined;
}

/** The changes of the members of each mapping, made together: several edits may change one mapping. */
function memberSplices(source: SourceText, made: readonly Made[]): readonly Splice[] {
  const all = made.flatMap(({ members }) => members);
  const first = new Map(all.toReversed().map((change) => [change.map, change]));
  return [...first.values()].flatMap(({ map, holder }) => {
    const own = all.filter((change) => change.map === map);
    const [removed, added] = [own.flatMap((one) => one.removed), own.flatMap((one) => one.added)];
    return changeMembers(source, map, holder, removed, added);
  });
}

/** Lines that are inserted at one place belong to nested mappings, which end there. The innermost comes first. */
function indentOf({ text }: Splice): number {
  return /^\n?( *)/.exec(text)?.[1]?.length ?? 0;
}

/**
 * The values as JSON. The copy separates values that aliases share, so an edit changes only one of them, and it turns
 * -0 into 0.
 */
function documentValues(documents: readonly Document.Parsed[]): Json[] {
  return documents.map((document) =>
    isMap(document.contents) && document.errors.length === 0
      ? (JSON.parse(JSON.stringify(document.toJS())) as Json)
      : null,
  );
}

function applyTo(values: Json[], { edit, document, keys }: Made): void {
  let at: unknown = values[document];
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const inner = childOf(at, key);
    const isMissing = (inner === undefined || inner === null) && edit.value !== undefined;
    if (isMissing) setMember(at, key, {});
    at = childOf(at, key);
    if (at === undefined && index > 0) return;
  }
  const last = keys.at(-1) ?? "";
  if (edit.value === undefined) return void (isObject(at) && Reflect.deleteProperty(at, last));
  const before = childOf(at, last);
  const { declared, value } = edit;
  if (edit.add === true) {
    const present = isObject(before) ? before : {};
    return setMember(at, last, { ...(present as JsonObject), ...(rawValue(value) as JsonObject) });
  }
  setMember(
    at,
    last,
    before === undefined ? rawValue(value) : expectedValue(before as Json, declared, value, rawValue),
  );
}

function childOf(value: unknown, key: string): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

function setMember(value: unknown, key: string, item: Json): void {
  if (isObject(value) || Array.isArray(value))
    Object.defineProperty(value, key, { value: item, enumerable: true, writable: true, configurable: true });
}
