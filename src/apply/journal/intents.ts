import { listedObjects } from "../../kinds/listed-objects.ts";
import { scopeOf } from "../../model/resource.ts";
import { allKinds } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json.ts";
import { type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import { ownedKey, type Claims } from "../schedule/claims.ts";
import type { ApplyContext } from "../run-state.ts";

/** An object that is about to be created, and the objects that existed before. */
export interface Intent {
  readonly url: string;
  readonly kind: string;
  /** Ids of the scope, by the names of path parameters. */
  readonly scope: Readonly<Record<string, string>>;
  readonly key: string;
  /** Hash of the body, in which secrets count as their expressions. */
  readonly payload: string;
  /** Ids of the objects of this kind that existed before. */
  readonly known: readonly string[];
  /** Id of the object that the new one replaces. It is removed afterwards, and the intent stays open until then. */
  readonly replaces?: string | undefined;
  /**
   * Undeclared values of the object that this create replaces, if that object is removed first. After the removal, only the
   * journal has them.
   */
  readonly carried?: JsonObject | undefined;
  /** Id of the object that was removed for this create. The create itself is not sent yet, so it has nothing to resolve. */
  readonly removed?: string | undefined;
  /** Who began it: the URN of a resource of Pulumi, or that of its stack. Undefined if it was an apply with this state folder. */
  readonly owner?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An intent whose outcome is unknown, or whose object was not compared with those of other runs yet. */
export interface OpenIntent extends Intent {
  readonly id: string;
  /** Id of the object in the answer. Absent without an answer. */
  readonly made?: string | undefined;
  /** Hash of that object as it was created. */
  readonly created?: string | undefined;
}

/** Identifies a create: two intents with the same values are about the same object. */
export type CreateKey = Pick<Intent, "url" | "kind" | "scope" | "key">;

export function isSameCreate(a: CreateKey, b: CreateKey): boolean {
  return a.url === b.url && a.kind === b.kind && a.key === b.key && isSamePath(a.scope, b.scope);
}

function isSamePath(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}

/** Whether a create was begun by an owner. A stack is the same owner as each of its resources, because one of both may be all that is known. */
export function isSameOwner(one: Pick<Intent, "owner">, other: Pick<Intent, "owner">): boolean {
  const [a, b] = [one.owner ?? "", other.owner ?? ""];
  return a === b || a.startsWith(`${b}::`) || b.startsWith(`${a}::`);
}

/** An intent is dropped after this time: a plan sees the result by then. Milliseconds. */
const INTENT_EXPIRY = 7 * 24 * 60 * 60_000;

/** Whether an intent is too old to be resolved. `now` in milliseconds since 1970. */
export function isExpiredIntent({ at }: OpenIntent, now: number): boolean {
  return now - at > INTENT_EXPIRY;
}

/** Whether an object may be the one that an intent was about. */
export function isCandidate({ known, replaces }: OpenIntent, keys: readonly string[], live: LiveObject): boolean {
  return live.id !== replaces && !known.includes(live.id) && hasKey(live, keys);
}

/** Whether an object has one of these natural keys and is not a placeholder for another object. */
export function hasKey(live: LiveObject, keys: readonly string[]): boolean {
  return live.state !== "placeholder" && keys.some((key) => live.keys.includes(key));
}

/**
 * Closes the own intents of earlier runs whose objects the snapshot shows, and all that have expired. An object that
 * belongs to a resource of another scope is not the object of an intent. The intent of a replace stays open as long as
 * the replaced object exists.
 */
export async function closeResolvedIntents(
  { journal, client, snapshot, clock }: ApplyContext,
  claims: Claims,
): Promise<void> {
  const intents = journal.open().filter(({ url }) => url === client.url);
  await Promise.all(
    intents.map(async (intent) => {
      const { address, objects } = objectsInScopeOf(snapshot, intent);
      const isOfAnotherScope = ({ kind, id }: LiveObject): boolean => {
        const owner = claims.ownerOf(kind, id);
        return owner !== undefined && scopeOf(owner) !== address;
      };
      const found = objects.filter((live) => isCandidate(intent, [intent.key], live) && !isOfAnotherScope(live));
      const [live] = found;
      const isUnfinished = objects.some(({ id }) => id === intent.replaces) || hasRivals(intent, found);
      if (live !== undefined && !isUnfinished && isSameOwner(intent, journal)) await journal.close(intent.id, live.id);
      else if (isExpiredIntent(intent, clock.now())) await journal.close(intent.id, null);
    }),
  );
}

/** Whether other runs may have created the object of an answered intent, too: apply has to look for theirs. */
function hasRivals({ made }: OpenIntent, candidates: readonly LiveObject[]): boolean {
  return made !== undefined && candidates.some(({ id }) => id !== made);
}

/**
 * Returns the snapshot without the objects that an unfinished replace has created, as long as the replaced object
 * exists. The plan then shows one object, which is to be replaced, and applying it finds the new object. The same for a create that has to
 * be compared with those of other runs: the plan is to create, and applying it goes on there.
 */
export function hideUnfinished(snapshot: LiveSnapshot, intents: readonly OpenIntent[], url: string): LiveSnapshot {
  const ofService = intents.filter((intent) => intent.url === url);
  const created = ofService.flatMap((intent) => {
    const { objects } = objectsInScopeOf(snapshot, intent);
    const found = objects.filter((live) => isCandidate(intent, [intent.key], live));
    if (!objects.some(({ id }) => id === intent.replaces) && !hasRivals(intent, found)) return [];
    return found.map(ownedKey);
  });
  if (created.length === 0) return snapshot;
  const hidden = new Set(created);
  const lists = [...snapshot.lists].map(
    ([key, list]) => [key, { ...list, objects: list.objects.filter((live) => !hidden.has(ownedKey(live))) }] as const,
  );
  return { ...snapshot, lists: new Map(lists) };
}

/** The objects that the snapshot shows in the scope and kind of an intent, sibling kinds included. */
function objectsInScopeOf(
  snapshot: LiveSnapshot,
  { kind, scope }: OpenIntent,
): { readonly address: string | undefined; readonly objects: readonly LiveObject[] } {
  const [address] = [...snapshot.scopes].find(([, one]) => one.status === "known" && isSamePath(one.path, scope)) ?? [];
  if (address === undefined) return { address, objects: [] };
  // A journal of another version may name a kind that this one does not have.
  const known = allKinds.find(({ name }) => name === kind);
  return { address, objects: known === undefined ? [] : listedObjects(snapshot, address, known.name) };
}
