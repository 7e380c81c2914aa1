/**
 * Makes a part of a YAML text say another value, and leaves alone what already says it.
 *
 * Terms: the declared value is what the text means now, with expressions and merge keys resolved. A holder is the mapping or
 * list that a node is in.
 * Premise: people write files with comments, anchors and a style of their own. An edit must look as if they had made it, and
 * what comes from somewhere else (an alias, an expression, a merge key) must be changed there, by them.
 * Algorithm: go down both values as long as they are of one shape. Members are set, inserted and removed one by one, elements
 * of lists after an alignment of both lists. What is left is replaced in the style of the text.
 */
import { isDeepStrictEqual } from "node:util";
import {
  isAlias,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  type Document,
  type Node,
  type Pair,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { isValueObject, own, type Value, type ValueObject } from "../../model/json.ts";
import { alignItems, type AlignedItem } from "./align-items.ts";
import type { Edit } from "../edits.ts";
import { goneWith, insertItem, removeItems, replaceItem } from "./items.ts";
import { changeMembers, replaceNode, type Holder, type NewMember } from "./write-nodes.ts";
import {
  mergedRefusal,
  mergesKey,
  NOT_FOUND,
  Refusal,
  requireEditable,
  requireLoose,
  requireNoAnchor,
  requireRemovable,
} from "./refusal.ts";
import { reorderItems, type PlacedItem } from "./reorder.ts";
import { keyText, ownPairs, type Range, type SourceText, type Splice } from "./source-text.ts";

/** Members that are removed from a mapping and added to it. Several edits may change one mapping. */
export interface MemberChange {
  readonly map: YAMLMap;
  readonly holder: Holder;
  readonly removed: readonly Pair[];
  readonly added: readonly NewMember[];
  /** The removal of the mapping itself, if nothing is left of it. */
  readonly ifEmpty?: MemberChange | undefined;
}

/** What an edit adds to. */
export interface EditContext {
  readonly source: SourceText;
  readonly document: Document;
  readonly splices: Splice[];
  readonly members: MemberChange[];
  /** What goes with all of its comments. */
  readonly gone: Range[];
}

/** Changes a node so that it means `value`. @throws Refusal */
export function reconcile(
  context: EditContext,
  node: Node,
  holder: Holder,
  declared: Value | undefined,
  value: Value,
): void {
  if (declared !== undefined && isDeepStrictEqual(declared, value)) return;
  if (!isAlias(node)) requireEditable(context.source, node);
  if (isMap(node) && isValueObject(value) && isValueObject(declared) && keepsMember(node, declared, value))
    return reconcileMap(context, node, holder, declared, value);
  if (isSeq(node) && Array.isArray(value) && Array.isArray(declared) && value.length > 0 && node.items.length > 0)
    return reconcileList(context, node, declared as readonly Value[], value as readonly Value[], holder);
  requireLoose(context.source, node);
  context.splices.push(...replaceNode(context.source, node, holder, value));
}

/** A mapping with no member that stays is written anew. What is not declared stays, as an id does. */
function keepsMember(map: YAMLMap, declared: ValueObject, value: ValueObject): boolean {
  const isKept = (key: string): boolean => key === "<<" || Object.hasOwn(value, key) || !Object.hasOwn(declared, key);
  return map.items.some((pair) => isKept(keyText(pair)));
}

function reconcileMap(
  context: EditContext,
  map: YAMLMap,
  holder: Holder,
  declared: ValueObject,
  value: ValueObject,
): void {
  const pairs = ownPairs(map);
  const written = new Set(pairs.map(keyText));
  const gone = pairs.filter((pair) => !Object.hasOwn(value, keyText(pair)) && Object.hasOwn(declared, keyText(pair)));
  const merged = Object.keys(declared).find((key) => !written.has(key) && !Object.hasOwn(value, key));
  if (merged !== undefined) throw mergedRefusal(map);
  for (const pair of pairs) {
    const key = keyText(pair);
    const wanted = own(value, key);
    if (wanted !== undefined && isNode(pair.value))
      reconcile(context, pair.value, { type: "pair", map, pair }, own(declared, key), wanted);
  }
  for (const pair of gone) requireRemovable(pair);
  const added = Object.entries(value).flatMap(([key, wanted]) =>
    written.has(key) || isDeepStrictEqual(own(declared, key), wanted)
      ? []
      : [{ key, value: wanted, place: "last" as const }],
  );
  if (gone.length > 0 || added.length > 0) context.members.push({ map, holder, removed: gone, added });
}

function reconcileList(
  context: EditContext,
  list: YAMLSeq,
  declared: readonly Value[],
  value: readonly Value[],
  holder: Holder,
): void {
  const { source, splices } = context;
  if (declared.length !== list.items.length) {
    requireLoose(source, list);
    return void splices.push(...replaceNode(source, list, holder, value));
  }
  const rows = alignItems(declared, value);
  context.gone.push(...goneWith(source, list, requireGone(source, list, rows)));
  if (rows.some(({ moved }) => moved))
    return void splices.push(reorderItems(source, list, placedItems(context, list, rows, declared, value)));
  const removed = rows.flatMap(({ from, to }) => (from !== undefined && to === undefined ? [from] : []));
  splices.push(...removeItems(source, list, removed));
  let last = -1;
  for (const { from, to, replaced } of rows) {
    const item: unknown = list.items[from ?? -1];
    const wanted = value[to ?? -1];
    if (from !== undefined) last = from;
    if (wanted === undefined) continue;
    if (from === undefined) splices.push(...insertItem(source, list, last, wanted));
    else if (replaced) splices.push(...replaceItem(source, list, from, wanted));
    else if (isNode(item)) reconcile(context, item, { type: "item", list, index: from }, declared[from], wanted);
  }
}

/** The elements that are removed, or replaced by others. @throws Refusal if one of them has to stay */
function requireGone(source: SourceText, list: YAMLSeq, rows: readonly AlignedItem[]): readonly number[] {
  return rows.flatMap(({ from, to, replaced }) => {
    const item: unknown = list.items[from ?? -1];
    if (from === undefined || (to !== undefined && !replaced)) return [];
    if (isNode(item) && replaced) requireLoose(source, item);
    else if (isNode(item)) requireNoAnchor(item);
    return [from];
  });
}

/** The elements of a list in their new order, each with the changes inside of it. */
function placedItems(
  context: EditContext,
  list: YAMLSeq,
  rows: readonly AlignedItem[],
  declared: readonly Value[],
  value: readonly Value[],
): readonly PlacedItem[] {
  const { source } = context;
  return rows.flatMap(({ from, to, replaced }): readonly PlacedItem[] => {
    const wanted = value[to ?? -1];
    if (wanted === undefined) return [];
    if (from === undefined || replaced) return [{ type: "new", value: wanted }];
    const inside: EditContext = { ...context, splices: [], members: [] };
    const item: unknown = list.items[from];
    if (isNode(item)) reconcile(inside, item, { type: "item", list, index: from }, declared[from], wanted);
    const members = inside.members.flatMap(({ map, holder, removed, added }) =>
      changeMembers(source, map, holder, removed, added),
    );
    return [{ type: "old", index: from, splices: [...inside.splices, ...members] }];
  });
}

/** Goes down to the holder of a path, and changes or removes what is there. @throws Refusal */
export function editAt(
  context: EditContext,
  node: Node,
  holder: Holder,
  keys: readonly string[],
  edit: Pick<Edit, "declared" | "value"> & { readonly first: boolean; readonly add: boolean },
): void {
  const [key, ...below] = keys;
  if (key === undefined) {
    if (edit.add && isValueObject(edit.value)) return addMembers(context, node, holder, edit.value, edit.first);
    if (edit.value === undefined) throw new Refusal("it is an element of a list", node.range?.[0]);
    return reconcile(context, node, holder, edit.declared, edit.value);
  }
  requireEditable(context.source, node);
  if (isMap(node)) {
    const pair = ownPairs(node).find((item) => keyText(item) === key);
    if (pair !== undefined && edit.value === undefined && below.length === 0) {
      requireRemovable(pair);
      return void context.members.push({ map: node, holder, removed: [pair], added: [] });
    }
    if (pair !== undefined && isNode(pair.value))
      return editAt(context, pair.value, { type: "pair", map: node, pair }, below, edit);
    const isMerged = mergesKey(context.document, node, key);
    // A member of its own replaces the whole value of the merge key.
    if (isMerged && (edit.value === undefined || below.length > 0)) throw mergedRefusal(node);
    // A declared member that is not here is in another file, so it would be declared twice.
    if (!isMerged && edit.declared !== undefined) throw new Refusal(NOT_FOUND);
    if (edit.value === undefined) return;
    const value = below.reduceRight<Value>((inner, name) => ({ [name]: inner }), edit.value);
    return void context.members.push({
      map: node,
      holder,
      removed: [],
      added: [{ key, value, place: edit.first ? "first" : "last" }],
    });
  }
  if (isSeq(node)) {
    const item: unknown = node.items[Number(key)];
    if (isNode(item)) return editAt(context, item, { type: "item", list: node, index: Number(key) }, below, edit);
  }
  const isUnset = isScalar(node) && node.value === null;
  if (!isUnset || edit.value === undefined || isCollection(node)) throw new Refusal(NOT_FOUND);
  const wanted = keys.reduceRight<Value>((inner, name) => ({ [name]: inner }), edit.value);
  context.splices.push(...replaceNode(context.source, node, holder, wanted));
}

/** Adds members to a mapping, or makes it out of nothing. @throws Refusal if one of them is there already */
function addMembers(context: EditContext, node: Node, holder: Holder, members: ValueObject, first: boolean): void {
  requireEditable(context.source, node);
  if (!isMap(node) || node.items.length === 0) {
    const isEmpty = isMap(node) || (isScalar(node) && node.value === null);
    if (!isEmpty) throw new Refusal("it is no mapping");
    return void context.splices.push(...replaceNode(context.source, node, holder, members));
  }
  const written = new Set(ownPairs(node).map(keyText));
  const taken = Object.keys(members).find((key) => written.has(key));
  if (taken !== undefined) throw new Refusal(`${taken} is declared there already`);
  const place = first ? "first" : "sorted";
  const added = Object.entries(members).map(([key, value]) => ({ key, value, place }) as const);
  context.members.push({ map: node, holder, removed: [], added });
}
