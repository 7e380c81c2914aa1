/** Reads of one object. What is read like that instead of in a list is decided by its callers, such as src/plan/lists-to-read.ts. */
import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { OperationName } from "../api/operations/index.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { Call } from "../kinds/kind-parts.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";

export interface ObjectRef extends Pick<LiveObject, "kind" | "scope" | "id" | "parts"> {
  /** The field that `id` is the value of, if that is another pin. */
  readonly field?: string;
}

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
export async function readObjectRow(client: Client, ref: ObjectRef, path: ScopePath): Promise<JsonObject | undefined> {
  const get = getOf(ref);
  return get === undefined ? undefined : readRow(client, get.operation, { ...path, ...get.path });
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
  const get = getOf(ref);
  if (get === undefined) return undefined;
  try {
    const { body } = await client.request(get.operation, { path: { ...path, ...get.path } });
    return isJsonObject(body) ? body : {};
  } catch (error) {
    if (error instanceof ApiError && error.kind === "not_found") return undefined;
    throw error;
  }
}

function getOf({ kind, scope, id, parts }: ObjectRef): Call | undefined {
  return kinds[kind].writes.target(scopeType(scope), { id, parts }).get;
}

/** Converts a row that was read by id to an object. Returns undefined if the row is about another object. */
export function rowToObject(ref: ObjectRef, path: ScopePath, row: JsonObject | undefined): LiveObject | undefined {
  const { kind, scope, id, field } = ref;
  if (row === undefined) return undefined;
  const [operation = ""] = kinds[kind].lists.operations(scopeType(scope));
  const [live] = kinds[kind].lists.assemble({ scope, path, rows: { [operation]: [row] } });
  const shown = field === undefined ? live?.id : live?.pins[field];
  return shown === id ? live : undefined;
}

/** Reads one object by id, like {@link readObjectRow}, and converts it. */
export async function readObject(client: Client, ref: ObjectRef, path: ScopePath): Promise<LiveObject | undefined> {
  return rowToObject(ref, path, await readObjectRow(client, ref, path));
}
