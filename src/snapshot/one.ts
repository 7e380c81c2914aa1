import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import type { OperationName } from "../api/operations/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";

/** One object, or nothing where the service does not give it: why, and whether it is there at all, only a list can tell. */
export async function readOne(client: Client, get: OperationName, path: ScopePath): Promise<JsonObject | undefined> {
  try {
    const { body } = await client.request(get, { path });
    return isJsonObject(body) ? body : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The same of a live object, or one of which that much is known, by its kind's own read; nothing where it has none. */
export async function readObject(
  client: Client,
  { kind, scope, id, parts }: Pick<LiveObject, "kind" | "scope" | "id" | "parts">,
  path: ScopePath,
): Promise<JsonObject | undefined> {
  const get = kinds[kind].target(scopeType(scope), { id, parts }).get;
  return get === undefined ? undefined : readOne(client, get.operation as OperationName, { ...path, ...get.path });
}
