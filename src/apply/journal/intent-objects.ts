import { listedObjects } from "../../kinds/listed-objects.ts";
import type { Kind } from "../../kinds/kind.ts";
import { allKinds } from "../../kinds/registry.ts";
import { scopeOf } from "../../model/resource.ts";
import type { LiveObject, LiveWorld } from "../../model/live.ts";
import type { ApplyContext } from "../run-state.ts";
import { heldKey, type Holders } from "../schedule/holders.ts";
import { isCandidate, isExpiredIntent, isSamePath, isSameOwner, LONGEST_RUN, type OpenIntent } from "./intents.ts";

/**
 * Closes the own intents of earlier runs whose objects the world shows, and all that have expired. An object that
 * belongs to a resource of another scope is not the object of an intent. The intent of a replace stays open as long as
 * the replaced object exists.
 */
export async function closeResolvedIntents(
  { journal, client, world, clock, otherRuns }: ApplyContext,
  holders: Holders,
): Promise<void> {
  const intents = journal.open().filter(({ url }) => url === client.url);
  await Promise.all(
    intents.map(async (intent) => {
      const { address, objects } = objectsInScopeOf(world, intent);
      const isOfAnotherScope = ({ kind, id }: LiveObject): boolean => {
        const holder = holders.holderOf(kind, id);
        return holder !== undefined && scopeOf(holder) !== address;
      };
      const found = objects.filter((live) => isCandidate(intent, [intent.key], live) && !isOfAnotherScope(live));
      const [live] = found;
      const isReplaced = !objects.some(({ id }) => id === intent.replaces);
      const isUnclear = otherRuns === "look after" && mayBeOfOthers(intent, found, clock.now());
      const isDone = live !== undefined && isReplaced && !isUnclear && isSameOwner(intent, journal);
      if (isDone) await journal.close(intent.id, live.id);
      else if (isExpiredIntent(intent, clock.now())) await journal.close(intent.id, null);
    }),
  );
}

/**
 * Whether other runs may have created what an intent seems to have: apply has to look. An answer names the own object. Without one, the
 * only candidate may be that of another run, and the own one may still come. Several are for the plan to name.
 */
function mayBeOfOthers({ kind, made, at }: OpenIntent, candidates: readonly LiveObject[], now: number): boolean {
  if (made !== undefined) return candidates.some(({ id }) => id !== made);
  return candidates.length === 1 && kindNamed(kind)?.writes.onePerKey !== true && now < at + LONGEST_RUN;
}

/** A journal is a file: nothing says that what it names is a kind. */
function kindNamed(kind: string): Kind | undefined {
  return allKinds.find(({ name }) => name === kind);
}

/** The service, and the time. Milliseconds since 1970. */
interface Situation {
  readonly url: string;
  readonly now: number;
}

/**
 * Returns the world without the objects that an unfinished replace has created, as long as the replaced object
 * exists. The plan then shows one object, which is to be replaced, and applying it finds the new object. The same for a create that has to
 * be compared with those of other runs: the plan is to create, and applying it goes on there.
 */
export function hideUnfinished<T extends LiveWorld>(
  world: T,
  intents: readonly OpenIntent[],
  { url, now }: Situation,
): T {
  const ofService = intents.filter((intent) => intent.url === url);
  const created = ofService.flatMap((intent) => {
    const { objects } = objectsInScopeOf(world, intent);
    const found = candidatesOf(world, intent);
    if (!objects.some(({ id }) => id === intent.replaces) && !mayBeOfOthers(intent, found, now)) return [];
    return found.map(heldKey);
  });
  if (created.length === 0) return world;
  const hidden = new Set(created);
  const lists = [...world.lists].map(
    ([key, list]) => [key, { ...list, objects: list.objects.filter((live) => !hidden.has(heldKey(live))) }] as const,
  );
  return { ...world, lists: new Map(lists) };
}

/** The objects that an intent may have created, as far as the world shows them. */
export function candidatesOf(world: LiveWorld, intent: OpenIntent): readonly LiveObject[] {
  return objectsInScopeOf(world, intent).objects.filter((live) => isCandidate(intent, [intent.key], live));
}

/** The objects that the world shows in the scope and kind of an intent, sibling kinds included. */
function objectsInScopeOf(
  world: LiveWorld,
  { kind, scope }: OpenIntent,
): { readonly address: string | undefined; readonly objects: readonly LiveObject[] } {
  const [address] = [...world.scopes].find(([, one]) => one.status === "known" && isSamePath(one.path, scope)) ?? [];
  if (address === undefined) return { address, objects: [] };
  const known = kindNamed(kind);
  return { address, objects: known === undefined ? [] : listedObjects(world, address, known.name) };
}
