/** Reads of one object. What is read like that instead of in a list is decided by its callers, such as src/plan/lists-to-read.ts. */
import type { Client } from "../api/client.ts";
import { ApiError, isNotFound } from "../api/errors/errors.ts";
import type { OperationName } from "../api/operations/index.ts";
import { isJsonObject, type JsonObject } from "../model/json/json.ts";
import { objectRead, rowToObject, type ObjectRef } from "../kinds/object-read.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";

/**
 * Reads one object. Returns undefined if the read fails. That does not prove that the object is absent: only a complete
 * list does.
 */
export async function readRow(client: Client, get: OperationName, path: ScopePath): Promise<JsonObject | undefined> {
  try {
    const { body } = await client.request(get, { path });
    return isJsonObject(body) ? body : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/**
 * Reads one object that a complete list lacks. Returns undefined if the service says that there is none (404), or if the kind has
 * no such read. An answer that shows no object is no proof: its row is empty.
 *
 * @throws ApiError if the object could not be read, so that it may exist
 */
export async function readUnlistedRow(
  client: Client,
  ref: ObjectRef,
  path: ScopePath,
): Promise<JsonObject | undefined> {
  const read = objectRead(ref, path);
  if (read === undefined) return undefined;
  try {
    const { body } = await client.request(read.operation, { path: read.path });
    return isJsonObject(body) ? body : {};
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Reads one object by id with the kind's `get` operation, like {@link readRow}. Returns undefined if the kind has none. */
export async function readObject(client: Client, ref: ObjectRef, path: ScopePath): Promise<LiveObject | undefined> {
  const read = objectRead(ref, path);
  return read && rowToObject(ref, path, await readRow(client, read.operation, read.path));
}
