/** Every operation of the interface as the emulator answers it: status, shape and scope. */
import { beforeAll, describe, expect, test } from "vitest";
import { deployedPermission, operations, type Operation } from "../../src/api/operations/index.ts";
import { startEmulator, type Emulator, type Seed } from "../../src/emulator/index.ts";
import { OPERATIONS } from "../support/interface/operations.ts";
import { memberOf, ORG, SEED, sender, UNKNOWN, type Send } from "../unit/emulator/harness.ts";

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
    available_product_features is_member_join_email_enabled metadata customer_id enforce_2fa member_count`),
  export: names(`id team_id name model destination interval paused created_at last_updated_at last_paused_at start_at
    end_at latest_runs hogql_query schema`),
  plugin: names(`id plugin_type name description url icon config_schema tag latest_tag is_global organization_id
    organization_name capabilities metrics public_jobs`),
  insight: names(`id short_id name derived_name filters query order deleted dashboards dashboard_tiles last_refresh
    cache_target_age next_allowed_client_refresh result columns created_at created_by description updated_at tags favorited
    saved last_modified_at last_modified_by is_sample effective_restriction_level effective_privilege_level timezone
    is_cached query_status`),
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

const [acme] = SEED.organizations;
const world: Seed = {
  organizations: [
    {
      ...acme,
      name: "Acme",
      domains: [{ domain: "old.example" }],
      invites: [{ target_email: "c@old.example" }],
      batch_exports: [{ name: "old" }],
      pipeline_destinations: [{ name: "d" }],
      pipeline_frontend_apps: [{ name: "f" }],
      pipeline_import_apps: [{ name: "i" }],
      projects: [{ id: 2, name: "Web", insights: [{ id: 1, name: "old" }] }],
    },
  ],
};

/** The path of an operation with the ids of the seeded objects. */
function pathOf(emulator: Emulator, path: string): string {
  const [family = ""] = path.split("/");
  if (family === "organizations") return `/api/${path.replace(":id", ORG)}/`;
  const [found] = Object.entries(emulator.dump()).flatMap(([kind, rows]) => (`${kind}s` === family ? rows : []));
  const uuid = memberOf(emulator, "mia@example.com").uuid;
  const named = path.replace(/:(insight_)?id/, String(found?.id)).replace(":user__uuid", uuid);
  return family === "insights" ? `/api/projects/2/${named}/` : `/api/organizations/${ORG}/${named}/`;
}

test.each(OPERATIONS.map((operation) => [operation.method, operation.local, operation] as const))(
  "%s %s answers with the status and shape of the document",
  async (method, path, { success, answer }) => {
    const emulator = await startEmulator({ seed: world });
    const body = BODIES[`${method} ${path}`] ?? (method === "GET" || method === "DELETE" ? undefined : {});
    const { status, text, json } = await sender(emulator)(method, pathOf(emulator, path), body);
    await emulator.close();
    expect(status).toBe(success);
    if (answer === "nothing" || answer === "list") expect(text).toBe(answer === "list" ? "[]" : "");
    else expect(Object.keys(json).toSorted()).toEqual(KEYS[answer]?.toSorted());
  },
);

const OURS = /^project_batch_exports\.(list|create|get|update|delete|pause|unpause|backfill)$/;
const known: readonly Operation[] = Object.values(operations).filter(
  ({ document, name }) => document || OURS.test(name),
);

const SCOPES = new Set(known.flatMap((operation) => deployedPermission(operation) ?? []));

// The tables of the product and the emulator know the scopes independently of each other. They are checked before all else.
describe.each(["document", "deployed"] as const)("in the dialect %s", (dialect) => {
  let send: Send;

  beforeAll(async () => {
    const without = (scope: string): string[] =>
      [...SCOPES].filter((other) => other !== scope && other !== scope.replace(":read", ":write"));
    const only = [...SCOPES].map((scope) => ({ key: scope, scopes: [scope] }));
    const others = [...SCOPES].map((scope) => ({ key: `not-${scope}`, scopes: without(scope) }));
    const keys = [{ key: "none", scopes: ["nothing:read"] }, { key: "all", scopes: ["*"] }, ...only, ...others];
    const emulator = await startEmulator({ seed: SEED, dialect, keys });
    send = sender(emulator);
    return () => emulator.close();
  });

  // Servers no longer have two of the calculations.
  const there = known.filter(({ path }) => dialect === "document" || !/\/(path|retention)$/.test(path));

  test.each(there.map((operation) => [operation.name, operation] as const))(
    "%s needs exactly the scope that is known",
    async (_name, operation) => {
      const { method, path, params } = operation;
      const id = params["id"] === "integer" ? "7" : UNKNOWN;
      const local = path.replace(":organization_id", ORG).replace(":project_id", "2").replace(/:\w+/, id);
      const refusal = async (key: string): Promise<string> => {
        const { status, json } = await send(method, `${local}/`, method === "GET" ? undefined : {}, key);
        return status === 403 ? String(json["detail"]) : "";
      };
      const scope = dialect === "document" ? operation.permission : deployedPermission(operation);
      if (scope !== null) {
        expect(await refusal(`not-${scope}`)).toContain(scope);
        expect(await refusal(scope)).toBe("");
      } else if (dialect === "document") expect(await refusal("none")).toBe("");
      else expect(await refusal("all")).toContain("Personal API Key access");
    },
  );
});
