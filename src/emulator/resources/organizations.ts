import { checkFounding } from "../deployed/plan-limits.ts";
import { denied, notFound, serverError } from "../http/errors.ts";
import { flag, nullable, readFields, required, text } from "../http/fields.ts";
import { foundOrganization, renderOrganization } from "../records/organization.ts";
import { isUuid } from "../store/ids.ts";
import { membershipOf } from "../records/member.ts";
import { objectBody } from "../http/body.ts";
import { page } from "../http/page.ts";
import { removeOrganization } from "../store/store.ts";
import { resolveAlias, topRoute } from "../http/route.ts";
import { stamp } from "../store/time.ts";
import type { Answer, Authenticated } from "../http/call.ts";
import type { Organization } from "../records/organization.ts";
import type { Route } from "../http/route.ts";

const FIELDS = {
  name: required(text({ max: 64 })),
  is_member_join_email_enabled: flag(),
  enforce_2fa: nullable(flag()),
};

/** `/api/organizations` and `/api/organizations/:id`. */
export const organizationRoutes: readonly Route[] = [
  topRoute("/api/organizations", "organizations", {
    GET: { scope: "organization:read", run: list },
    POST: { scope: "organization:write", run: create },
  }),
  topRoute("/api/organizations/:id", "organizations", {
    GET: { scope: "organization:read", run: (call) => show(call, target(call), 200) },
    PUT: { scope: "organization:write", run: (call) => update(call, false) },
    PATCH: { scope: "organization:write", run: (call) => update(call, true) },
    DELETE: { scope: "organization:write", run: remove },
  }),
];

function list(call: Authenticated): Answer {
  const { service, key, user } = call;
  const mine = service.store.organizations.all().filter((row) => membershipOf(service, row.id, user) !== undefined);
  if (service.deployed && mine.length === 0) throw notFound("You need to belong to an organization.");
  const visible = mine.filter((row) => key.organizations?.includes(row.id) ?? true);
  return page(call, visible, (row) => renderOrganization(service, row, user));
}

function create(call: Authenticated): Answer {
  const { service, user } = call;
  checkFounding(call);
  const reading = { lenient: service.deployed, partial: false };
  const values = readFields(objectBody(call, "organizations"), FIELDS, reading);
  return show(call, foundOrganization(service, values, user), 201);
}

function update(call: Authenticated, partial: boolean): Answer {
  const { service } = call;
  const row = target(call);
  needLevel(call, row, 8);
  const values = readFields(objectBody(call, "organizations"), FIELDS, { lenient: service.deployed, partial });
  const updated = service.store.organizations.put({ ...row, ...values, updated_at: stamp(service.now()) });
  return show(call, updated, 200);
}

function remove(call: Authenticated): Answer {
  const { service, user } = call;
  const row = target(call);
  needLevel(call, row, 15);
  removeOrganization(service.store, row.id);
  if (service.store.current.get(user.id) === row.id) leaveCurrent(call);
  return { status: 204 };
}

/** `@current` falls back to another organization of the user, if there is one. */
function leaveCurrent({ service, user }: Authenticated): void {
  const next = service.store.members.all().find((member) => member.user.id === user.id);
  if (next === undefined) service.store.current.delete(user.id);
  else service.store.current.set(user.id, next.organization_id);
}

function show({ service, user }: Authenticated, row: Organization, status: number): Answer {
  return { status, body: renderOrganization(service, row, user) };
}

/** The organization in the path; one that is not the caller's is not there. */
function target(call: Authenticated): Organization {
  const { service, key, user } = call;
  const id = resolveAlias(service, user.id, call.params["id"] ?? "");
  if (service.deployed && !isUuid(id)) throw serverError();
  const row = service.store.organizations.get(id);
  if (row === undefined || membershipOf(service, row.id, user) === undefined) throw notFound();
  if (key.organizations?.includes(row.id) === false) {
    throw denied(`API key does not have access to the requested organization: ID ${row.id}.`);
  }
  return row;
}

function needLevel({ service, user }: Authenticated, row: Organization, level: number): void {
  const own = membershipOf(service, row.id, user)?.level ?? 0;
  if (service.deployed && own < level) throw denied("You do not have admin access to this resource.");
}
