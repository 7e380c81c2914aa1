/**
 * Makes a part of a YAML text say another value, and leaves alone what already says it.
 *
 * Terms: the declared value is what the text means now, with expressions and merge keys resolved. A slot is a node with the member
 * or the element that it is the value of.
 * Premise: people write files with comments, anchors and a style of their own. An edit must look as if they had made it, and
 * what comes from somewhere else (an alias, an expression, a merge key) must be changed there, by them.
 * Algorithm: go down both values as long as they are of one shape. Members are set, inserted and removed one by one, elements
 * of lists after an alignment of both lists. What is left is replaced in the style of the text.
 */
import { isDeepStrictEqual } from "node:util";
import { isAlias, isMap, isNode, isScalar, isSeq, type Document, type Node, type YAMLMap, type YAMLSeq } from "yaml";
import { isValueObject, own, type Value, type ValueObject } from "../../model/json/json.ts";
import { alignItems, type AlignedItem } from "./align-items.ts";
import type { Edit } from "../edit.ts";
import { arrange, type Row } from "./arrange.ts";
import { formatItem, goneWith, itemPieces, movedText } from "./items.ts";
import { changeMembers, replaceNode, type MemberChange, type HeldNode } from "./write-nodes.ts";
import {
  mergedUneditable,
  mergesKey,
  NOT_FOUND,
  UneditableError,
  requireEditable,
  requireLoose,
  requireNoAnchor,
  requireRemovable,
} from "./uneditable.ts";
import {
  includedText,
  type NewIncludedText,
  writtenKey,
  ownPairs,
  type Range,
  type SourceText,
  type Splice,
} from "./source-text.ts";

/** Collects what edits change in a text. */
export class Reconciler {
  readonly splices: Splice[] = [];
  readonly members: MemberChange[] = [];
  /** What goes with all of its comments. */
  readonly gone: Range[] = [];
  /** What becomes of texts that are included. */
  readonly texts: NewIncludedText[] = [];
  readonly #source: SourceText;
  readonly #document: Document;

  constructor(source: SourceText, document: Document) {
    this.#source = source;
    this.#document = document;
  }

  /** Finds the value at a path, and changes or removes it. @throws UneditableError */
  editAt(slot: HeldNode, keys: readonly string[], edit: Edit): void {
    const { node } = slot;
    const [key, ...below] = keys;
    if (key === undefined) return this.#editHere(slot, edit);
    requireEditable(this.#source, node);
    if (isMap(node)) return this.#editMember({ ...slot, node }, keys, edit);
    if (isSeq(node)) {
      const index = Number(key);
      const item: unknown = node.items[index];
      if (isNode(item)) return this.editAt({ node: item, holder: { type: "item", list: node, index } }, below, edit);
    }
    const isUnset = isScalar(node) && node.value === null;
    if (!isUnset || edit.value === undefined) throw new UneditableError(NOT_FOUND);
    this.#replace(slot, nested(keys, edit.value));
  }

  #editHere(slot: HeldNode, edit: Edit): void {
    if (edit.add === true && isValueObject(edit.value)) return this.#addMembers(slot, edit.value, edit);
    if (edit.value === undefined) throw new UneditableError("it is an element of a list", slot.node.range?.[0]);
    this.#reconcile(slot, edit.declared, edit.value);
    if (edit.page !== undefined) this.splices.push(...this.#pageBeside(slot.node, edit.page));
  }

  /** Another page in the place of that beside a value. */
  #pageBeside({ range }: Node, page: string): readonly Splice[] {
    const from = range?.[1] ?? 0;
    const [old] = /^[ \t]+# https?:\S+/u.exec(this.#source.text.slice(from)) ?? [];
    const text = page === "" ? "" : ` # ${page}`;
    return old === undefined ? [] : [{ from, to: from + old.length, text }];
  }

  #editMember({ node: map, holder }: HeldNode<YAMLMap>, [key = "", ...below]: readonly string[], edit: Edit): void {
    const pair = ownPairs(map).find((item) => writtenKey(item) === key);
    if (pair !== undefined && edit.value === undefined && below.length === 0) {
      requireRemovable(pair);
      return void this.members.push({ map, holder, removed: [pair], added: [] });
    }
    if (pair !== undefined && isNode(pair.value))
      return this.editAt({ node: pair.value, holder: { type: "pair", map, pair } }, below, edit);
    const isMerged = mergesKey(this.#document, map, key);
    // A member of its own replaces the whole value of the merge key.
    if (isMerged && (edit.value === undefined || below.length > 0)) throw mergedUneditable(map);
    // A declared member that is not here is in another file, so it would be declared twice.
    if (!isMerged && edit.declared !== undefined) throw new UneditableError(NOT_FOUND);
    if (edit.value === undefined) return;
    const place = edit.first === true ? "first" : "last";
    this.members.push({ map, holder, removed: [], added: [{ key, value: nested(below, edit.value), place }] });
  }

  /** Adds members to a mapping, or makes it out of nothing. @throws UneditableError if one of them is there already */
  #addMembers(slot: HeldNode, members: ValueObject, { first }: Edit): void {
    const { node, holder } = slot;
    requireEditable(this.#source, node);
    if (!isMap(node) || node.items.length === 0) {
      const isEmpty = isMap(node) || (isScalar(node) && node.value === null);
      if (!isEmpty) throw new UneditableError("it is no mapping");
      return this.#replace(slot, members);
    }
    const written = new Set(ownPairs(node).map(writtenKey));
    const existing = Object.keys(members).find((key) => written.has(key));
    if (existing !== undefined) throw new UneditableError(`${existing} is declared there already`);
    const place = first === true ? "first" : "sorted";
    // That of a pin is beside it.
    const comment = this.#source.comments?.get(members);
    const added = Object.entries(members).map(([key, value]) => ({ key, value, place, comment }) as const);
    this.members.push({ map: node, holder, removed: [], added });
  }

