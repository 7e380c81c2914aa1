/**
 * Finds the lists whose routes a service no longer has.
 *
 * Premise: "no such route" proves nothing alone, because a mistyped id of the scope may get the same answer. It is certain if the
 * service has answered for the same scope: with another list, or with the organization itself.
 */
import type { Client } from "../api/client.ts";
import type { ListRead } from "../kinds/world.ts";
import { listKey, type LiveList, type ScopePath } from "../model/live.ts";
import { readRow } from "./read-object.ts";

/** Marks these lists as gone, without a problem. They stay unknown: nothing follows for their objects. */
export async function withGoneRoutes(
  client: Client,
  reads: readonly ListRead[],
  lists: ReadonlyMap<string, LiveList>,
): Promise<ReadonlyMap<string, LiveList>> {
  const listed = reads.map(({ scope, kind }) => ({ scope, key: listKey(scope, kind) }));
  const missing = listed.flatMap(({ scope, key }) => {
    const list = lists.get(key);
    return list?.status === "unknown" && list.route === "missing" ? [{ scope, key, list }] : [];
  });
  const answered = new Set(listed.filter(({ key }) => lists.get(key)?.status === "known").map(({ scope }) => scope));
  const silent = new Set(missing.map(({ scope }) => scope).filter((scope) => !answered.has(scope)));
  const paths = new Map(reads.map(({ scope, path }) => [scope, path]));
  const found = await Promise.all(
    [...silent].map(async (scope) => [scope, await exists(client, paths.get(scope) ?? {})] as const),
  );
  for (const [scope, isThere] of found) if (isThere) answered.add(scope);
  const gone = missing.filter(({ scope }) => answered.has(scope));
  return new Map<string, LiveList>([
    ...lists,
    ...gone.map(({ key, list }) => [key, { ...list, route: "gone", problem: undefined }] as const),
  ]);
}

/** Whether the organization of a scope can be read. There is no such read for a project. */
async function exists(client: Client, { organization_id: id }: ScopePath): Promise<boolean> {
  return id !== undefined && (await readRow(client, "organizations.get", { id })) !== undefined;
}
