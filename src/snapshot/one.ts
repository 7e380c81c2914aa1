import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import type { OperationName } from "../api/operations/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { ScopePath } from "../model/live.ts";

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
