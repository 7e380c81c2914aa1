import { ensureUser, type User } from "../records/user.ts";
import type { Id, Row } from "../store/table.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ObjectScope, ResourceDefinition } from "../resource.ts";
import type { Service } from "../service.ts";

const AUTHORS = new Set(["created_by", "last_modified_by"]);

/**
 * Puts an object into the store without any check. A missing field gets the default of a create call. An author is an
 * e-mail address or a user.
 * @throws Error if the scope does not exist
 */
export function insertRow(service: Service, resource: ResourceDefinition, scope: ObjectScope, values: JsonObject): Row {
  const row = resource.insert(service, scope, values);
  const fields = resource.plainFields?.(values) ?? values;
  return resource.table(service).put(patchRow(service, row, fields));
}

/** Returns a row with fields set from outside. A field that the service computes is kept as an override. */
export function patchRow(service: Service, row: Row, patch: JsonObject): Row {
  const columns: Record<string, unknown> = {};
  const overrides: Record<string, Json> = { ...row.overrides };
  for (const [field, value] of Object.entries(patch)) {
    if (field === "id") continue;
    if (!Object.hasOwn(row, field)) overrides[field] = value;
    else columns[field] = AUTHORS.has(field) ? resolveAuthor(service, value) : value;
  }
  return { ...row, ...columns, ...(Object.keys(overrides).length > 0 ? { overrides } : {}) };
}

function resolveAuthor(service: Service, value: Json): Json | User {
  return typeof value === "string" ? ensureUser(service, { email: value }) : value;
}

/** Finds an object by its id, or by another identifier of its resource. @throws Error if there is none */
export function findRow(service: Service, resource: ResourceDefinition, id: Id): Row {
  const row = resource.table(service).get(id) ?? resource.findByAlias?.(service, id);
  if (row === undefined) throw new Error(`The emulator has no ${resource.name} "${String(id)}".`);
  return row;
}
