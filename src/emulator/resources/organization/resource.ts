import { checkGates, checkGatesOfChange } from "../../current/gates.ts";
import { checkOrganizationCreate } from "../../deployed/plan-limits.ts";
import { defineResource, removeRow } from "../../resource.ts";
import { denied, notFound, serverError } from "../../http/errors.ts";
import { flag, nullable, readFields, required, text } from "../../http/fields.ts";
import { CURRENT_FIELDS, checkSettings, type CurrentSettings } from "./current-fields.ts";
import { NEW_SETTINGS } from "./new-settings.ts";
import {
  createOrganization,
  makeOrganization,
  organizationTable,
  renderOrganization,
  type Organization,
} from "./record.ts";
import { isUuid } from "../../store/ids.ts";
import { membershipOf } from "../member/record.ts";
import { objectBody } from "../../http/body.ts";
import { page } from "../../http/page.ts";
import { organizationRoute, resolveAlias, topRoute, type Route } from "../../http/route.ts";
import { removeBlockedMembers } from "./verified-domains.ts";
import { stamp } from "../../store/time.ts";
import { startDeletion } from "./deletion.ts";
import { textId } from "../scope.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Json } from "../../json.ts";
import type { SeedRules } from "../../seed/rules.ts";

const FIELDS = {
  name: required(text({ max: 64 })),
  is_member_join_email_enabled: flag(),
  enforce_2fa: nullable(flag()),
};

const ROUTES: readonly Route[] = [
  {
    ...organizationRoute("remove_blocked_members_and_enforce_verified_domains", {
      POST: { scope: "organization:write", run: removeBlockedMembers },
    }),
    dialects: ["current"],
  },
  topRoute("/api/organizations", {
    GET: { scope: "organization:read", run: list },
    POST: { scope: "organization:write", run: create },
  }),
  topRoute("/api/organizations/:id", {
    GET: { scope: "organization:read", run: retrieve },
    PUT: { scope: "organization:write", run: (call) => update(call, false) },
    PATCH: { scope: "organization:write", run: (call) => update(call, true) },
    DELETE: { scope: "organization:write", run: remove },
  }),
];

function list(call: Authenticated): Answer {
  const { service, key, user } = call;
  const mine = organizationTable(service)
    .all()
    .filter((row) => membershipOf(service, row.id, user) !== undefined);
  const visible = mine.filter((row) => key.organizations?.includes(row.id) ?? true);
  return page(call, visible, (row) => renderOrganization(service, row, user));
}

function retrieve(call: Authenticated): Answer {
  const row = requireOrganization(call);
  checkGates(call, row, call.service.switches.pending_organization_readable ? [126] : []);
  return organizationAnswer(call, row, 200);
}

function create(call: Authenticated): Answer {
  const { service, user } = call;
  checkOrganizationCreate(call);
  const reading = { lenient: service.isRealServer, partial: false };
  const values = readFields(objectBody(call), service.current ? CURRENT_FIELDS : FIELDS, reading);
  if (service.current) checkSettings(call, values);
  return organizationAnswer(call, createOrganization(service, values, user), 201);
}

function update(call: Authenticated, partial: boolean): Answer {
  const { service } = call;
  const row = requireOrganization(call);
  requireLevel(call, row, 8);
  const body = objectBody(call);
  checkGatesOfChange(call, row, Object.keys(body));
  const fields = service.current ? CURRENT_FIELDS : FIELDS;
  const values = readFields(body, fields, { lenient: service.isRealServer, partial });
  if (service.current) checkSettings(call, values, row);
  const updated = organizationTable(service).put({ ...row, ...values, updated_at: stamp(service.now()) });
  return organizationAnswer(call, updated, 200);
}

function remove(call: Authenticated): Answer {
  const row = requireOrganization(call);
  requireLevel(call, row, 15);
  // A second deletion has its own answer.
  checkGates(call, row, [126]);
  if (call.service.current) return startDeletion(call, row);
  removeRow(call.service, organization, row.id);
  return { status: 204 };
}

function organizationAnswer({ service, user }: Authenticated, row: Organization, status: number): Answer {
  return { status, body: renderOrganization(service, row, user) };
}

/** Returns the organization in the path. @throws ApiError 404 if it is not an organization of the caller */
function requireOrganization(call: Authenticated): Organization {
  const { service, key, user } = call;
  const id = resolveAlias(call, call.params["id"] ?? "");
  if (service.isRealServer && !isUuid(id)) throw serverError();
  const row = organizationTable(service).get(id);
  if (row === undefined || membershipOf(service, row.id, user) === undefined) throw notFound();
  if (key.organizations?.includes(row.id) === false) {
    throw denied(`API key does not have access to the requested organization: ID ${row.id}.`);
  }
  return row;
}

function requireLevel({ service, user }: Authenticated, row: Organization, level: number): void {
  const own = membershipOf(service, row.id, user)?.level ?? 0;
  if (service.isRealServer && own < level) throw denied("You do not have admin access to this resource.");
}

/** The fields of an organization in a seed. */
export interface OrganizationFields extends Partial<CurrentSettings> {
  readonly id?: string;
  readonly name: string;
  readonly slug?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly plugins_access_level?: number;
  readonly available_product_features?: Json;
  readonly is_member_join_email_enabled?: boolean;
  readonly metadata?: Json;
  readonly customer_id?: string | null;
  readonly enforce_2fa?: boolean | null;
  /** The default user of the keys is not a member, so requests for this organization are refused. */
  readonly foreign?: boolean;
}

const SEED_RULES: SeedRules<"organizations", "seed", OrganizationFields> = {
  list: "organizations",
  within: ["seed"],
  needed: ["name"],
  fields: [
    "id",
    "name",
    "slug",
    "created_at",
    "updated_at",
    "plugins_access_level",
    "available_product_features",
    "is_member_join_email_enabled",
    "metadata",
    "customer_id",
    "enforce_2fa",
    ...Object.keys(NEW_SETTINGS),
  ],
  directives: ["foreign"],
  scopeOf: (id) => ({ organization: String(id) }),
};

/** Organizations: `/api/organizations` and `/api/organizations/:id`. */
export const organization = defineResource({
  name: "organization",
  table: organizationTable,
  routes: ROUTES,
  controlled: true,
  insert: (service, _scope, values) =>
    makeOrganization(service, {
      ...textId(values),
      name: typeof values["name"] === "string" ? values["name"] : "Organization",
    }),
  seed: SEED_RULES,
});
