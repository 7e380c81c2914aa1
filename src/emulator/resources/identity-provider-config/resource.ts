import { configTable, makeConfig, renderConfig, type IdentityProviderConfig } from "./record.ts";
import { defineResource } from "../../resource.ts";
import { notFound } from "../../http/errors.ts";
import { organizationOf, textId } from "../scope.ts";
import { organizationRoute, type Actions, type Route } from "../../http/route.ts";
import { page } from "../../http/page.ts";
import { readConfig, takeDomains } from "./fields.ts";
import { requireAdminToWrite } from "../member/rules.ts";
import { scimLogs } from "../domain/current.ts";
import { stamp } from "../../store/time.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";

const READ = "organization:read";
const WRITE = "organization:write";

/** Fact 144. Only the `current` dialect has these routes. */
const ROUTES: readonly Route[] = [
  currentRoute("", { GET: { scope: READ, run: list }, POST: { scope: WRITE, run: create } }),
  currentRoute("/:id", {
    GET: { scope: READ, run: (call, owner) => configAnswer(call, requireConfig(call, owner)) },
    PUT: { scope: WRITE, run: (call, owner) => update(call, owner, false) },
    PATCH: { scope: WRITE, run: (call, owner) => update(call, owner, true) },
    DELETE: { scope: WRITE, run: remove },
  }),
  currentRoute("/:id/scim/token", { POST: { scope: WRITE, run: newToken } }),
  currentRoute("/:id/scim/logs", { GET: { scope: READ, run: logs } }),
];

function currentRoute(suffix: string, actions: Actions<Organization>): Route {
  return {
    ...organizationRoute(`identity_provider_configs${suffix}`, actions, requireAdminToWrite),
    dialects: ["current"],
  };
}

function list(call: Authenticated, owner: Organization): Answer {
  return page(call, configTable(call.service).within(owner.id), (row) => renderConfig(row, call.origin));
}

function create(call: Authenticated, owner: Organization): Answer {
  const { service } = call;
  const row = makeConfig(service, owner.id, readConfig(call, owner, false));
  takeDomains(service, row);
  return configAnswer(call, row, { status: 201, token: row.scim_enabled ? service.ids.token(40) : null });
}

function update(call: Authenticated, owner: Organization, partial: boolean): Answer {
  const { service } = call;
  const row = requireConfig(call, owner);
  const sent = readConfig(call, owner, partial);
  const updated = configTable(service).put({ ...row, ...sent, updated_at: stamp(service.now()) });
  takeDomains(service, updated);
  const isEnabled = updated.scim_enabled && !row.scim_enabled;
  return configAnswer(call, updated, { status: 200, token: isEnabled ? service.ids.token(40) : null });
}

function remove(call: Authenticated, owner: Organization): Answer {
  configTable(call.service).remove(requireConfig(call, owner).id);
  return { status: 204 };
}

/** Fact 146: a new token is shown once. */
function newToken(call: Authenticated, owner: Organization): Answer {
  return configAnswer(call, requireConfig(call, owner), { status: 200, token: call.service.ids.token(40) });
}

function logs(call: Authenticated, owner: Organization): Answer {
  requireConfig(call, owner);
  return scimLogs(call);
}

function configAnswer(
  call: Authenticated,
  row: IdentityProviderConfig,
  { status, token }: { readonly status: number; readonly token: string | null } = { status: 200, token: null },
): Answer {
  return { status, body: renderConfig(row, call.origin, token) };
}

function requireConfig({ service, params }: Authenticated, owner: Organization): IdentityProviderConfig {
  const row = configTable(service).get(params["id"] ?? "");
  if (row === undefined || row.organization_id !== owner.id) throw notFound();
  return row;
}

/** The configurations of identity providers of an organization. */
export const identityProviderConfig = defineResource({
  name: "identity_provider_config",
  table: configTable,
  livesIn: "organization",
  routes: ROUTES,
  controlled: true,
  insert: (service, scope, values) => makeConfig(service, organizationOf(service, scope), textId(values)),
  seed: { list: "identity_provider_configs", within: ["organization"], needed: ["name"] },
});
