/** Reads of one object by its id, and the objects in the answers. */
import type { JsonObject } from "../model/json/json.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";
import { kinds, scopeType } from "./registry.ts";
import { rowsIn, answeredRows, type RowsRead, type World } from "./world.ts";

export interface ObjectRef extends Pick<LiveObject, "kind" | "scope" | "id" | "parts"> {
  /** The field that `id` is the value of, if that is another pin. */
  readonly field?: string;
}

/** The read of one object by its id; none if its kind has no such operation. @param path the ids of its scope */
export function objectRead({ kind, scope, id, parts }: ObjectRef, path: ScopePath): RowsRead | undefined {
  const { get } = kinds[kind].writes.target(scopeType(scope), { id, parts });
  return get && { what: "row", operation: get.operation, path: { ...path, ...get.path } };
}

/** The object of an answer; undefined if it was not read, could not be read, or is another one. */
export function objectIn(world: World, ref: ObjectRef, path: ScopePath): LiveObject | undefined {
  const read = objectRead(ref, path);
  const [row] = answeredRows(read && rowsIn(world, read));
  return rowToObject(ref, path, row);
}

/** Converts a row that was read by id to an object. Returns undefined if the row is about another object. */
export function rowToObject(ref: ObjectRef, path: ScopePath, row: JsonObject | undefined): LiveObject | undefined {
  const { kind, scope, id, field } = ref;
  if (row === undefined) return undefined;
  const [operation = ""] = kinds[kind].lists.operations(scopeType(scope));
  const [live] = kinds[kind].lists.assemble({ scope, path, rows: { [operation]: [row] } });
  const idOfRow = field === undefined ? live?.id : live?.pins[field];
  return idOfRow === id ? live : undefined;
}
