import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { OperationName } from "../api/operations/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";

/** Identifies the object to be read. */
export type ObjectRef = Pick<LiveObject, "kind" | "scope" | "id" | "parts">;

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

/** Reads one object by id with the kind's `get` operation. Returns undefined if the kind has none or the read fails. */
export async function readObjectRow(
  client: Client,
  { kind, scope, id, parts }: ObjectRef,
  path: ScopePath,
): Promise<JsonObject | undefined> {
  const get = kinds[kind].target(scopeType(scope), { id, parts }).get;
  return get === undefined ? undefined : readRow(client, get.operation, { ...path, ...get.path });
}

/** Converts a row that was read by id to an object. Returns undefined if the row is about another object. */
export function rowToObject(ref: ObjectRef, path: ScopePath, row: JsonObject | undefined): LiveObject | undefined {
  const { kind, scope, id } = ref;
  if (row === undefined) return undefined;
  const [operation = ""] = kinds[kind].lists(scopeType(scope));
  const [live] = kinds[kind].assemble({ scope, path, rows: { [operation]: [row] } });
  return live?.id === id ? live : undefined;
}

/** Reads one object by id, like {@link readObjectRow}, and converts it. */
export async function readObject(client: Client, ref: ObjectRef, path: ScopePath): Promise<LiveObject | undefined> {
  return rowToObject(ref, path, await readObjectRow(client, ref, path));
}
