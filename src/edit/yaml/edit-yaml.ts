/**
 * Writes values into a YAML or JSON configuration that people maintain by hand.
 *
 * Terms: an edit names a resource by the position of its key, and a field below it. A splice replaces one range of the
 * text.
 * Premise: everything else stays the same byte for byte, including comments. A review then shows the edit and nothing
 * else.
 * Algorithm: find the node of each edit in the parsed text, turn the difference into splices (see reconcile.ts), and apply
 * them. A mapping that loses its last resource goes with it. Then parse the new text: it must hold the old values with exactly
 * these edits. If it does not, try them by halves, and refuse those that go wrong.
 */
import { isDeepStrictEqual } from "node:util";
import { isMap, isNode, isScalar, LineCounter, visit, type Document, type YAMLMap } from "yaml";
import { parseDocuments } from "../../config/tree/parse-documents.ts";
import { groupBy } from "../../model/group-by.ts";
import { pointerKeys } from "../../model/pointer.ts";
import type { Edit, ManualEdit } from "../edit.ts";
import { applyTo, documentValues, type PlacedEdit } from "./expected-values.ts";
import { findPair, offsetOf, type FoundPair } from "./locate.ts";
import { changeMembers, type MemberChange } from "./write-nodes.ts";
import { Reconciler } from "./reconcile.ts";
import { textNode, yamlText } from "./yaml-text.ts";
import { NOT_FOUND, UneditableError, requireRemovable } from "./uneditable.ts";
import {
  contentEnd,
  isBlock,
  isJsonText,
  keepsComments,
  sourceText,
  type MayWrite,
  type NewIncludedText,
  type Range,
  type SourceText,
  type Splice,
  spliced,
} from "./source-text.ts";

export interface Edited {
  readonly text: string;
  /** The edits that were not made. */
  readonly refused: readonly ManualEdit[];
  /** The new texts of included files, with the edits that they belong to; absent if there are none. */
  readonly texts?: readonly (NewIncludedText & { readonly edit: Edit })[];
}

/**
 * Applies the edits to the text. Edits must not overlap.
 *
 * @param mayWrite which included texts may be written in the place of the value that is an expression; by default none
 */
export function editYaml(text: string, edits: readonly Edit[], mayWrite?: MayWrite): Edited {
  // A byte order mark counts in no position.
  const content = text.replace(/^\uFEFF/, "");
  const edited = editContent(content, edits, mayWrite);
  return { ...edited, text: text.slice(0, text.length - content.length) + edited.text };
}

function editContent(text: string, edits: readonly Edit[], mayWrite: MayWrite | undefined): Edited {
  const parsed = parse(text, edits, mayWrite);
  const refused: ManualEdit[] = [];
  const made: AppliedEdit[] = [];
  for (const edit of edits) {
    const result = edit.refusal === undefined ? makeEdit(parsed, edit) : new UneditableError(edit.refusal);
    if (result instanceof UneditableError) refused.push(refusedEdit(parsed, edit, result));
    else made.push(result);
  }
  const together = applied(parsed, made);
  if (together !== undefined) return { text: together, refused, ...textsOf(made) };
  const fitting = fittingEdits(parsed, made);
  const edited = applied(parsed, fitting);
  const kept = new Set(edited === undefined ? [] : fitting);
  const unsafe = new UneditableError("the file cannot be edited safely");
  for (const placed of made) if (!kept.has(placed)) refused.push(refusedEdit(parsed, placed.edit, unsafe));
  return { text: edited ?? text, refused, ...textsOf([...kept]) };
}

/** Those that fit, of edits that do not fit together. They are tried by halves: of many, one that goes wrong costs few tries. */
function fittingEdits(parsed: Parsed, wanted: readonly AppliedEdit[]): readonly AppliedEdit[] {
  if (wanted.length < 2) return [];
  const middle = Math.ceil(wanted.length / 2);
  return [wanted.slice(0, middle), wanted.slice(middle)].flatMap((half) =>
    applied(parsed, half) === undefined ? fittingEdits(parsed, half) : half,
  );
}

