import { ApiError, denied, invalid, notFound } from "../../http/errors.ts";
import { asObject, jsonBody } from "../../http/body.ts";
import { choice, email, nullable, readFields, required, text, type Values } from "../../http/fields.ts";
import { checkCurrentInvite, checkCurrentRemoval, CURRENT_FIELDS, currentInvite, delegate } from "./current.ts";
import { defaultAuthor, organizationOf, textId } from "../scope.ts";
import { defineResource } from "../../resource.ts";
import { inviteTable, makeInvite, renderInvite, type Invite } from "./record.ts";
import { LEVELS, membershipOf, memberTable } from "../member/record.ts";
import { newestFirst } from "../../store/order.ts";
import { organizationRoute, type Route } from "../../http/route.ts";
import { page } from "../../http/page.ts";
import { stamp } from "../../store/time.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Json } from "../../json.ts";
import type { Organization } from "../organization/record.ts";

const MAX_BULK = 20;
/** Two days: the invite is still open. */
const AGE_OF_SEED_MS = 2 * 24 * 60 * 60 * 1000;
const FIELDS = {
  target_email: required(email()),
  first_name: text({ max: 30, blank: true }),
  level: choice(LEVELS),
  message: nullable(text({ blank: true })),
};
type InviteValues = Values<typeof CURRENT_FIELDS>;

/** There is no route to read or change a single invite. */
const ROUTES: readonly Route[] = [
  organizationRoute("invites", {
    GET: { scope: "organization_member:read", run: list },
    POST: { scope: "organization_member:write", currentUnscoped: true, run: create },
  }),
  organizationRoute("invites/bulk", { POST: { scope: "organization_member:write", run: bulk } }),
  {
    ...organizationRoute("invites/delegate", { POST: { scope: "organization_member:write", run: delegate } }),
    dialects: ["current"],
  },
  organizationRoute("invites/:id", {
    DELETE: { scope: "organization_member:write", currentUnscoped: true, run: remove },
  }),
];

function list(call: Authenticated, owner: Organization): Answer {
  const rows = newestFirst(inviteTable(call.service).within(owner.id));
  return page(call, rows, (row) => renderInvite(call.service, row));
}

function create(call: Authenticated, owner: Organization): Answer {
  const wanted = readInvite(call, owner, jsonBody(call));
  return { status: 201, body: renderInvite(call.service, addInvite(call, owner, wanted)) };
}

/** In the document it accepts and returns one invite. Deployed servers accept and return an array, with 201. */
function bulk(call: Authenticated, owner: Organization): Answer {
  const { service } = call;
  const body = jsonBody(call);
  if (!Array.isArray(body)) {
    if (!service.isRealServer) return { ...create(call, owner), status: 200 };
    throw invalid("invalid_input", "This endpoint needs an array of data for bulk invite creation.");
  }
  if (body.length > MAX_BULK) {
    throw invalid("max_length", `A maximum of ${MAX_BULK} invites can be sent in a single request.`);
  }
  const wanted = readInvites(call, owner, body);
  const made = wanted.map((values) => renderInvite(service, addInvite(call, owner, values)));
  return { status: service.isRealServer ? 201 : 200, body: made };
}

/** Creates nothing unless all invites are valid. Deployed servers do not report which invite is invalid. */
function readInvites(call: Authenticated, owner: Organization, bodies: readonly Json[]): InviteValues[] {
  try {
    return bodies.map((body) => readInvite(call, owner, body));
  } catch (error) {
    if (call.service.isRealServer && error instanceof ApiError && error.status === 400) throw invalid("{}", "{}");
    throw error;
  }
}

function readInvite(call: Authenticated, owner: Organization, body: Json): InviteValues {
  const { service, user } = call;
  const reading = { lenient: service.isRealServer, partial: false };
  const fields = service.current ? CURRENT_FIELDS : FIELDS;
  const values: InviteValues = readFields(asObject(body, call.tweaks.ignoredFields), fields, reading);
  const address = values.target_email?.toLowerCase();
  const members = memberTable(service).within(owner.id);
  if (members.some((member) => member.user.email.toLowerCase() === address)) {
    throw invalid("invalid_input", "A user with this email address already belongs to the organization.");
  }
  if (service.isRealServer && (values.level ?? 1) > (membershipOf(service, owner.id, user)?.level ?? 0)) {
    throw denied("You cannot invite a user with a higher permission level than your own.");
  }
  if (service.current) checkCurrentInvite(call, owner, values);
  return values;
}

/** Deployed servers convert the address to lower case, and the new invite replaces older ones for it. */
function addInvite(call: Authenticated, owner: Organization, values: InviteValues): Invite {
  const { service, user } = call;
  const sent = values.target_email ?? "";
  const address = service.isRealServer ? sent.toLowerCase() : sent;
  const same = inviteTable(service)
    .within(owner.id)
    .filter((row) => row.target_email.toLowerCase() === address);
  const older = service.isRealServer ? same : [];
  for (const row of older) inviteTable(service).remove(row.id);
  const stored = service.current ? currentInvite(call, values, older) : values;
  return makeInvite(service, owner.id, { ...stored, target_email: address, created_by: user });
}

function remove(call: Authenticated, owner: Organization): Answer {
  const { service, params } = call;
  if (service.current) checkCurrentRemoval(call, owner);
  const row = inviteTable(service).get(params["id"] ?? "");
  if (row === undefined || row.organization_id !== owner.id) throw notFound();
  inviteTable(service).remove(row.id);
  return { status: 204 };
}

/** The invites of an organization. */
export const invite = defineResource({
  name: "invite",
  table: inviteTable,
  livesIn: "organization",
  routes: ROUTES,
  controlled: true,
  insert: (service, scope, values) =>
    makeInvite(service, organizationOf(service, scope), {
      // Objects of the seed are older than the first request.
      created_at: stamp(new Date(service.now().getTime() - AGE_OF_SEED_MS)),
      ...textId(values),
      created_by: defaultAuthor(service),
    }),
  seed: { list: "invites", within: ["organization"], needed: ["target_email"] },
});
