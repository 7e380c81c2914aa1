import { checkChange, checkRemoval } from "../deployed/member-rules.ts";
import { choice, readFields } from "../http/fields.ts";
import { byColumn } from "../store/order.ts";
import { isUuid } from "../store/ids.ts";
import { LEVELS } from "./invites.ts";
import { notFound, serverError } from "../http/errors.ts";
import { objectBody } from "../http/body.ts";
import { organizationRoute } from "../http/route.ts";
import { page } from "../http/page.ts";
import { renderMember } from "../records/member.ts";
import { stamp } from "../store/time.ts";
import type { Answer, Authenticated } from "../http/call.ts";
import type { Member } from "../records/member.ts";
import type { Organization } from "../records/organization.ts";
import type { Route } from "../http/route.ts";

const COLUMNS = ["id", "level", "joined_at", "updated_at"] as const;
const FIELDS = { level: choice(LEVELS) };

/** The routes of an organization's members, by the uuid of the user. There is none to read one. */
export const memberRoutes: readonly Route[] = [
  organizationRoute("members", "members", { GET: { scope: "organization_member:read", run: list } }),
  organizationRoute("members/:user__uuid", "members", {
    PUT: { scope: "organization_member:write", run: update },
    PATCH: { scope: "organization_member:write", run: update },
    DELETE: { scope: "organization_member:write", run: remove },
  }),
];

function list(call: Authenticated, owner: Organization): Answer {
  const { service, query } = call;
  const wanted = service.deployed ? query.get("email")?.toLowerCase() : undefined;
  const rows = service.store.members
    .within(owner.id)
    .filter((row) => wanted === undefined || row.user.email.toLowerCase() === wanted);
  const order = service.deployed ? query.get("order") : null;
  return page(call, sorted(rows, order ?? "-joined_at"), (row) => renderMember(service, row));
}

/** @throws ApiError 500 for a column that does not exist, as deployed servers do */
function sorted(rows: readonly Member[], order: string): Member[] {
  const name = order.replace(/^-/, "");
  const column = COLUMNS.find((known) => known === name);
  if (column === undefined) throw serverError();
  return rows.toReversed().toSorted(byColumn(column, order.startsWith("-")));
}

function update(call: Authenticated, owner: Organization): Answer {
  const { service } = call;
  const row = target(call, owner);
  const values = readFields(objectBody(call, "members"), FIELDS, { lenient: service.deployed, partial: true });
  if (service.deployed) checkChange(call, row, values.level);
  const updated = service.store.members.put({ ...row, ...values, updated_at: stamp(service.now()) });
  return { status: 200, body: renderMember(service, updated) };
}

function remove(call: Authenticated, owner: Organization): Answer {
  const row = target(call, owner);
  if (call.service.deployed) checkRemoval(call, row);
  call.service.store.members.remove(row.id);
  return { status: 204 };
}

function target({ service, params, user }: Authenticated, owner: Organization): Member {
  const given = params["user__uuid"] ?? "";
  const uuid = service.deployed && given === "@me" ? user.uuid : given;
  if (service.deployed && !isUuid(uuid)) throw serverError();
  const row = service.store.members.within(owner.id).find((member) => member.user.uuid === uuid);
  if (row === undefined) throw notFound();
  return row;
}
