import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { OperationName } from "../api/operations/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";

/** What tells which object is to be read. */
export type ObjectRef = Pick<LiveObject, "kind" | "scope" | "id" | "parts">;

/** One object, or nothing where the service does not give it: why, and whether it is there at all, only a list can tell. */
export async function readRow(client: Client, get: OperationName, path: ScopePath): Promise<JsonObject | undefined> {
  try {
    const { body } = await client.request(get, { path });
    return isJsonObject(body) ? body : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The same of a live object, or one of which that much is known, by its kind's own read; nothing where it has none. */
export async function readObjectRow(
  client: Client,
  { kind, scope, id, parts }: ObjectRef,
  path: ScopePath,
): Promise<JsonObject | undefined> {
  const get = kinds[kind].target(scopeType(scope), { id, parts }).get;
  return get === undefined ? undefined : readRow(client, get.operation, { ...path, ...get.path });
}

/** The object of a row that was read by its id; undefined where it is about another one. */
export function rowToObject(named: ObjectRef, path: ScopePath, row: JsonObject | undefined): LiveObject | undefined {
  const { kind, scope, id } = named;
  if (row === undefined) return undefined;
  const [operation = ""] = kinds[kind].lists(scopeType(scope));
  const [live] = kinds[kind].assemble({ scope, path, rows: { [operation]: [row] } });
  return live?.id === id ? live : undefined;
}

/** An object by its id; nothing where the service does not give it, or where its kind has no such read. */
export async function readObject(client: Client, named: ObjectRef, path: ScopePath): Promise<LiveObject | undefined> {
  return rowToObject(named, path, await readObjectRow(client, named, path));
}
