/**
 * Finds the live object that a declared resource refers to.
 *
 * Terms: a pin is a declared id. A natural key is the name by which people know an object in its scope.
 * Premise: driftline never guesses. A pin takes precedence over everything. If two objects have one natural key, neither is
 * taken. An incomplete list does not prove that an object is absent, nor does any list that of one which may be hidden from the
 * key's user.
 * Algorithm: match by pin, else by natural key (the first declared one that finds an object), else by the key before a rename. If
 * another resource declares that one now, the values say whose the object is (former-names.ts has the order).
 */
import { compare } from "../diff/compare.ts";
import { caselessKey, naturalKey } from "../kinds/keys.ts";
import type { Kind } from "../kinds/kind.ts";
import { isKeyedByEmail, declaredKeys, kinds, shareIds } from "../kinds/registry.ts";
import { command } from "../model/command.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ValueObject } from "../model/json/json.ts";
import { filterKeys } from "../model/json/object.ts";
import { quoted, visible } from "../model/text/quote.ts";
import { hasPin, isLookedFor, type LiveList, type LiveObject, type LookupKeys, type Unread } from "../model/live.ts";
import { type Collection, isWanted, isWithin, pinKey, type Pin, type Resource } from "../model/resource.ts";
import { convertedResource } from "./converted.ts";
import { withoutMissingFields } from "./missing-fields.ts";

/** What only a person can decide. */
export type Problem = Required<Pick<Diagnostic, "code" | "message" | "hint">> & Pick<Diagnostic, "command">;

export type Match =
  | {
      readonly type: "found";
      readonly live: LiveObject;
      /** Whether it was found by nothing but the key that it had before a rename. */
      readonly hasFormerKey?: boolean;
    }
  | { readonly type: "absent" }
  | {
      readonly type: "pin_missing";
      readonly pin: Pin;
      /** Ids of the objects that have the natural key of the resource. */
      readonly ids: readonly string[];
    }
  | {
      /** Names do not say which object it is. */
      readonly type: "undecided";
      readonly problem: Problem;
      /** An object that may be that of another resource, which is renamed, or has the former name of this one. */
      readonly contested?: LiveObject;
    }
  | (Unread & { readonly type: "unknown" });

/** A list with its objects by pin and by natural key, so that a resource is compared with few of them. */
export interface Index {
  readonly list: LiveList;
  /** By field and lower-case value. */
  readonly byPin: ReadonlyMap<string, readonly LiveObject[]>;
  readonly byKey: ReadonlyMap<string, readonly LiveObject[]>;
}

/** @param lookupKeys what resources look for in the list. Other objects are not indexed. */
export function indexOf(list: LiveList, lookupKeys?: LookupKeys): Index {
  const byPin = new Map<string, LiveObject[]>();
  const byKey = new Map<string, LiveObject[]>();
  for (const live of list.objects) {
    if (lookupKeys !== undefined && !isLookedFor(live, lookupKeys)) continue;
    for (const [field, value] of Object.entries(live.pins)) add(byPin, pinKey({ field, value }), live);
    for (const key of live.keys) add(byKey, key, live);
  }
  return { list, byPin, byKey };
}

/** What other resources have to do with the object of one. */
export interface Rivals {
  /** The objects that they already have, by `claimKey`. */
  readonly claims: Pick<ReadonlySet<string>, "has">;
  /** The addresses of resources that may have been renamed, and whose object may be that of another one, by its `claimKey`. */
  readonly contested?: ReadonlyMap<string, string>;
  /** The resources that declare the former name of this one, or that had it as well. */
  readonly ofFormerName?: readonly Resource[];
  readonly isInCircle?: boolean;
}

/**
 * Finds the object of a resource.
 *
 * @param indexes the resource's own list first, then those of its kind's siblings
 */
export function match(kind: Kind, resource: Resource, indexes: readonly Index[], rivals: Rivals): Match {
  const { claims, contested } = rivals;
  const unclaimed: Unclaimed = { indexes, isFree: (live) => !claims.has(claimKey(live)) };
  const { pin, lifecycle } = resource;
  const pinned = pin && findByPin(pin, unclaimed);
  if (pinned !== undefined) return { type: "found", live: pinned };
  const unread = whyUnknown(pin, indexes);
  if (unread !== undefined) return { type: "unknown", ...unread };
  const keys = declaredKeys(resource);
  const named = findByKey(keys, unclaimed);
  if (pin !== undefined) return matchWithoutPin(pin, named);
  const byName = onlyMatch(named, keys[0] ?? resource.name);
  const rival = byName?.type === "found" ? contested?.get(claimKey(byName.live)) : undefined;
  if (byName?.type === "found" && rival !== undefined) return contestedBy(resource, byName.live, rival);
  return lifecycle.renamed_from === undefined
    ? (byName ?? { type: "absent" })
    : matchRenamed(kind, resource, { byName, named, from: lifecycle.renamed_from }, { ...unclaimed, rivals });
}

