/**
 * Which live object is meant by a declared resource?
 *
 * Terms: a pin is an id that was declared; a natural key is what tells objects of a scope apart for people.
 * Premise: driftline never guesses. A pin counts before everything; of two objects with one natural key none is taken; a
 * list that could not be read whole proves nothing about what it lacks.
 * Algorithm: pin, else natural key (the first of the declared ones that finds anything), else the key before a rename.
 */
import type { Kind } from "../kinds/kind.ts";
import { caselessKey, keyOf } from "../kinds/helpers.ts";
import type { ValueObject } from "../model/json.ts";
import { isWanted, type LiveList, type LiveObject, type LookupKeys } from "../model/live.ts";
import type { Resource } from "../model/resource.ts";

export type Match =
  | { readonly type: "found"; readonly live: LiveObject }
  | { readonly type: "absent" }
  | {
      readonly type: "pin_missing";
      readonly pin: string;
      /** What is called as the resource is, and has another id. */
      readonly ids: readonly string[];
    }
  | { readonly type: "ambiguous"; readonly key: string; readonly ids: readonly string[] }
  | { readonly type: "rename_conflict"; readonly from: string; readonly ids: readonly string[] }
  | { readonly type: "rename_taken"; readonly from: string }
  | { readonly type: "unknown"; readonly reason: string; readonly denied: boolean };

/** A list with its objects by pin and by natural key: a resource looks at those that may be meant, never at all. */
export interface Index {
  readonly list: LiveList;
  readonly byPin: ReadonlyMap<string, readonly LiveObject[]>;
  readonly byKey: ReadonlyMap<string, readonly LiveObject[]>;
}

/** @param lookupKeys what resources look for in the list; the other objects need no place in the index */
export function indexOf(list: LiveList, lookupKeys?: LookupKeys): Index {
  const byPin = new Map<string, LiveObject[]>();
  const byKey = new Map<string, LiveObject[]>();
  for (const live of list.objects) {
    if (lookupKeys !== undefined && !isWanted(live, lookupKeys)) continue;
    for (const [field, value] of Object.entries(live.pins)) add(byPin, pinKey({ field, value }), live);
    for (const key of live.keys) add(byKey, key, live);
  }
  return { list, byPin, byKey };
}

/**
 * @param indexes the resource's own list first, then those of its kind's siblings
 * @param claimed whether another resource has the object already
 */
export function match(
  kind: Kind,
  resource: Resource,
  indexes: readonly Index[],
  claimed: (live: LiveObject) => boolean,
): Match {
  const free: Unclaimed = { indexes, isFree: (live) => !claimed(live) };
  const pinned = resource.pin === undefined ? undefined : findByPin(resource.pin, free);
  if (pinned !== undefined) return { type: "found", live: pinned };
  const unknown = indexes.find(({ list }) => list.status === "unknown")?.list;
  if (unknown?.status === "unknown") return { type: "unknown", reason: unknown.reason, denied: unknown.denied };
  const keys = kind.declaredKeys(resource.values, resource.name);
  const found = findByKey(keys, free);
  if (resource.pin !== undefined) {
    const placeholder = found.find((live) => live.placeholder === true);
    if (placeholder !== undefined) return { type: "found", live: placeholder };
    return { type: "pin_missing", pin: resource.pin.value, ids: found.map((live) => live.id) };
  }
  const now = onlyMatch(found, keys[0] ?? "");
  const from = resource.lifecycle.renamed_from;
  if (from === undefined) return now ?? { type: "absent" };
  const former = renamedKeys(kind, resource, from);
  const before = findByKey(former, free);
  if (found.length > 0 && before.length > 0)
    return { type: "rename_conflict", from, ids: [...found, ...before].map((live) => live.id) };
  const renamed = now ?? onlyMatch(before, from);
  if (renamed !== undefined) return renamed;
  // A name that another resource has taken over: which of the two the object was meant to be is not for us to guess.
  return findByKey(former, { indexes, isFree: () => true }).length > 0
    ? { type: "rename_taken", from }
    : { type: "absent" };
}

/** The objects that no resource has yet. */
interface Unclaimed {
  readonly indexes: readonly Index[];
  readonly isFree: (live: LiveObject) => boolean;
}

function onlyMatch(found: readonly LiveObject[], key: string): Match | undefined {
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.length > 1) return { type: "ambiguous", key, ids: found.map((live) => live.id) };
  return { type: "found", live: first };
}

function findByPin(pin: Pin, { indexes, isFree }: Unclaimed): LiveObject | undefined {
  return indexes.flatMap(({ byPin: pins }) => pins.get(pinKey(pin)) ?? []).find(isFree);
}

/** Objects with the first key that any has, out of the first list that has it. The deleted do not count. */
function findByKey(keys: readonly string[], { indexes, isFree }: Unclaimed): readonly LiveObject[] {
  for (const key of keys) {
    for (const { byKey } of indexes) {
      const found = (byKey.get(key) ?? []).filter((live) => live.deleted !== true && isFree(live));
      // An expired invite beside a pending one of the same address is history.
      const current = found.filter((live) => live.expired !== true && live.placeholder !== true);
      if (found.length > 0) return current.length > 0 ? current : found;
    }
  }
  return [];
}

type Pin = NonNullable<Resource["pin"]>;

function pinKey({ field, value }: Pin): string {
  return `${field} ${value.toLowerCase()}`;
}

function add(index: Map<string, LiveObject[]>, key: string, live: LiveObject): void {
  const objects = index.get(key);
  if (objects === undefined) index.set(key, [live]);
  else objects.push(live);
}

/** The natural keys that the resource had under its former key. */
export function renamedKeys(kind: Kind, resource: Resource, from: string): readonly string[] {
  if (kind.keyedBy === "email") return caselessKey(from);
  const keysWith = (values: ValueObject): readonly string[] =>
    kind.declaredKeys({ ...resource.values, ...values }, resource.name);
  // Where a kind has several natural keys, those that do not come of the former one are what it is called now.
  const keys = kind.keyFields.flatMap((field) => {
    const others = keysWith({ [field]: `${from} and more` });
    return keysWith({ [field]: from }).filter((key) => !others.includes(key));
  });
  const own = new Set(keysWith({}));
  // What the former one is by itself says least: it comes last.
  const plain = keyOf(from);
  return [...keys.filter((key) => !plain.includes(key)), ...plain].filter((key) => !own.has(key));
}
