import { ensureUser } from "../records/user.ts";
import { GROUPS, tableOf, toObject } from "./kinds.ts";
import { isObject } from "../json.ts";
import { makeBatchExport } from "../records/batch-export.ts";
import { makeDomain } from "../records/domain.ts";
import { makeInsight } from "../records/insight.ts";
import { makeInvite } from "../records/invite.ts";
import { makeMember } from "../records/member.ts";
import { makeOrganization } from "../records/organization.ts";
import { makePlugin } from "../records/plugin.ts";
import type { EmulatedKind, StoredObject } from "./kinds.ts";
import type { ExportScope } from "../records/batch-export.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Row } from "../store/table.ts";
import type { Service } from "../service.ts";
import type { Team } from "../records/team.ts";
import type { User } from "../records/user.ts";

/** Where an object is to live: an organization, or a project (and with it the project's organization). */
export interface ObjectScope {
  readonly organization?: string;
  readonly project?: string | number;
}

const USER_FIELDS = new Set(["email", "first_name", "last_name", "uuid", "distinct_id"]);
const AUTHORS = new Set(["created_by", "last_modified_by"]);

/**
 * Puts an object into the store, past every check. Fields that are not given get what a create call would give them.
 * A member is given by `email` (and other fields of the user); an author by an address or as a user.
 * @throws Error where the scope does not exist
 */
export function insertObject(
  service: Service,
  kind: EmulatedKind,
  scope: ObjectScope,
  values: JsonObject,
): StoredObject {
  const row = make(service, kind, scope, values);
  const fields = kind === "member" ? without(values, [...USER_FIELDS, "user"]) : values;
  return toObject(tableOf(service.store, kind).put(withPatch(service, row, fields)));
}

/** A row with fields set from outside. What the service computes is kept as an override of what it would compute. */
export function withPatch(service: Service, row: Row, patch: JsonObject): Row {
  const columns: Record<string, unknown> = {};
  const overrides: Record<string, Json> = { ...row.overrides };
  for (const [field, value] of Object.entries(patch)) {
    if (field === "id") continue;
    if (!Object.hasOwn(row, field)) overrides[field] = value;
    else columns[field] = AUTHORS.has(field) ? author(service, value) : value;
  }
  return { ...row, ...columns, ...(Object.keys(overrides).length > 0 ? { overrides } : {}) };
}

function make(service: Service, kind: EmulatedKind, scope: ObjectScope, values: JsonObject): Row {
  const id = typeof values["id"] === "string" ? { id: values["id"] } : {};
  const number = typeof values["id"] === "number" ? { id: values["id"] } : {};
  if (kind === "organization")
    return makeOrganization(service, {
      ...id,
      name: typeof values["name"] === "string" ? values["name"] : "Organization",
    });
  if (kind === "insight")
    return makeInsight(service, teamOf(service, scope).id, { ...number, created_by: owner(service) });
  if (kind === "batch_export") return makeBatchExport(service, exportScope(service, scope), id);
  const organization = organizationOf(service, scope);
  if (kind === "domain") return makeDomain(service, organization, id);
  if (kind === "invite") return makeInvite(service, organization, { ...id, created_by: owner(service) });
  if (kind === "member") return makeMember(service, organization, { ...id, user: userOf(service, values) });
  const group = GROUPS[kind];
  if (group === undefined) throw new Error(`The emulator has no kind ${kind}.`);
  return makePlugin(service, organization, group, number);
}

function owner(service: Service): User | null {
  const [first] = service.keys.values();
  return first?.user ?? null;
}

function author(service: Service, value: Json): Json | User {
  return typeof value === "string" ? ensureUser(service, { email: value }) : value;
}

function userOf(service: Service, values: JsonObject): User {
  const given = isObject(values["user"]) ? values["user"] : values;
  const email = given["email"];
  if (typeof email !== "string") throw new Error("A member needs an email.");
  const fields = Object.entries(given).filter(([field]) => given !== values || USER_FIELDS.has(field));
  return ensureUser(service, { ...Object.fromEntries(fields), email });
}

function organizationOf(service: Service, scope: ObjectScope): string {
  const id = scope.organization ?? (scope.project === undefined ? "" : teamOf(service, scope).organization);
  if (service.store.organizations.get(id) === undefined) throw new Error(`There is no organization "${id}".`);
  return id;
}

function teamOf(service: Service, scope: ObjectScope): Team {
  const team = service.store.teams.get(Number(scope.project));
  if (team === undefined) throw new Error(`There is no project "${String(scope.project)}".`);
  return team;
}

function exportScope(service: Service, scope: ObjectScope): ExportScope {
  const organizationId = organizationOf(service, scope);
  return { organizationId, projectId: scope.project === undefined ? null : teamOf(service, scope).id };
}

function without(values: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)));
}