/** What is left if no object has the pin. @param named the objects with the natural key of the resource */
function matchWithoutPin(pin: Pin, named: readonly LiveObject[]): Match {
  const placeholder = named.find((live) => live.state === "placeholder");
  return placeholder === undefined
    ? { type: "pin_missing", pin, ids: named.map((live) => live.id) }
    : { type: "found", live: placeholder };
}

interface Renamed {
  /** The objects with the new name, and what they amount to; undefined if there are none. */
  readonly named: readonly LiveObject[];
  readonly byName: Match | undefined;
  /** The former name. */
  readonly from: string;
}

/**
 * An object with the former name is the resource, if none has the new one. If one has it, and another resource declares the former
 * name, the rename is done.
 */
function matchRenamed(
  kind: Kind,
  resource: Resource,
  { byName, named, from }: Renamed,
  unclaimed: Unclaimed & { readonly rivals: Rivals },
): Match {
  const { ofFormerName: rivals = [], isInCircle } = unclaimed.rivals;
  const formerKeys = renamedKeys(kind, resource, from);
  const formerlyNamed = findByKey(formerKeys, unclaimed);
  const ids = [...named, ...formerlyNamed].map((live) => live.id);
  if (isInCircle === true && ids.length > 0)
    return renameConflict(
      `the renames go in a circle, so names do not say which object is which: ids ${visible(ids.join(", "))}`,
      "Pin each of them with its `id`, and remove lifecycle.renamed_from.",
    );
  if (named.length > 0 && formerlyNamed.length > 0 && rivals.length === 0)
    return renameConflict(
      `both the new name and ${quoted(from)} exist: ids ${visible(ids.join(", "))}`,
      "Remove lifecycle.renamed_from, or one of the objects.",
    );
  if (byName !== undefined) return byName;
  const byFormerName = onlyMatch(formerlyNamed, from);
  if (byFormerName?.type === "found")
    return formerObject(resource, byFormerName.live, rivals, unclaimed.indexes[0]?.list);
  if (byFormerName !== undefined) return byFormerName;
  const claimed = findByKey(formerKeys, { ...unclaimed, isFree: () => true });
  // An object that another resource is pinned to is not this one.
  return claimed.every((live) => isPinnedByOne(rivals, live)) ? { type: "absent" } : takenByAnother(from);
}

/** Whose an object is that has the former name of a resource. driftline does not guess: pins decide, then the values. */
function formerObject(resource: Resource, live: LiveObject, rivals: readonly Resource[], list?: LiveList): Match {
  if (isPinnedByOne(rivals, live)) return { type: "absent" };
  const [rival, ...others] = rivals.filter(({ pin }) => pin === undefined);
  if (rival === undefined) return { type: "found", live, hasFormerKey: true };
  // People change their addresses themselves.
  if (isKeyedByEmail(resource.kind)) return takenByAnother(resource.lifecycle.renamed_from ?? "");
  const isSuccessor = declaredKeys(rival).some((key) => live.keys.includes(key));
  if (isSuccessor && others.length === 0) {
    const { keyFields } = kinds[resource.kind].identity;
    if (isAsDeclared(resource, live, list, keyFields)) return { type: "found", live, hasFormerKey: true };
    if (isWanted(rival.lifecycle) && isAsDeclared(rival, live, list)) return { type: "absent" };
  }
  return contestedBy(resource, live, rival.address);
}

function renameConflict(message: string, hint: string): Match {
  return { type: "undecided", problem: { code: "rename_conflict", message, hint } };
}

function takenByAnother(from: string): Match {
  return renameConflict(
    `another resource has the object with the former name ${quoted(from)}`,
    "Remove lifecycle.renamed_from.",
  );
}

function contestedBy({ address, lifecycle }: Resource, live: LiveObject, rival: string): Match {
  const { renamed_from: from = live.keys[0] ?? "" } = lifecycle;
  const message = `the ${live.kind} ${quoted(from)} (id ${visible(live.id)}) may be this one or ${rival}, and is as neither of them declares`;
  const hint = "Pin the one that it is. If it is this one:";
  const toPin = command("pin", { only: `${address}=${live.id}` });
  return { type: "undecided", problem: { code: "rename_conflict", message, hint, command: toPin }, contested: live };
}

