/**
 * Reads the pinned objects that a list lacks.
 *
 * Premise: a service with access control of objects leaves out of a list what the key's user may not see, without a word. A read by
 * the id answers 403 if the object is hidden, and 404 if it is deleted.
 */
import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { LiveList, LiveObject, ScopePath } from "../model/live.ts";
import { pinKey, type Pin } from "../model/resource.ts";
import { rowToObject, type ObjectRef } from "../kinds/object-read.ts";
import { readUnlistedRow } from "./read-object.ts";

/** Returns the list with the pinned objects that it lacked, and with the reasons why others of them could not be read. */
export async function withUnlisted(
  client: Client,
  list: LiveList,
  pins: readonly Pin[],
  place: Pick<ObjectRef, "kind" | "scope"> & { readonly path: ScopePath },
): Promise<LiveList> {
  if (list.status === "unknown" || pins.length === 0) return list;
  const { path, ...listed } = place;
  const missing = new Map(pins.map((pin) => [pinKey(pin), pin]));
  for (const live of list.objects)
    for (const [field, value] of Object.entries(live.pins)) missing.delete(pinKey({ field, value }));
  const read = await Promise.all(
    [...missing].map(async ([key, { field, value }]) => {
      return [key, await readUnlisted(client, { ...listed, id: value, field }, path)] as const;
    }),
  );
  const objects = read.flatMap(([, found]) => (typeof found === "object" ? found : []));
  const hidden = read.flatMap(([key, found]) => (typeof found === "string" ? [[key, found] as const] : []));
  return { ...list, objects: [...list.objects, ...objects], hidden: new Map(hidden) };
}

/** Returns the object, why it could not be read, or undefined if it does not exist. */
async function readUnlisted(client: Client, ref: ObjectRef, path: ScopePath): Promise<LiveObject | string | undefined> {
  try {
    const row = await readUnlistedRow(client, ref, path);
    if (row === undefined) return undefined;
    return rowToObject(ref, path, row) ?? "no list shows it, and a read by its id shows another object";
  } catch (error) {
    if (error instanceof ApiError) return `no list shows it, and it could not be read by its id: ${error.message}`;
    throw error;
  }
}
