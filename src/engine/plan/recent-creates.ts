/** Objects that earlier runs created and that lists do not show yet, as a plan takes them in. */
import { isSameCreate } from "../../apply/journal/intents.ts";
import type { CreatedObject } from "../../apply/journal/recent-creates.ts";
import { declaredKeys } from "../../kinds/registry.ts";
import { objectIn, objectRead, type ObjectRef } from "../../kinds/object-read.ts";
import { type Needing, type World } from "../../kinds/world.ts";
import type { Change } from "../../model/change.ts";
import { knownPathAt, listKey, present, withObject, type LiveWorld, type ScopePath } from "../../model/live.ts";

/**
 * Adds objects that earlier runs created and that the service's lists do not show yet. A plan that would create such an object
 * again, or take it for gone, has it read by its id first. What cannot be read stays out.
 *
 * @param url that of the service
 * @param changes what is planned without them
 */
export function withRecentCreates(
  url: string,
  world: World,
  changes: readonly Change[],
  created: readonly CreatedObject[],
): Needing & { readonly world: World } {
  if (created.length === 0) return { world, needs: [] };
  const candidates = changes.flatMap((change) => recentCreatesFor(url, world, change, created));
  const objects = present(candidates.map((one) => objectIn(world, one, one.path)));
  return {
    world: objects.length === 0 ? world : { ...world, lists: objects.reduce(withObject, world.lists) },
    needs: candidates.flatMap((one) => objectRead(one, one.path) ?? []),
  };
}

/** An object that an earlier run created. */
interface RecentCreate extends ObjectRef {
  readonly path: ScopePath;
}

/**
 * Returns what was created under the same natural key as a planned create, or as what is declared absent. Organizations are left
 * out: what one of them holds has not been listed either.
 */
function recentCreatesFor(
  url: string,
  { scopes, lists }: LiveWorld,
  { action, removable, kind, work }: Change,
  created: readonly CreatedObject[],
): readonly RecentCreate[] {
  const isMissing = action === "create" || removable === "state" || removable === "gone";
  if (!isMissing || work?.resource === undefined || work.scope === "") return [];
  const path = knownPathAt(scopes, work.scope);
  if (path === undefined) return [];
  const [key = ""] = declaredKeys(work.resource);
  return (
    created
      .filter((one) => isSameCreate(one, { url, kind, scope: path, key }))
      // An object that has another name by now is listed.
      .filter(({ made }) => lists.get(listKey(work.scope, kind))?.objects.some(({ id }) => id === made) !== true)
      .map(({ made }) => ({ kind, scope: work.scope, id: made, path }))
  );
}
