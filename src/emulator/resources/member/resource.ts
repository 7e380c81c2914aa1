import { byColumn } from "../../store/order.ts";
import { checkChange, checkRemoval } from "./rules.ts";
import { choice, readFields } from "../../http/fields.ts";
import { foundMembers } from "./current.ts";
import { defineResource } from "../../resource.ts";
import { ensureUser, type User } from "../../records/user.ts";
import { isObject, type JsonObject } from "../../json.ts";
import { isUuid } from "../../store/ids.ts";
import { LEVELS, makeMember, membershipOf, memberTable, renderMember, type Member } from "./record.ts";
import { notFound, serverError } from "../../http/errors.ts";
import { objectBody } from "../../http/body.ts";
import { organizationOf, textId } from "../scope.ts";
import { organizationRoute, type Route } from "../../http/route.ts";
import { page } from "../../http/page.ts";
import { stamp } from "../../store/time.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";
import type { Planting, SeedRules } from "../../seed/rules.ts";
import type { Service } from "../../service.ts";

const COLUMNS = ["id", "level", "joined_at", "updated_at"] as const;
const FIELDS = { level: choice(LEVELS) };

/** Paths contain the uuid of the user. There is no route to read a single member. */
const ROUTES: readonly Route[] = [
  organizationRoute("members", { GET: { scope: "organization_member:read", run: list } }),
  organizationRoute("members/:user__uuid", {
    PUT: { scope: "organization_member:write", run: update },
    PATCH: { scope: "organization_member:write", run: update },
    DELETE: { scope: "organization_member:write", run: remove },
  }),
];

function list(call: Authenticated, owner: Organization): Answer {
  const { service, query } = call;
  if (service.current) return listCurrent(call, owner);
  const wanted = service.isRealServer ? query.get("email")?.toLowerCase() : undefined;
  const rows = memberTable(service)
    .within(owner.id)
    .filter((row) => wanted === undefined || row.user.email.toLowerCase() === wanted);
  const order = service.isRealServer ? query.get("order") : null;
  return page(call, sortMembers(rows, order ?? "-joined_at"), (row) => renderMember(service, row));
}

function listCurrent(call: Authenticated, owner: Organization): Answer {
  const found = foundMembers(call, owner, memberTable(call.service).within(owner.id));
  return page(call, found, ({ row, search_match_type }) => ({ ...renderMember(call.service, row), search_match_type }));
}

/** @throws ApiError 500 if the column does not exist, like deployed servers */
function sortMembers(rows: readonly Member[], order: string): Member[] {
  const name = order.replace(/^-/, "");
  const column = COLUMNS.find((known) => known === name);
  if (column === undefined) throw serverError();
  return rows.toReversed().toSorted(byColumn(column, order.startsWith("-")));
}

function update(call: Authenticated, owner: Organization): Answer {
  const { service } = call;
  const row = requireMember(call, owner);
  const values = readFields(objectBody(call), FIELDS, { lenient: service.isRealServer, partial: true });
  if (service.isRealServer) checkChange(call, row, values.level);
  const updated = memberTable(service).put({ ...row, ...values, updated_at: stamp(service.now()) });
  return { status: 200, body: renderMember(service, updated) };
}

function remove(call: Authenticated, owner: Organization): Answer {
  const row = requireMember(call, owner);
  if (call.service.isRealServer) checkRemoval(call, row);
  memberTable(call.service).remove(row.id);
  return { status: 204 };
}

function requireMember({ service, params, user }: Authenticated, owner: Organization): Member {
  const given = params["user__uuid"] ?? "";
  const uuid = service.isRealServer && given === "@me" ? user.uuid : given;
  if (service.isRealServer && !isUuid(uuid)) throw serverError();
  const row = memberTable(service)
    .within(owner.id)
    .find((member) => member.user.uuid === uuid);
  if (row === undefined) throw notFound();
  return row;
}

/** A member of an organization in a seed: the fields of the user and of the membership. */
export interface SeedMember {
  readonly email: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly uuid?: string;
  readonly distinct_id?: string;
  readonly id?: string;
  readonly level?: number;
  readonly joined_at?: string;
  readonly updated_at?: string;
  readonly is_2fa_enabled?: boolean;
  readonly has_social_auth?: boolean;
}

const SEED_RULES: SeedRules<"members", "organization", SeedMember> = {
  list: "members",
  within: ["organization"],
  needed: ["email"],
  plantedFirst: true,
  after: addOwner,
};

/** Makes the owner a member, unless the seed lists them as a member or the organization is foreign. */
function addOwner({ service, owner, scope, parent }: Planting): void {
  if (parent["foreign"] === true) return;
  const organization = organizationOf(service, scope);
  if (membershipOf(service, organization, owner) === undefined) {
    makeMember(service, organization, { user: owner, level: 15 });
  }
  if (!service.store.current.has(owner.id)) service.store.current.set(owner.id, organization);
}

const USER_FIELDS = new Set(["email", "first_name", "last_name", "uuid", "distinct_id"]);

/** Returns the user that values describe, either in `user` or in top-level fields. */
function ensureUserOf(service: Service, values: JsonObject): User {
  const given = isObject(values["user"]) ? values["user"] : values;
  const email = given["email"];
  if (typeof email !== "string") throw new Error("A member needs an email.");
  const fields = Object.entries(given).filter(([field]) => given !== values || USER_FIELDS.has(field));
  return ensureUser(service, { ...Object.fromEntries(fields), email });
}

/** The members of an organization. */
export const member = defineResource({
  name: "member",
  table: memberTable,
  livesIn: "organization",
  routes: ROUTES,
  controlled: true,
  insert: (service, scope, values) =>
    makeMember(service, organizationOf(service, scope), { ...textId(values), user: ensureUserOf(service, values) }),
  plainFields: (values) =>
    Object.fromEntries(Object.entries(values).filter(([field]) => field !== "user" && !USER_FIELDS.has(field))),
  findByAlias: (service, id) =>
    memberTable(service)
      .all()
      .find((row) => row.user.uuid === id),
  seed: SEED_RULES,
});
