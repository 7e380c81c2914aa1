import { beforeAll, describe, expect, test } from "vitest";
import { startEmulator, type Emulator, type Seed } from "../../../../src/emulator/index.ts";
import { OPERATIONS } from "../../../support/interface/operations.ts";
import { memberOf, ORG, SEED, sender, type Reply } from "../harness.ts";

type Row = readonly [method: string, path: string, scope: string | null, status: number, shape: string];

const ROWS = OPERATIONS.map(({ method, local, scope, success, answer }): Row => [
  method,
  local,
  scope,
  success,
  answer,
]);

const names = (text: string): readonly string[] => text.trim().split(/\s+/);
const KEYS: Readonly<Record<string, readonly string[]>> = {
  page: names(`count next previous results`),
  calculation: names(`is_cached last_refresh timezone result`),
  sharing: names(`created_at enabled access_token`),
  domain: names(`id domain is_verified verified_at verification_challenge jit_provisioning_enabled sso_enforcement
    has_saml saml_entity_id saml_acs_url saml_x509_cert`),
  invite: names(`id target_email first_name emailing_attempt_made level is_expired created_by created_at updated_at
    message`),
  member: names(`id user level joined_at updated_at is_2fa_enabled has_social_auth`),
  organization: names(`id name slug created_at updated_at membership_level plugins_access_level teams
    available_product_features is_member_join_email_enabled metadata customer_id enforce_2fa
    member_count`),
  export: names(`id team_id name model destination interval paused created_at last_updated_at last_paused_at start_at
    end_at latest_runs hogql_query schema`),
  plugin: names(`id plugin_type name description url icon config_schema tag latest_tag is_global organization_id
    organization_name capabilities metrics public_jobs`),
  insight: names(`id short_id name derived_name filters query order deleted dashboards dashboard_tiles last_refresh
    cache_target_age next_allowed_client_refresh result columns created_at created_by description
    updated_at tags favorited saved last_modified_at last_modified_by is_sample
    effective_restriction_level effective_privilege_level timezone is_cached query_status`),
};

const BODIES: Readonly<Record<string, object>> = {
  "POST organizations": { name: "Another" },
  "POST batch_exports": { name: "e", destination: { type: "NoOp", config: {} }, interval: "day" },
  "POST domains": { domain: "new.example" },
  "POST invites": { target_email: "a@new.example" },
  "POST invites/bulk": { target_email: "b@new.example" },
  "PATCH members/:user__uuid": { level: 8 },
  "POST insights/funnel": { events: [{ id: "a" }, { id: "b" }] },
  "POST insights/trend": { events: [{ id: "a" }] },
};

const world: Seed = {
  organizations: SEED.organizations.map((organization) =>
    organization.id === ORG
      ? {
          ...organization,
          domains: [{ domain: "old.example" }],
          invites: [{ target_email: "c@old.example" }],
          batch_exports: [{ name: "old" }],
          pipeline_destinations: [{ name: "d" }],
          pipeline_frontend_apps: [{ name: "f" }],
          pipeline_import_apps: [{ name: "i" }],
          projects: [{ id: 2, name: "Web", insights: [{ id: 1, name: "old" }] }],
        }
      : organization,
  ),
};

const KIND: Readonly<Record<string, Parameters<Emulator["find"]>[0]>> = {
  batch_exports: "batch_export",
  domains: "domain",
  invites: "invite",
  pipeline_destinations: "pipeline_destination",
  pipeline_frontend_apps: "pipeline_frontend_app",
  pipeline_import_apps: "pipeline_import_app",
  insights: "insight",
};

/** The path of an operation with the ids of the seeded objects. */
function pathOf(emulator: Emulator, path: string): string {
  const [family = ""] = path.split("/");
  if (family === "organizations") return `/api/${path.replace(":id", ORG)}/`;
  const kind = KIND[family];
  const id = kind === undefined ? "" : String(emulator.find(kind)[0]?.id);
  const named = path.replace(/:(insight_)?id/, id).replace(":user__uuid", memberOf(emulator, "mia@example.com").uuid);
  return family === "insights" ? `/api/projects/2/${named}/` : `/api/organizations/${ORG}/${named}/`;
}

/** Runs one operation on a new emulator. */
async function runOperation([method, path]: Row, scopes?: readonly string[]): Promise<Reply> {
  const key = scopes === undefined ? { key: "k" } : { key: "k", scopes };
  const emulator = await startEmulator({ seed: world, keys: [key] });
  try {
    const body = BODIES[`${method} ${path}`] ?? (method === "GET" || method === "DELETE" ? undefined : {});
    return await sender(emulator)(method, pathOf(emulator, path), body);
  } finally {
    await emulator.close();
  }
}

describe("the operations of the document", () => {
  test("are 87", () => {
    expect(new Set(ROWS.map(([method, path]) => `${method} ${path}`)).size).toBe(87);
  });

  test.each(ROWS)("%s %s (%s) answers %i with the shape %s", async (...row) => {
    const [, , , status, shape] = row;
    const reply = await runOperation(row);
    expect(reply.status).toBe(status);
    if (shape === "nothing") expect(reply.text).toBe("");
    else if (shape === "list") expect(JSON.parse(reply.text)).toEqual([]);
    else expect(Object.keys(reply.json).toSorted()).toEqual([...(KEYS[shape] ?? [])].toSorted());
  });

  test.each(ROWS.filter(([, , scope]) => scope !== null))("%s %s requires only %s", async (...row) => {
    const [, , scope, status] = row;
    expect((await runOperation(row, [scope ?? ""])).status).toBe(status);
    const other = ["organization:write", "plugin:write", "insight:write", "batch_export:write"].filter(
      (held) => held !== scope?.replace(":read", ":write"),
    );
    const refused = await runOperation(row, other);
    expect([refused.status, refused.json["detail"]]).toEqual([403, `API key missing required scope '${scope}'`]);
  });
});

describe("deployed servers", () => {
  const status: Record<string, number> = {};

  beforeAll(async () => {
    const emulator = await startEmulator({ seed: world, dialect: "deployed", keys: [{ key: "k", scopes: ["*"] }] });
    const send = sender(emulator);
    for (const [method, path, scope] of ROWS.filter(([, , listed]) => listed === null)) {
      if (scope === null)
        status[`${method} ${path}`] = (
          await send(method, pathOf(emulator, path), method === "GET" ? undefined : {})
        ).status;
    }
    await emulator.close();
  });

  const OPEN = /^POST (batch_exports\/:id\/|insights\/:id\/viewed)/;
  test.each(ROWS.filter(([method, path, scope]) => scope === null && !OPEN.test(`${method} ${path}`)))(
    "refuse %s %s, which has no listed scope, to every key that has scopes",
    (method, path) => expect(status[`${method} ${path}`]).toBe(403),
  );
});