  /** Changes a node so that it means `value`. @throws UneditableError */
  #reconcile(slot: HeldNode, declared: Value | undefined, value: Value): void {
    const { node } = slot;
    if (declared !== undefined && isDeepStrictEqual(declared, value)) return;
    const included = isScalar(node) ? includedText(node.value, value, this.#source.mayWrite) : undefined;
    if (included !== undefined) return void this.texts.push(included);
    if (!isAlias(node)) requireEditable(this.#source, node);
    if (isMap(node) && isValueObject(value) && isValueObject(declared) && keepsMember(node, declared, value))
      return this.#reconcileMap({ ...slot, node }, declared, value);
    if (isSeq(node) && Array.isArray(value) && Array.isArray(declared) && value.length > 0 && node.items.length > 0)
      return this.#reconcileList({ ...slot, node }, declared as readonly Value[], value as readonly Value[]);
    requireLoose(this.#source, node);
    this.#replace(slot, value);
  }

  #reconcileMap({ node: map, holder }: HeldNode<YAMLMap>, declared: ValueObject, value: ValueObject): void {
    const pairs = ownPairs(map);
    const written = new Set(pairs.map(writtenKey));
    const gone = pairs.filter(
      (pair) => !Object.hasOwn(value, writtenKey(pair)) && Object.hasOwn(declared, writtenKey(pair)),
    );
    const merged = Object.keys(declared).find((key) => !written.has(key) && !Object.hasOwn(value, key));
    if (merged !== undefined) throw mergedUneditable(map);
    for (const pair of pairs) {
      const key = writtenKey(pair);
      const wanted = own(value, key);
      if (wanted !== undefined && isNode(pair.value))
        this.#reconcile({ node: pair.value, holder: { type: "pair", map, pair } }, own(declared, key), wanted);
    }
    for (const pair of gone) requireRemovable(pair);
    const added = Object.entries(value).flatMap(([key, wanted]) =>
      written.has(key) || isDeepStrictEqual(own(declared, key), wanted)
        ? []
        : [{ key, value: wanted, place: "inside" as const }],
    );
    if (gone.length > 0 || added.length > 0) this.members.push({ map, holder, removed: gone, added });
  }

  #reconcileList(slot: HeldNode<YAMLSeq>, declared: readonly Value[], value: readonly Value[]): void {
    const source = this.#source;
    const { node: list } = slot;
    if (declared.length !== list.items.length) {
      requireLoose(source, list);
      return this.#replace(slot, value);
    }
    const rows = alignItems(declared, value);
    this.gone.push(...goneWith(source, list, requireGone(source, list, rows)));
    let last: Node | undefined;
    const placed = rows.flatMap((row): readonly Row[] => {
      const item = list.items[row.from ?? -1] as Node | undefined;
      last = item ?? last;
      return this.#itemRows(list, row, { declared: declared[row.from ?? -1], value: value[row.to ?? -1], like: last });
    });
    this.splices.push(...arrange(source, list, itemPieces(source, list), placed));
  }

  /** What becomes of an element. One that stands at another place is written again, with the changes inside of it. */
  #itemRows(
    list: YAMLSeq,
    { from = -1, moved, replaced }: AlignedItem,
    {
      declared,
      value,
      like,
    }: { readonly declared: Value | undefined; readonly value: Value | undefined; readonly like: Node | undefined },
  ): readonly Row[] {
    const source = this.#source;
    const item: unknown = list.items[from];
    const gone = from === -1 ? [] : [{ type: "gone", index: from } as const];
    if (value === undefined) return gone;
    if (from === -1 || replaced)
      return [
        ...gone,
        { type: "new", text: formatItem(source, list, value, { like, old: replaced ? like : undefined }) },
      ];
    const inside = moved ? new Reconciler(source, this.#document) : this;
    if (isNode(item)) inside.#reconcile({ node: item, holder: { type: "item", list, index: from } }, declared, value);
    if (!moved) return [{ type: "kept", index: from }];
    this.gone.push(...inside.gone);
    this.texts.push(...inside.texts);
    const members = inside.members.flatMap((change) => changeMembers(source, change));
    return [{ type: "new", isMoved: true, text: movedText(source, list, from, [...inside.splices, ...members]) }];
  }

  #replace({ node, holder }: HeldNode, value: Value): void {
    this.splices.push(...replaceNode(this.#source, node, holder, value));
  }
}

/** A value below some keys. */
function nested(keys: readonly string[], value: Value): Value {
  return keys.reduceRight<Value>((inner, name) => ({ [name]: inner }), value);
}

/** A mapping with no member that stays is written anew. What is not declared stays, as an id does. */
function keepsMember(map: YAMLMap, declared: ValueObject, value: ValueObject): boolean {
  const isKept = (key: string): boolean => key === "<<" || Object.hasOwn(value, key) || !Object.hasOwn(declared, key);
  return map.items.some((pair) => isKept(writtenKey(pair)));
}

/** The elements that are removed, or replaced by others. @throws UneditableError if one of them has to stay */
function requireGone(source: SourceText, list: YAMLSeq, rows: readonly AlignedItem[]): readonly number[] {
  return rows.flatMap(({ from, to, replaced }) => {
    const item: unknown = list.items[from ?? -1];
    if (from === undefined || (to !== undefined && !replaced)) return [];
    if (isNode(item) && replaced) requireLoose(source, item);
    else if (isNode(item)) requireNoAnchor(item);
    return [from];
  });
}
