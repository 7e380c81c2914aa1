/**
 * Chooses how exported resources find their objects again.
 *
 * Terms: a pin is a declared id. A key is the natural key that finds an unpinned resource.
 * Premise: the exported configuration has to load, and each resource has to find its object. An id can be pinned once in an id
 * space. Two resources may share a key only if both are pinned.
 * Algorithm: pin every object that can be pinned. Of the others, keep the first with each key and report the rest.
 */
import { kindSchema } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import { keyOf } from "../kinds/helpers.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";
import { type ExportSession, addWarning } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";
import type { ExportScope } from "./types.ts";

/** An object that may be exported. */
export interface Candidate {
  readonly live: LiveObject;
  readonly title: string;
  readonly pin: string | number | undefined;
}

/** The name of an object for people. */
export function titleOf(live: LiveObject): string {
  return keyOf(live.values["name"])[0] ?? live.keys[0] ?? "";
}

/** Whether the object was not exported before. Batch exports are listed by their project and by its organization. */
export function isFirstOccurrence(live: LiveObject, scope: ExportScope, session: ExportSession): boolean {
  const { idSpace: space, identity } = kinds[live.kind];
  const key = [space, identity({ ...live, scope: scope.address })].join("\n");
  if (session.exportedKeys.has(key)) return false;
  session.exportedKeys.add(key);
  return true;
}

/** The id to pin; undefined if ids are off, the configuration does not accept it, or it is already pinned. */
export function pinOf({ kind, pins }: LiveObject, session: ExportSession): Candidate["pin"] {
  const text = pins["id"];
  if (!session.ids || text === undefined) return undefined;
  const pin = pinValue(kind, text);
  const pinned = [kinds[kind].idSpace, text.toLowerCase()].join("\n");
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

/** The candidates that are pinned or have a unique key. The others are reported. */
export function findableCandidates(
  candidates: readonly Candidate[],
  scope: ExportScope,
  session: ExportSession,
): readonly Candidate[] {
  const holders = new Map<string, number>();
  for (const { live } of candidates) {
    for (const key of new Set([...live.keys, ...declaredKeysOf(live)])) {
      const spaced = withIdSpace(live, key);
      holders.set(spaced, (holders.get(spaced) ?? 0) + 1);
    }
  }
  // A plugin without a type matches any type, so the declared key of one may be one of several keys of another.
  const declaredKeys = new Set<string>();
  const allKeys = new Set<string>();
  return candidates.filter((candidate) => {
    const { live, pin } = candidate;
    const [key] = declaredKeysOf(live);
    if (pin !== undefined) return true;
    const ownKey = key === undefined ? undefined : withIdSpace(live, key);
    const liveKeys = live.keys.map((liveKey) => withIdSpace(live, liveKey));
    const isTaken =
      ownKey !== undefined && (allKeys.has(ownKey) || liveKeys.some((liveKey) => declaredKeys.has(liveKey)));
    const isShared = ownKey !== undefined && (session.ids ? holders.get(ownKey) !== 1 : isTaken);
    if (ownKey === undefined || isShared) {
      warnNotFindable(candidate, isShared, scope, session);
      return false;
    }
    declaredKeys.add(ownKey);
    for (const anyKey of [ownKey, ...liveKeys]) allKeys.add(anyKey);
    return true;
  });
}

function declaredKeysOf(live: LiveObject): readonly string[] {
  return kinds[live.kind].declaredKeys(live.values, "");
}

function withIdSpace(live: LiveObject, key: string): string {
  return [kinds[live.kind].idSpace, key].join("\n");
}

function warnNotFindable(
  { live, title }: Candidate,
  isShared: boolean,
  scope: ExportScope,
  session: ExportSession,
): void {
  const { name, keyFields } = kinds[live.kind];
  const what = `${name} ${live.id}`;
  const message = isShared
    ? `${what} is left out: another ${name} has the name ${JSON.stringify(title)}`
    : `${what} is left out: it has no ${keyFields.join(" or ")} to identify it by`;
  const hint = session.ids ? "Give it a unique name." : "Export without --no-ids, or give it a unique name.";
  addWarning(session, scope.address, isShared ? "ambiguous_key" : "no_natural_key", message, hint);
}
