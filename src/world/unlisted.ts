/**
 * Reads the pinned objects that a list lacks.
 *
 * Premise: a service with access control of objects leaves out of a list what the key's user may not see, without a word. A read by
 * the id answers 403 if the object is hidden, and 404 if it is deleted.
 */
import type { Client } from "../api/client.ts";
import { ApiError, isDenied } from "../api/errors/errors.ts";
import type { JsonObject } from "../model/json/json.ts";
import type { LiveList, LiveObject, ScopePath, Unread } from "../model/live.ts";
import { pinKey, type Pin } from "../model/resource.ts";
import { rowToObject, type ObjectRef } from "../kinds/object-read.ts";
import { takenFields } from "../kinds/varying-fields.ts";
import { readUnlistedRow } from "./read-object.ts";

/** Where the pinned objects are. */
interface Place extends Pick<ObjectRef, "kind" | "scope"> {
  readonly path: ScopePath;
  /** Receives the rows that the objects are made from. */
  readonly onRow?: (row: JsonObject) => void;
}

/** Returns the list with the pinned objects that it lacked, and with the reasons why others of them could not be read. */
export async function withUnlisted(
  client: Client,
  list: LiveList,
  pins: readonly Pin[],
  place: Place,
): Promise<LiveList> {
  if (list.status === "unknown" || pins.length === 0) return list;
  const { kind, scope } = place;
  const missing = new Map(pins.map((pin) => [pinKey(pin), pin]));
  for (const live of list.objects)
    for (const [field, value] of Object.entries(live.pins)) missing.delete(pinKey({ field, value }));
  const read = await Promise.all(
    [...missing].map(async ([key, { field, value }]) => {
      return [key, await readUnlisted(client, { kind, scope, id: value, field }, place)] as const;
    }),
  );
  const objects = read.flatMap(([, found]) => (found !== undefined && "id" in found ? found : []));
  const hidden = read.flatMap(([key, found]) =>
    found !== undefined && "reason" in found ? [[key, found] as const] : [],
  );
  const taken = new Set([...(list.taken ?? []), ...takenFields(kind, objects)]);
  return {
    ...list,
    objects: [...list.objects, ...objects],
    ...(objects.length > 0 && { taken }),
    hidden: new Map(hidden),
  };
}

/** Returns the object, why it could not be read, or undefined if it does not exist. */
async function readUnlisted(
  client: Client,
  ref: ObjectRef,
  { path, onRow }: Place,
): Promise<LiveObject | Unread | undefined> {
  try {
    const row = await readUnlistedRow(client, ref, path);
    if (row === undefined) return undefined;
    const live = rowToObject(ref, path, row);
    if (live === undefined)
      return { reason: "no list shows it, and a read by its id shows another object", isDenied: false };
    onRow?.(row);
    return live;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const reason = `no list shows it, and it could not be read by its id: ${error.message}`;
    return { reason, isDenied: isDenied(error) };
  }
}
