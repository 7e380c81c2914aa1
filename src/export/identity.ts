/**
 * Chooses how exported resources find their objects again.
 *
 * Terms: a pin is a declared id. A key is the natural key that finds an unpinned resource.
 * Premise: the exported configuration has to load, and each resource has to find its object. An id can be pinned once in an id
 * space. Two objects may share a key only if both are pinned: a plan could not identify the object of an unpinned resource.
 * Algorithm: pin every object that can be pinned. Of the others, keep those whose key no other object has, and report the rest.
 */
import { compareNaturally } from "../model/compare-text.ts";
import { kindSchema } from "../kinds/fields.ts";
import { collectionOf, kinds } from "../kinds/registry.ts";
import { naturalKey } from "../kinds/keys.ts";
import { type KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";
import type { ExportSession } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";

/** An object that may be exported. */
export interface NameCandidate {
  readonly live: LiveObject;
  readonly title: string;
  readonly pin: string | number | undefined;
}

/** The name of an object for people. */
export function titleOf(live: LiveObject): string {
  return naturalKey(live.values["name"])[0] ?? live.keys[0] ?? "";
}

/** Whether the object was not exported before. Batch exports are listed by their project and by its organization. */
export function isFirstOccurrence(live: LiveObject, scope: string, session: ExportSession): boolean {
  const { identity } = kinds[live.kind];
  const key = [identity.idSpace, identity.of({ ...live, scope })].join("\n");
  if (session.exportedKeys.has(key)) return false;
  session.exportedKeys.add(key);
  return true;
}

/** The id to pin; undefined if ids are off, the configuration does not accept it, or it is already pinned. */
export function pinOf({ kind, pins }: LiveObject, session: ExportSession): NameCandidate["pin"] {
  const text = pins["id"];
  if (!session.ids || text === undefined) return undefined;
  const pin = pinValue(kind, text);
  const pinned = [kinds[kind].identity.idSpace, text.toLowerCase()].join("\n");
  if (pin === undefined || session.pinnedIds.has(pinned)) return undefined;
  session.pinnedIds.add(pinned);
  return pin;
}

/** An id as the configuration declares it; undefined if objects of the kind are not pinned by id, or not by this one. */
export function pinValue(kind: KindName, id: string): string | number | undefined {
  const { "x-pins": fields, properties } = kindSchema(kind);
  if (!fields.includes("id")) return undefined;
  const pin = properties["id"]?.type === "integer" && Number.isSafeInteger(Number(id)) ? Number(id) : id;
  return invalidFields(kind, { id: pin }).has("id") ? undefined : pin;
}

/**
 * The candidates that are pinned or have a unique key. The others are reported.
 *
 * @param objects all objects in the scope, also those that another scope exports: a plan compares keys with all of them
 */
export function findableCandidates(
  candidates: readonly NameCandidate[],
  objects: readonly LiveObject[],
  scope: string,
  session: ExportSession,
): readonly NameCandidate[] {
  const holders = new Map<string, LiveObject[]>();
  for (const live of objects) {
    for (const key of new Set([...live.keys, ...declaredKeysOf(live)])) {
      const spaced = withIdSpace(live, key);
      const here = holders.get(spaced) ?? [];
      here.push(live);
      holders.set(spaced, here);
    }
  }
  const reported = new Set<readonly LiveObject[]>();
  return candidates.filter(({ live, pin }) => {
    if (pin !== undefined) return true;
    const [key] = declaredKeysOf(live);
    const sharing = key === undefined ? [live] : (holders.get(withIdSpace(live, key)) ?? [live]);
    if (key !== undefined && sharing.length === 1) return true;
    if (!reported.has(sharing)) warnNotFindable(live, sharing, scope, session);
    reported.add(sharing);
    return false;
  });
}

function declaredKeysOf(live: LiveObject): readonly string[] {
  return kinds[live.kind].identity.declaredKeys(live.values, "");
}

function withIdSpace(live: LiveObject, key: string): string {
  return [kinds[live.kind].identity.idSpace, key].join("\n");
}

function warnNotFindable(
  live: LiveObject,
  sharing: readonly LiveObject[],
  scope: string,
  session: ExportSession,
): void {
  const { name, identity } = kinds[live.kind];
  const isShared = sharing.length > 1;
  const ids = sharing.map(({ id }) => id).toSorted(compareNaturally);
  const message = isShared
    ? `${collectionOf(name)} ${ids.join(", ")} are left out: they share the name ${JSON.stringify(titleOf(live))}, so only their ids distinguish them`
    : `${name} ${live.id} is left out: it has no ${identity.keyFields.join(" or ")} to identify it by`;
  const hint = session.ids ? "Give each a unique name." : "Export without --no-ids, or give each a unique name.";
  session.warn(scope, isShared ? "ambiguous_key" : "no_natural_key", message, hint);
}