function textsOf(made: readonly AppliedEdit[]): Pick<Edited, "texts"> {
  const all = made.flatMap(({ edit, texts }) => texts.map((one) => ({ ...one, edit })));
  return all.length === 0 ? {} : { texts: all };
}

interface Parsed {
  readonly source: SourceText;
  readonly lineStarts: readonly number[];
  readonly documents: readonly Document.Parsed[];
}

function parse(text: string, edits: readonly Edit[], mayWrite: MayWrite | undefined): Parsed {
  const lines = new LineCounter();
  const source = sourceText(text);
  // All edits of an import share one map.
  const maps = new Set(source.isJson ? [] : edits.map(({ comments = [] }) => comments));
  const comments = new Map([...maps].flatMap((one) => [...one]));
  return {
    source: { ...source, comments, mayWrite },
    documents: parseDocuments(text, { lineCounter: lines, keepSourceTokens: true }).map(withoutUnusedAnchors),
    lineStarts: lines.lineStarts,
  };
}

/** An anchor that no alias names is no reason to refuse an edit. The text keeps it. */
function withoutUnusedAnchors(document: Document.Parsed): Document.Parsed {
  const used = new Set<string>();
  visit(document, { Alias: (_key, { source }) => void used.add(source) });
  visit(document, {
    Value: (_key, node) => {
      if (node.anchor !== undefined && !used.has(node.anchor)) delete node.anchor;
    },
  });
  return document;
}

interface AppliedEdit extends PlacedEdit {
  readonly splices: readonly Splice[];
  readonly members: readonly MemberChange[];
  readonly gone: readonly Range[];
  readonly texts: readonly NewIncludedText[];
}

/** The resource that an edit is for. */
function findResource(
  { documents, lineStarts }: Parsed,
  { at: { line = 1, column = 1 } }: Edit,
): FoundPair | undefined {
  return findPair(documents, (lineStarts[line - 1] ?? 0) + column - 1);
}

function makeEdit(parsed: Parsed, edit: Edit): AppliedEdit | UneditableError {
  const resource = findResource(parsed, edit);
  if (resource === undefined || !isNode(resource.pair.value)) return new UneditableError(NOT_FOUND);
  const { map, pair, outer, path, document } = resource;
  if (edit.key !== undefined) return otherKey(parsed, edit, edit.key, resource);
  const below = pointerKeys(edit.path);
  const reconciler = new Reconciler(parsed.source, parsed.documents[document] as Document);
  try {
    if (below.length === 0 && edit.value === undefined && outer !== undefined) {
      requireRemovable(pair);
      reconciler.members.push({
        map,
        holder: outer,
        removed: [pair],
        added: [],
        ifEmpty: removalOfMapping(parsed.source, resource),
      });
    } else reconciler.editAt({ node: resource.pair.value, holder: { type: "pair", map, pair } }, below, edit);
  } catch (error) {
    if (error instanceof UneditableError) return error;
    throw error;
  }
  const { splices, gone, texts } = reconciler;
  const members = reconciler.members.map((one) => (one.map === pair.value ? { ...one, order: edit.order } : one));
  return { edit, splices, members, gone, texts, document, keys: [...path, ...below] };
}

/** Gives a resource another key. */
function otherKey(
  { source }: Parsed,
  edit: Edit,
  wanted: string,
  { map, pair, path, document }: FoundPair,
): AppliedEdit | UneditableError {
  const { key } = pair;
  if (map.has(wanted)) return new UneditableError(`${wanted} is declared there already`);
  if (!isScalar(key) || !key.range) return new UneditableError(NOT_FOUND);
  const [from, to] = key.range;
  const isQuoted = source.isJson || key.type === "QUOTE_DOUBLE";
  const text = isQuoted ? JSON.stringify(wanted) : yamlText(textNode(wanted)).trim();
  return { edit, document, keys: path, splices: [{ from, to, text }], members: [], gone: [], texts: [] };
}

