import type { Client } from "../api/client.ts";
import type { CreatedObject } from "../apply/journal/recent-creates.ts";
import { isSameCreate } from "../apply/journal/intent.ts";
import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import { present, withObject, type LiveSnapshot, type ScopePath } from "../model/live.ts";
import { readObject, type ObjectRef } from "../snapshot/read-object.ts";

/**
 * The snapshot with what earlier runs have created and the service's lists do not show yet: what a plan would create again is
 * looked up by its id. Undefined where there is no such thing.
 */
export async function addRecentCreates(
  client: Client,
  snapshot: LiveSnapshot,
  changes: readonly Change[],
  created: readonly CreatedObject[],
): Promise<LiveSnapshot | undefined> {
  if (created.length === 0) return undefined;
  const maybe = changes.flatMap((change) => recentCreatesFor(client.url, snapshot, change, created));
  const objects = present(await Promise.all(maybe.map((one) => readObject(client, one, one.path))));
  return objects.length === 0 ? undefined : { ...snapshot, lists: objects.reduce(withObject, snapshot.lists) };
}

/** An object that may be there, by its id. */
interface RecentCreate extends ObjectRef {
  readonly path: ScopePath;
}

/** What was created in the place of a planned create. Below an organization: what one of those holds was not listed, either. */
function recentCreatesFor(
  url: string,
  { scopes }: LiveSnapshot,
  { action, kind, work }: Change,
  created: readonly CreatedObject[],
): readonly RecentCreate[] {
  if (action !== "create" || work?.resource === undefined || work.scope === "") return [];
  const scope = scopes.get(work.scope);
  if (scope?.status !== "known") return [];
  const { path } = scope;
  const [key = ""] = kinds[kind].declaredKeys(work.resource.values, work.resource.name);
  return created
    .filter((one) => isSameCreate(one, { url, kind, scope: path, key }))
    .map(({ made }) => ({ kind, scope: work.scope, id: made, path }));
}
