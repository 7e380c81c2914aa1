import { allKinds, kinds } from "../../kinds/registry.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import type { Ownership } from "../schedule/ownership.ts";
import type { ApplyContext } from "../run.ts";
import { samePath, type OpenIntent } from "./intent.ts";

/** An intent of which nobody asked any more for so long is dropped: by now a plan sees what came of it. Milliseconds. */
const INTENT_EXPIRY = 7 * 24 * 60 * 60_000;

/** Whether an intent is so old that nobody goes by it any more. `now` in milliseconds since 1970. */
export function isExpiredIntent({ at }: OpenIntent, now: number): boolean {
  return now - at > INTENT_EXPIRY;
}

/** Whether an object may be what an intent was about. */
export function isCandidate({ known, replaces }: OpenIntent, keys: readonly string[], live: LiveObject): boolean {
  return live.id !== replaces && !known.includes(live.id) && hasKey(live, keys);
}

/** Whether an object has one of these natural keys, and is not one that stands in for another. */
export function hasKey(live: LiveObject, keys: readonly string[]): boolean {
  return live.placeholder !== true && keys.some((key) => live.keys.includes(key));
}

/**
 * Closes the intents of earlier runs whose objects the snapshot shows, and those that nobody will ask about any more. An
 * object of another scope's resource is not what an intent was about. The intent of a replace stays open while the object
 * that is to go is still there.
 */
export async function closeResolvedIntents(
  { journal, client, snapshot, clock }: ApplyContext,
  claims: Ownership,
): Promise<void> {
  const own = journal.open().filter(({ url }) => url === client.url);
  await Promise.all(
    own.map(async (intent) => {
      const { address, objects } = objectsInScopeOf(snapshot, intent);
      const isElsewhere = ({ kind, id }: LiveObject): boolean => {
        const owner = claims.ownerOf(kind, id);
        return owner !== undefined && scopeOf(owner) !== address;
      };
      const found = objects.find((live) => isCandidate(intent, [intent.key], live) && !isElsewhere(live));
      const isUnfinished = objects.some(({ id }) => id === intent.replaces);
      if (found !== undefined && !isUnfinished) await journal.settle(intent.id, found.id);
      else if (isExpiredIntent(intent, clock.now())) await journal.settle(intent.id, null);
    }),
  );
}

/**
 * The snapshot without the objects that an unfinished replace has created while the one that they take the place of is still
 * there: to a plan there is one object, the replaced one, and the replace to be done. Applying it finds the new object.
 */
export function hideUnfinishedReplaces(
  snapshot: LiveSnapshot,
  intents: readonly OpenIntent[],
  url: string,
): LiveSnapshot {
  const replacing = intents.filter((intent) => intent.url === url && intent.replaces !== undefined);
  const created = replacing.flatMap((intent) => {
    const { objects } = objectsInScopeOf(snapshot, intent);
    if (!objects.some(({ id }) => id === intent.replaces)) return [];
    return objects.filter((live) => isCandidate(intent, [intent.key], live)).map(objectKey);
  });
  if (created.length === 0) return snapshot;
  const hidden = new Set(created);
  const lists = [...snapshot.lists].map(
    ([key, list]) => [key, { ...list, objects: list.objects.filter((live) => !hidden.has(objectKey(live))) }] as const,
  );
  return { ...snapshot, lists: new Map(lists) };
}

/** Ids are shared by the kinds of a space, and objects are seen through the lists of several scopes. */
function objectKey({ kind, id }: LiveObject): string {
  return `${kinds[kind].idSpace} ${id}`;
}

/** What the snapshot has seen in the scope and kind of an intent, siblings included. */
function objectsInScopeOf(
  { scopes, lists }: LiveSnapshot,
  { kind, scope }: OpenIntent,
): { readonly address: string | undefined; readonly objects: readonly LiveObject[] } {
  const [address] = [...scopes].find(([, one]) => one.status === "known" && samePath(one.path, scope)) ?? [];
  if (address === undefined) return { address, objects: [] };
  const names = allKinds.filter(({ name, siblings }) => name === kind || siblings.some((sibling) => sibling === kind));
  return { address, objects: names.flatMap(({ name }) => lists.get(listKey(address, name))?.objects ?? []) };
}

/** The scope of an address: `acme` of `acme/domains/corp`. */
function scopeOf(address: string): string {
  return address.split("/").slice(0, -2).join("/");
}
