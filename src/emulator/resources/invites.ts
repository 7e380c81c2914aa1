import { asObject, jsonBody } from "../http/body.ts";
import { choice, email, nullable, readFields, required, text } from "../http/fields.ts";
import { ApiError, denied, invalid, notFound } from "../http/errors.ts";
import { makeInvite, renderInvite } from "../records/invite.ts";
import { membershipOf } from "../records/member.ts";
import { organizationRoute } from "../http/route.ts";
import { newestFirst } from "../store/order.ts";
import { page } from "../http/page.ts";
import type { Answer, Authenticated } from "../http/call.ts";
import type { Invite } from "../records/invite.ts";
import type { Json } from "../json.ts";
import type { Organization } from "../records/organization.ts";
import type { Route } from "../http/route.ts";
import type { Values } from "../http/fields.ts";

/** The levels that people can have. */
export const LEVELS = [1, 8, 15] as const;
const MOST_AT_ONCE = 20;
const FIELDS = {
  target_email: required(email()),
  first_name: text({ max: 30, blank: true }),
  level: choice(LEVELS),
  message: nullable(text({ blank: true })),
};
type Wanted = Values<typeof FIELDS>;

/** The routes of an organization's invites. There is none to read or to change one. */
export const inviteRoutes: readonly Route[] = [
  organizationRoute("invites", "invites", {
    GET: { scope: "organization_member:read", run: list },
    POST: { scope: "organization_member:write", run: create },
  }),
  organizationRoute("invites/bulk", "invites", { POST: { scope: "organization_member:write", run: bulk } }),
  organizationRoute("invites/:id", "invites", { DELETE: { scope: "organization_member:write", run: remove } }),
];

function list(call: Authenticated, owner: Organization): Answer {
  const rows = newestFirst(call.service.store.invites.within(owner.id));
  return page(call, rows, (row) => renderInvite(call.service, row));
}

function create(call: Authenticated, owner: Organization): Answer {
  const wanted = read(call, owner, jsonBody(call, "invites"));
  return { status: 201, body: renderInvite(call.service, add(call, owner, wanted)) };
}

/** The document has it take and return one invite; deployed servers take and return an array, and answer 201. */
function bulk(call: Authenticated, owner: Organization): Answer {
  const { service } = call;
  const body = jsonBody(call, "invites");
  if (!Array.isArray(body)) {
    if (!service.deployed) return { ...create(call, owner), status: 200 };
    throw invalid("invalid_input", "This endpoint needs an array of data for bulk invite creation.");
  }
  if (body.length > MOST_AT_ONCE) {
    throw invalid("max_length", `A maximum of ${MOST_AT_ONCE} invites can be sent in a single request.`);
  }
  const wanted = readAll(call, owner, body);
  const made = wanted.map((values) => renderInvite(service, add(call, owner, values)));
  return { status: service.deployed ? 201 : 200, body: made };
}

/** Nothing is made unless all are good. Deployed servers do not say which one is not. */
function readAll(call: Authenticated, owner: Organization, bodies: readonly Json[]): Wanted[] {
  try {
    return bodies.map((body) => read(call, owner, body));
  } catch (error) {
    if (call.service.deployed && error instanceof ApiError && error.status === 400) throw invalid("{}", "{}");
    throw error;
  }
}

function read(call: Authenticated, owner: Organization, body: Json): Wanted {
  const { service, user } = call;
  const reading = { lenient: service.deployed, partial: false };
  const values = readFields(asObject(body, call.tweaks.ignoredFields), FIELDS, reading);
  const address = values.target_email?.toLowerCase();
  const members = service.store.members.within(owner.id);
  if (members.some((member) => member.user.email.toLowerCase() === address)) {
    throw invalid("invalid_input", "A user with this email address already belongs to the organization.");
  }
  if (service.deployed && (values.level ?? 1) > (membershipOf(service, owner.id, user)?.level ?? 0)) {
    throw denied("You cannot invite a user with a higher permission level than your own.");
  }
  return values;
}

/** Deployed servers lower the address and put the new invite in the place of an older one for it. */
function add(call: Authenticated, owner: Organization, values: Wanted): Invite {
  const { service, user } = call;
  const sent = values.target_email ?? "";
  const address = service.deployed ? sent.toLowerCase() : sent;
  if (service.deployed) {
    const older = service.store.invites.within(owner.id).filter((row) => row.target_email.toLowerCase() === address);
    for (const row of older) service.store.invites.remove(row.id);
  }
  return makeInvite(service, owner.id, { ...values, target_email: address, created_by: user });
}

function remove({ service, params }: Authenticated, owner: Organization): Answer {
  const row = service.store.invites.get(params["id"] ?? "");
  if (row === undefined || row.organization_id !== owner.id) throw notFound();
  service.store.invites.remove(row.id);
  return { status: 204 };
}
