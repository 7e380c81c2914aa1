import { beforeEach, describe, expect, test } from "vitest";
import { clock, ORG, rows, start, type Reply, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const O = `/api/organizations/${ORG}/`;
const KEYS = [
  { key: "owner" },
  { key: "ada", user: "ada@example.com" },
  { key: "mia", user: "mia@example.com" },
  { key: "reader", scopes: ["organization:read"] },
];
const time = clock();
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ dialect: "current", now: time.now, keys: KEYS }));
});

const shown = ({ status, json }: Reply): unknown[] => [status, json["code"], json["attr"]];
const detail = ({ status, json }: Reply): unknown[] => [status, json["code"], json["detail"]];

// A number in a test name is that of the fact about today's service.
describe("current: organizations", () => {
  test("113 has exactly the fields of today", async () => {
    const names =
      "id name slug logo_media_id created_at updated_at membership_level plugins_access_level teams projects available_product_features is_member_join_email_enabled metadata customer_id enforce_2fa enforce_verified_domains members_can_invite members_can_create_projects members_can_use_personal_api_keys members_can_see_org_members allow_publicly_shared_resources read_only_mcp_access member_count is_ai_data_processing_approved is_ai_training_opted_in is_ai_training_locked is_ai_training_cta_shown is_hipaa default_experiment_stats_method default_anonymize_ips default_role_id is_active is_not_active_reason is_pending_deletion";
    expect(Object.keys((await send("GET", O)).json).toSorted()).toEqual(names.split(" ").toSorted());
  });

  test("114 writes fifteen settings, and ignores everything else", async () => {
    emulator.edit("domain", String(emulator.insert("domain", { organization: ORG }, { domain: "example.com" }).id), {
      is_verified: true,
    });
    const media = String(emulator.insert("media", { organization: ORG }, {}).id);
    const wanted = {
      name: "Acme 2",
      logo_media_id: media,
      enforce_2fa: true,
      enforce_verified_domains: true,
      members_can_invite: false,
      members_can_create_projects: false,
      members_can_use_personal_api_keys: false,
      members_can_see_org_members: false,
      allow_publicly_shared_resources: false,
      read_only_mcp_access: true,
      is_ai_data_processing_approved: true,
      is_ai_training_opted_in: true,
      default_experiment_stats_method: "frequentist",
      default_anonymize_ips: true,
      default_role_id: "role",
    };
    const ignored = { slug: "x", customer_id: "c", is_hipaa: true };
    const { status, json } = await send("PATCH", O, { ...wanted, ...ignored });
    expect(status).toBe(200);
    expect(json).toMatchObject(wanted);
    expect(json).toMatchObject({ slug: "acme", customer_id: null, is_hipaa: false });
  });

  test.each([
    ["logo_media_id", 200],
    ["enforce_2fa", 200],
    ["enforce_verified_domains", 200],
    ["members_can_invite", 200],
    ["members_can_create_projects", 200],
    ["read_only_mcp_access", 200],
    ["is_ai_data_processing_approved", 200],
    ["is_ai_training_opted_in", 200],
    ["default_experiment_stats_method", 200],
    ["default_role_id", 200],
    ["name", 400],
    ["members_can_use_personal_api_keys", 400],
    ["members_can_see_org_members", 400],
    ["allow_publicly_shared_resources", 400],
    ["default_anonymize_ips", 400],
  ])("115 %s: null is %d", async (field, status) => {
    expect((await send("PATCH", O, { [field]: null })).status).toBe(status);
  });

  test("115 the method is one of two, or empty", async () => {
    expect((await send("PATCH", O, { default_experiment_stats_method: "" })).status).toBe(200);
    const bad = await send("PATCH", O, { default_experiment_stats_method: "guess" });
    expect(shown(bad)).toEqual([400, "invalid_choice", "default_experiment_stats_method"]);
  });

  test("116 is_member_join_email_enabled is read-only", async () => {
    const { status, json } = await send("PATCH", O, { is_member_join_email_enabled: false });
    expect([status, json["is_member_join_email_enabled"]]).toEqual([200, true]);
    const made = await send("POST", "/api/organizations/", { name: "B", is_member_join_email_enabled: false });
    expect([made.status, made.json["is_member_join_email_enabled"]]).toEqual([201, true]);
  });

  test("117 default_role_id is written", async () => {
    expect((await send("PATCH", O, { default_role_id: "r1" })).json["default_role_id"]).toBe("r1");
  });

  test.each([
    ["members_can_invite", false, "configure who can send invites."],
    ["members_can_create_projects", false, "configure who can create projects."],
    ["enforce_2fa", true, "enforce 2FA."],
    ["allow_publicly_shared_resources", false, "configure public sharing settings."],
    ["members_can_use_personal_api_keys", false, "configure personal API key permissions."],
    ["members_can_see_org_members", false, "configure member list visibility."],
    ["read_only_mcp_access", true, "configure MCP access."],
  ])("118 119 %s needs a plan, only where it changes", async (field, value, end) => {
    emulator.setSwitches({ plan_limits: true });
    const refused = await send("PATCH", O, { [field]: value });
    expect(shown(refused)).toEqual([400, "payment_required", field]);
    expect(refused.json["detail"]).toBe(`You must upgrade your plan to ${end}`);
    const same = (await send("GET", O)).json[field];
    expect((await send("PATCH", O, { [field]: same })).status).toBe(200);
    const keys = ["organization_invite_settings", "organization_security_settings", "2fa_enforcement"];
    emulator.edit("organization", ORG, { available_product_features: keys.map((key) => ({ key })) });
    expect((await send("PATCH", O, { [field]: value })).status).toBe(200);
  });

  test("118 a create is not checked", async () => {
    emulator.edit("organization", ORG, { available_product_features: [{ key: "organizations_projects" }] });
    emulator.setSwitches({ plan_limits: true });
    const { status, json } = await send("POST", "/api/organizations/", { name: "B", enforce_2fa: true });
    expect([status, json["enforce_2fa"]]).toEqual([201, true]);
  });

  test.each([{ is_hipaa: true }, { is_ai_training_locked: true }])(
    "120 %o locks the training setting",
    async (state) => {
      emulator.edit("organization", ORG, state);
      expect(shown(await send("PATCH", O, { is_ai_training_opted_in: true }))).toEqual([
        400,
        "locked",
        "is_ai_training_opted_in",
      ]);
      expect((await send("PATCH", O, { is_ai_training_opted_in: null })).status).toBe(200);
    },
  );

  test("121 a logo is its own organization's, and not set on create", async () => {
    const id = "99999999-9999-4999-8999-999999999999";
    const created = await send("POST", "/api/organizations/", { name: "B", logo_media_id: id });
    expect(detail(created)).toEqual([400, "invalid_input", "Cannot set logo media when creating an organization."]);
    expect(shown(await send("PATCH", O, { logo_media_id: id }))).toEqual([400, "does_not_exist", "logo_media_id"]);
    const other = String(emulator.insert("organization", {}, { name: "Other" }).id);
    const foreign = String(emulator.insert("media", { organization: other }, {}).id);
    expect((await send("PATCH", O, { logo_media_id: foreign })).status).toBe(400);
  });

  test("122 a name like a domain is refused, unless that is switched off", async () => {
    expect(shown(await send("PATCH", O, { name: "acme.com" }))).toEqual([400, "invalid_input", "name"]);
    expect((await send("PATCH", O, { name: "Acme Inc." })).status).toBe(200);
    emulator.setSwitches({ domain_like_names_refused: false });
    expect((await send("PATCH", O, { name: "acme.com" })).status).toBe(200);
  });

  test("123 an update needs an admin, a deletion an owner", async () => {
    expect((await send("PATCH", O, { name: "x" }, "mia")).status).toBe(403);
    expect((await send("PATCH", O, { name: "x" }, "ada")).status).toBe(200);
    expect((await send("DELETE", O, undefined, "ada")).status).toBe(403);
    expect((await send("GET", "/api/organizations/", undefined, "reader")).status).toBe(200);
  });

  test("124 125 a deletion is pending first, and refuses a second one", async () => {
    expect((await send("DELETE", O)).status).toBe(204);
    const listed = rows(await send("GET", "/api/organizations/"));
    expect(listed.map((row) => row["is_pending_deletion"])).toEqual([true]);
    expect(detail(await send("DELETE", O))).toEqual([
      400,
      "invalid_input",
      "This organization is already being deleted.",
    ]);
    time.pass(60_000);
    expect((await send("GET", `${O}domains/`)).status).toBe(404);
    expect(emulator.find("organization", ({ id }) => id === ORG)).toEqual([]);
  });

  test("124 what refuses a deletion", async () => {
    emulator.setSwitches({ cloud: true, active_subscription: true });
    expect((await send("DELETE", O)).json["detail"]).toContain("active subscription");
    emulator.setSwitches({ deletion_disabled: true });
    expect((await send("DELETE", O)).json["detail"]).toContain("temporarily disabled");
    emulator.setSwitches({ deletion_disabled: false, cloud: false });
    expect((await send("DELETE", O)).status).toBe(204);
  });

  test("126 while a deletion is pending everything is 403", async () => {
    emulator.edit("organization", ORG, { is_pending_deletion: true });
    const paths = [O, `${O}domains/`, "/api/projects/2/insights/"];
    for (const path of paths) {
      expect(detail(await send("GET", path))).toEqual([
        403,
        "permission_denied",
        "Your organization is being deleted.",
      ]);
    }
    emulator.setSwitches({ pending_organization_readable: true });
    expect((await send("GET", O)).json["is_pending_deletion"]).toBe(true);
    expect((await send("GET", `${O}domains/`)).status).toBe(403);
  });

  test("127 a deactivated organization says why", async () => {
    emulator.edit("organization", ORG, { is_active: false });
    expect((await send("GET", O)).json["detail"]).toBe("Your organization has been deactivated.");
    emulator.edit("organization", ORG, { is_not_active_reason: "Unpaid." });
    const { status, json } = await send("GET", "/api/projects/2/insights/");
    expect([status, json["detail"]]).toEqual([403, "Your organization has been deactivated. Unpaid."]);
  });

  test("128 people outside the verified domains are refused everywhere", async () => {
    emulator.edit("organization", ORG, { enforce_verified_domains: true });
    for (const path of [O, `${O}members/`, "/api/projects/2/insights/"]) {
      expect(shown(await send("GET", path))).toEqual([403, "verified_domain_required", null]);
    }
    emulator.insert("domain", { organization: ORG }, { domain: "example.com", is_verified: true });
    expect((await send("GET", O)).status).toBe(200);
  });

  test("129 the way out is a change of that one setting by an admin", async () => {
    emulator.edit("organization", ORG, { enforce_verified_domains: true });
    expect((await send("PATCH", O, { name: "x" })).status).toBe(403);
    expect((await send("PATCH", O, { enforce_verified_domains: false, name: "x" })).status).toBe(403);
    expect((await send("PATCH", O, { enforce_verified_domains: false }, "mia")).status).toBe(403);
    expect((await send("PATCH", O, { enforce_verified_domains: false }, "ada")).status).toBe(200);
    expect(shown(await send("PATCH", O, { enforce_verified_domains: true }))).toEqual([
      400,
      "invalid_input",
      "enforce_verified_domains",
    ]);
  });

  test("130 131 removes the blocked members; a deleted domain locks everybody out", async () => {
    const domain = emulator.insert("domain", { organization: ORG }, { domain: "other.example", is_verified: true });
    emulator.insert("member", { organization: ORG }, { email: "in@other.example" });
    const path = `${O}remove_blocked_members_and_enforce_verified_domains/`;
    expect((await send("POST", path, {}, "mia")).status).toBe(403);
    const { status, json } = await send("POST", path);
    expect([status, json]).toEqual([200, { success: true, removed_members: 2 }]);
    const left = emulator.find("member").map(({ user }) => (user as { email: string }).email);
    expect(left.toSorted()).toEqual(["in@other.example", "owner@example.com"]);
    emulator.edit("domain", String(domain.id), { domain: "example.com" });
    expect((await send("DELETE", `${O}domains/${String(domain.id)}/`)).status).toBe(204);
    expect((await send("GET", O)).status).toBe(403);
  });

  test("132 read-only MCP access refuses writes of that client only", async () => {
    emulator.edit("organization", ORG, { read_only_mcp_access: true });
    const patch = (agent: string): Promise<Response> =>
      fetch(emulator.url + O, {
        method: "PATCH",
        headers: { authorization: "Bearer owner", "content-type": "application/json", "user-agent": agent },
        body: '{"name":"x"}',
      });
    const refused = await patch("posthog/mcp-server; 1.0");
    expect([refused.status, await refused.text()]).toEqual([403, expect.stringContaining("read-only")]);
    expect((await patch("driftline")).status).toBe(200);
  });

  test("133 plain members may be kept from seeing others", async () => {
    emulator.edit("organization", ORG, { members_can_see_org_members: false });
    expect(rows(await send("GET", `${O}members/`, undefined, "mia")).map((row) => row["user"]?.["email"])).toEqual([
      "mia@example.com",
    ]);
    expect(rows(await send("GET", `${O}members/`, undefined, "ada"))).toHaveLength(3);
  });

  test("135 the routes of a project have another name", async () => {
    expect((await send("GET", "/api/environments/2/insights/")).status).toBe(200);
    expect((await send("GET", "/api/environments/2/batch_exports/")).status).toBe(200);
  });

  test("136 batch exports under an organization are gone, unless that is switched off", async () => {
    expect(detail(await send("GET", `${O}batch_exports/`))).toEqual([404, "not_found", "Endpoint not found."]);
    emulator.setSwitches({ organization_exports_gone: false });
    expect((await send("GET", `${O}batch_exports/`)).status).toBe(200);
  });

  test("226 230 only one of the refusals has a code of its own", async () => {
    emulator.edit("organization", ORG, { is_active: false });
    expect((await send("GET", O)).json["code"]).toBe("permission_denied");
    emulator.edit("organization", ORG, { is_active: true, enforce_verified_domains: true });
    expect((await send("GET", O)).json["code"]).toBe("verified_domain_required");
  });
});