/** The removal of the mapping that holds a resource. Undefined if it has to stay, even if it is empty. */
function removalOfMapping({ text }: SourceText, { outer, around }: FoundPair): MemberChange | undefined {
  // If it is the only one, the mapping around it would be empty in its place.
  if (outer?.type !== "pair" || around === undefined || outer.map.items.length === 1) return undefined;
  const { key, value } = outer.pair;
  // An alias may need the mapping, even if it is empty.
  if (!isNode(key) || !isMap(value) || value.anchor !== undefined) return undefined;
  // A comment on the line of the key is about the whole mapping, and would be lost.
  const before = isBlock(value) ? (key.range?.[1] ?? 0) : contentEnd(value, text);
  if (/^[ \t:,]*#/.test(text.slice(before))) return undefined;
  return { map: outer.map, holder: around, removed: [outer.pair], added: [] };
}

/** The edits, with the removal of a mapping in the place of the removal of everything in it. */
function withoutEmptied(made: readonly AppliedEdit[]): readonly AppliedEdit[] {
  const emptied = new Set<YAMLMap>();
  for (const [map, changes] of changesOfMaps(made)) {
    const removed = new Set(changes.flatMap((change) => change.removed));
    if (removed.size === map.items.length && changes.every(({ added }) => added.length === 0)) emptied.add(map);
  }
  return made.map((one) => {
    const whole = one.members.find(({ map, ifEmpty }) => ifEmpty !== undefined && emptied.has(map))?.ifEmpty;
    return whole === undefined ? one : { ...one, members: [whole], keys: one.keys.slice(0, -1) };
  });
}

/** The changes of the members of each mapping: several edits may change one mapping. */
function changesOfMaps(made: readonly AppliedEdit[]): ReadonlyMap<YAMLMap, readonly [MemberChange, ...MemberChange[]]> {
  return groupBy(
    made.flatMap(({ members }) => members),
    ({ map }) => map,
  );
}

/** An edit with the reason against it. Without a better place it has that of its value, or of what surrounds that. */
function refusedEdit(parsed: Parsed, edit: Edit, { message: reason, offset, reference }: UneditableError): ManualEdit {
  const { pair } = findResource(parsed, edit) ?? {};
  const keys = pointerKeys(edit.path);
  const at = offset ?? offsetOf(pair, keys);
  if (at === undefined) return { edit, reason, at: edit.at };
  const line = parsed.lineStarts.findLastIndex((start) => start <= at);
  const valueOffset = keys.length === 0 && isNode(pair?.value) ? pair.value.range?.[0] : offsetOf(pair, keys);
  const place = { ...edit.at, line: line + 1, column: at - (parsed.lineStarts[line] ?? 0) + 1 };
  return { edit, reason, at: place, ...(valueOffset === at && reference !== undefined ? { reference } : {}) };
}

/** The text with all splices; undefined if it would not hold exactly the values that are wanted. */
function applied({ source, documents }: Parsed, wanted: readonly AppliedEdit[]): string | undefined {
  const { text } = source;
  const made = withoutEmptied(wanted);
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const splices = [...made.flatMap((one) => one.splices), ...memberSplices(source, made)].map((splice) => ({
    ...splice,
    text: splice.text.replaceAll(/\r?\n/g, lineEnd),
  }));
  const edited = spliced(text, splices, { from: 0, to: text.length });
  if (edited === undefined) return undefined;
  const gone = made.flatMap((one) => one.gone);
  if ((source.isJson && !isJsonText(edited)) || !keepsComments(source, edited, gone)) return undefined;
  const expected = documentValues(documents);
  for (const placed of made) applyTo(expected, placed, source.mayWrite);
  return isDeepStrictEqual(documentValues(parseDocuments(edited)), expected) ? edited : undefined;
}

/** The changes of the members of each mapping, made together. */
function memberSplices(source: SourceText, made: readonly AppliedEdit[]): readonly Splice[] {
  return [...changesOfMaps(made).values()].flatMap((changes) => {
    const [{ map, holder }] = changes;
    const { order } = changes.find((change) => change.order !== undefined) ?? {};
    const removed = [...new Set(changes.flatMap((change) => change.removed))];
    const added = changes.flatMap((change) => change.added);
    return changeMembers(source, { map, holder, removed, added, order });
  });
}