/** Whether an object differs in nothing from what a resource declares, apart from some fields. */
function isAsDeclared(declared: Resource, live: LiveObject, list?: LiveList, without: readonly string[] = []): boolean {
  const kind = kinds[declared.kind];
  const { resource } = withoutMissingFields(declared, list);
  const values = filterKeys(convertedResource(kind, resource, live).values, (field) => !without.includes(field));
  return compare(kind, values, live.values, resource.lifecycle).length === 0;
}

function isPinnedByOne(resources: readonly Resource[], live: LiveObject): boolean {
  return resources.some(({ pin }) => pin !== undefined && hasPin(live, pin));
}

/** Why the lists do not show whether an object exists that they lack; undefined if they do. A pinned one may be hidden. */
function whyUnknown(pin: Pin | undefined, indexes: readonly Index[]): Unread | undefined {
  const lists = indexes.map(({ list }) => list);
  const unknown = lists.find((list) => list.status === "unknown");
  if (unknown !== undefined) return { reason: unknown.reason, isDenied: unknown.isDenied };
  const hidden = lists.map((list) => (list.status === "known" && pin ? list.hidden?.get(pinKey(pin)) : undefined));
  return hidden.find((one) => one !== undefined);
}

/** The objects that no resource has claimed yet. */
interface Unclaimed {
  readonly indexes: readonly Index[];
  readonly isFree: (live: LiveObject) => boolean;
}

function onlyMatch(named: readonly LiveObject[], key: string): Match | undefined {
  const [first, ...others] = named;
  if (first === undefined) return undefined;
  if (others.length === 0) return { type: "found", live: first };
  const message = `several live objects have the key ${quoted(key)}: ids ${visible(named.map((live) => live.id).join(", "))}`;
  const hint = "Pin the right one with `id`. The others are left as they are.";
  return { type: "undecided", problem: { code: "ambiguous", message, hint } };
}

function findByPin(pin: Pin, { indexes, isFree }: Unclaimed): LiveObject | undefined {
  return indexes.flatMap(({ byPin: pins }) => pins.get(pinKey(pin)) ?? []).find(isFree);
}

/** Returns the objects with the first key that finds any, from the first list that has them. Skips deleted objects. */
function findByKey(keys: readonly string[], { indexes, isFree }: Unclaimed): readonly LiveObject[] {
  for (const key of keys) {
    for (const { byKey } of indexes) {
      const matching = (byKey.get(key) ?? []).filter((live) => live.state !== "deleted" && isFree(live));
      // An expired object is ignored if there is a current one with the same key.
      const current = matching.filter((live) => live.state !== "expired" && live.state !== "placeholder");
      if (matching.length > 0) return current.length > 0 ? current : matching;
    }
  }
  return [];
}

function add(index: Map<string, LiveObject[]>, key: string, live: LiveObject): void {
  const objects = index.get(key);
  if (objects === undefined) index.set(key, [live]);
  else objects.push(live);
}

/** The natural keys that the resource had under its former key. */
export function renamedKeys(kind: Kind, resource: Resource, from: string): readonly string[] {
  if (isKeyedByEmail(kind.name)) return caselessKey(from);
  const keysWith = (values: ValueObject): readonly string[] =>
    kind.identity.declaredKeys({ ...resource.values, ...values }, resource.name);
  // A kind may have several natural keys. Another name shows which of them depend on the name: the rest are current names.
  const keys = kind.identity.keyFields.flatMap((field) => {
    const others = keysWith({ [field]: `${from} and more` });
    return keysWith({ [field]: from }).filter((key) => !others.includes(key));
  });
  const present = new Set(keysWith({}));
  // The former name by itself is the least specific key, so it comes last.
  const plain = naturalKey(from);
  return [...keys.filter((key) => !plain.includes(key)), ...plain].filter((key) => !present.has(key));
}

/** The identity of an object. The object is managed if a resource has claimed this key. */
export function claimKey(live: LiveObject): string {
  const kind = kinds[live.kind];
  return `${kind.identity.idSpace} ${kind.identity.of(live)}`;
}

/**
 * Whether an object of a collection may be the object of a resource. Sibling kinds, and inner and outer scopes, share
 * objects.
 */
export function mayContain(collection: Collection, resource: Pick<Resource, "scope" | "kind">): boolean {
  const isNear = isWithin(resource.scope, collection.scope) || isWithin(collection.scope, resource.scope);
  return isNear && shareIds(resource.kind, collection.kind);
}
