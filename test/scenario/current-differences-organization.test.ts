/** What old declarations of organizations and domains do on today's service. A test is named by the row that it is about. */
import { describe, expect, it } from "vitest";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { isObject } from "../../src/emulator/json.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { outcomesOf } from "../support/cli.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
const CORP = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";
const VERIFIED = { is_verified: true, verified_at: "2026-01-01T00:00:00Z" };
const CONFIGS = `/api/organizations/${ACME}/identity_provider_configs/`;
const MEMBERS = `/api/organizations/${ACME}/members/`;

async function today(declared: object, options: EmulatorOptions = {}): Promise<Workspace> {
  const space = await workspace({ dialect: "current", ...options });
  await space.configure(acme(declared));
  return space;
}

const acme = (declared: object): object => ({
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", ...declared } },
});

const writes = ({ emulator }: Workspace) => emulator.requests.filter(({ method }) => method !== "GET");
const reads = ({ emulator }: Workspace, path: string) => emulator.requests.filter((one) => one.path === path);
const codes = ({ diagnostics }: Pick<PlanDocument, "diagnostics">) => diagnostics.map(({ code }) => code);
const changed = ({ changes }: Pick<PlanDocument, "changes">) => changes.filter(({ action }) => action !== "no_op");
const blocks = ({ changes }: Pick<PlanDocument, "changes">) => changes.flatMap(({ blocked }) => blocked ?? []);

/** The domain of the key's user and of the seeded members is verified, so nobody is outside. */
function verify({ emulator }: Workspace, ...names: readonly string[]): void {
  for (const domain of names) emulator.insert("domain", { organization: ACME }, { domain, ...VERIFIED });
}

describe("organizations", () => {
  it("is_member_join_email_enabled", async () => {
    const space = await today({ is_member_join_email_enabled: false });
    const planned = await space.plan();
    expect([codes(planned), changed(planned)]).toEqual([["not_on_service"], []]);
    expect(planned.diagnostics[0]?.hint).toContain("own account");
    expect((await space.drift()).code).toBe(0);
  });

  it("enforce_2fa, changed, without the plan", async () => {
    const space = await today({ enforce_2fa: true }, { switches: { plan_limits: true } });
    const result = await space.run(["apply", "--yes", "--format", "json"]);
    expect(outcomesOf(result).changes).toMatchObject([{ status: "failed", error: { code: "payment_required" } }]);
    expect(result.stdout).toContain("paid plan");
    expect(writes(space)).toHaveLength(1);
  });

  it("enforce_2fa, same value", async () => {
    const space = await today({ enforce_2fa: true }, { switches: { plan_limits: true } });
    space.emulator.edit("organization", ACME, { enforce_2fa: true });
    await space.apply();
    expect(writes(space)).toEqual([]);
  });

  it("name", async () => {
    const space = await today({ id: ACME, name: "acme.com" });
    const result = await space.run(["apply", "--yes"]);
    expect([result.code === 0, result.stdout + result.stderr]).toEqual([
      false,
      expect.stringContaining("Name must not look like a link."),
    ]);
  });

  it("create", async () => {
    const space = await workspace({ dialect: "current", switches: { plan_limits: true } });
    const available_product_features = [{ key: "organizations_projects" }];
    space.emulator.edit("organization", ACME, { available_product_features });
    await space.configure({
      driftline: 1,
      organizations: { beta: { name: "Beta", enforce_2fa: true, lifecycle: { create: true } } },
    });
    await space.apply();
    expect(space.emulator.find("organization", ({ name }) => name === "Beta")).toMatchObject([{ enforce_2fa: true }]);
    expect(changed(await space.plan())).toEqual([]);
  });

  it("delete", async () => {
    const space = await today({ lifecycle: { state: "absent" } });
    await space.apply(["--confirm-organization", "Acme Inc"]);
    expect(changed(await space.plan())).toEqual([]);
  });

  it("delete with an active subscription (Cloud)", async () => {
    const space = await today(
      { lifecycle: { state: "absent" } },
      { switches: { cloud: true, active_subscription: true } },
    );
    const result = await space.run(["apply", "--yes", "--confirm-organization", "Acme Inc"]);
    expect([result.code === 0, result.stdout + result.stderr]).toEqual([
      false,
      expect.stringContaining("active subscription"),
    ]);
  });

  it("second delete", async () => {
    const space = await today({ lifecycle: { state: "absent" } });
    space.emulator.edit("organization", ACME, { is_pending_deletion: true });
    await space.apply();
    expect(writes(space)).toEqual([]);
  });

  it("any request while deactivated", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com" } } });
    space.emulator.edit("organization", ACME, { is_active: false, is_not_active_reason: "Unpaid." });
    const { code, stdout, stderr } = await space.run(["plan"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("Your organization has been deactivated. Unpaid.");
    expect(stdout + stderr).not.toContain("Give the API key the scope");
  });

  it("new: 14 further settings", async () => {
    const settings = {
      members_can_invite: null,
      members_can_create_projects: null,
      members_can_use_personal_api_keys: false,
      members_can_see_org_members: false,
      allow_publicly_shared_resources: false,
      read_only_mcp_access: null,
      is_ai_data_processing_approved: false,
      is_ai_training_opted_in: false,
      default_experiment_stats_method: "frequentist",
      default_anonymize_ips: true,
      default_role_id: "0190aa11-2b3c-4d5e-8f60-718293a4b5c7",
    };
    const space = await today(settings);
    await space.apply();
    expect(space.emulator.find("organization")).toMatchObject([settings]);
    expect(changed(await space.plan())).toEqual([]);
  });

  describe("new: enforce_verified_domains true with declared people, invites outside the domains", () => {
    const ENFORCED = { enforce_verified_domains: true };

    it("names the members who would be locked out, with one request, and is blocked", async () => {
      const space = await today(ENFORCED);
      verify(space, "example.com");
      const planned = await space.plan();
      expect(blocks(planned).map(({ rule }) => rule)).toEqual(["lock_out"]);
      for (const email of ["ada@acme.com", "bob@acme.com"]) expect(JSON.stringify(blocks(planned))).toContain(email);
      expect(planned.summary.blocked).toBe(1);
      expect(reads(space, MEMBERS)).toMatchObject([{ query: { outside_verified_domains: "true" } }]);
      await space.apply([], 13);
      expect(writes(space)).toEqual([]);
    });

    it("is allowed by its address", async () => {
      const space = await today(ENFORCED);
      verify(space, "example.com");
      await space.apply(["--allow-loss", "acme"]);
      expect(space.emulator.find("organization")).toMatchObject([ENFORCED]);
    });

    it("goes on if nobody is outside", async () => {
      const space = await today(ENFORCED);
      verify(space, "example.com", "acme.com");
      const planned = await space.plan();
      expect([blocks(planned), reads(space, MEMBERS).length]).toEqual([[], 1]);
      await space.apply();
      expect(changed(await space.plan())).toEqual([]);
    });

    it("names owners, and declared people who have not joined yet", async () => {
      const space = await today({
        ...ENFORCED,
        memberships: { "eve@other.com": { level: "member" }, "dan@acme.com": { level: "member" } },
      });
      verify(space, "acme.com");
      const block = JSON.stringify(blocks(await space.plan()));
      for (const text of ["eve@other.com", "(owner)"]) expect(block).toContain(text);
      expect(block).not.toContain("dan@acme.com");
    });

    it("does not lock out the key's own user", async () => {
      const space = await workspace({ dialect: "current" });
      const [owner] = space.emulator.find("member", ({ level }) => level === 15);
      const user = owner?.["user"];
      await space.configure({ ...acme(ENFORCED), service: { self: isObject(user) ? user["email"] : undefined } });
      expect(blocks(await space.plan()).map(({ rule }) => rule)).toEqual(["own_user"]);
    });

    it.each<[string, (space: Workspace) => void]>([
      [
        "the members may not be read",
        ({ emulator }) => void emulator.faults.add({ path: "/members", fault: { type: "status", status: 403 } }),
      ],
      [
        "the key sees a part of them",
        ({ emulator }) => {
          emulator.edit("organization", ACME, { members_can_see_org_members: false });
          const [owner] = emulator.find("member", ({ level }) => level === 15);
          emulator.edit("member", owner?.id ?? "", { level: 1 });
        },
      ],
    ])("is blocked if %s: unknown is not nobody", async (_name, limit) => {
      const space = await today(ENFORCED);
      verify(space, "example.com", "acme.com");
      limit(space);
      expect(blocks(await space.plan()).map(({ rule }) => rule)).toEqual(["lock_out"]);
    });

    it("is blocked in a new organization, which has no verified domain", async () => {
      const space = await workspace({ dialect: "current" });
      const beta = { name: "Beta", ...ENFORCED, lifecycle: { create: true } };
      await space.configure({ driftline: 1, organizations: { beta } });
      expect(blocks(await space.plan()).map(({ rule }) => rule)).toEqual(["lock_out"]);
    });
  });

  it("key of a user who is blocked", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com" } } });
    space.emulator.edit("organization", ACME, { enforce_verified_domains: true });
    const { code, stdout, stderr } = await space.run(["plan"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("verified email domain");
    expect(stdout + stderr).not.toContain("Give the API key the scope");
  });
});

describe("domains", () => {
  it("saml_entity_id, saml_acs_url, saml_x509_cert", async () => {
    const corp = { domain: "acme.com", saml_entity_id: "urn:a", saml_acs_url: "https://a.com", saml_x509_cert: "MIIB" };
    const space = await today({ domains: { corp } });
    verify(space, "acme.com");
    const planned = await space.plan();
    expect([changed(planned), codes(planned)]).toEqual([[], ["not_on_service", "not_on_service", "not_on_service"]]);
    for (const { hint } of planned.diagnostics) expect(hint).toContain("identity_provider_configs");
    expect((await space.drift()).code).toBe(0);
  });

  it("has_saml read", async () => {
    const space = await today({});
    verify(space, "acme.com");
    expect((await space.run(["export"])).stdout).not.toContain("saml");
  });

  it("jit_provisioning_enabled, sso_enforcement on create", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com", jit_provisioning_enabled: true } } });
    const result = await space.run(["apply", "--yes", "--format", "json"]);
    expect(result.stdout).toContain("_posthog-challenge.acme.com");
    const [made] = space.emulator.find("domain");
    space.emulator.edit("domain", made?.id ?? "", VERIFIED);
    await space.apply();
    expect(space.emulator.find("domain")).toMatchObject([{ jit_provisioning_enabled: true }]);
  });

  it("the same while unverified", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com", sso_enforcement: "saml" } } });
    space.emulator.insert("domain", { organization: ACME }, { domain: "acme.com" });
    expect(blocks(await space.plan()).map(({ rule }) => rule)).toEqual(["verification_required"]);
  });

  it("domain renamed", async () => {
    const renamed = { domain: "acme.org", lifecycle: { renamed_from: "acme.com" } };
    const space = await today({ domains: { corp: renamed } });
    verify(space, "acme.com");
    const planned = await space.plan();
    expect(changed(planned)).toMatchObject([{ action: "replace", address: "acme/domains/corp" }]);
    expect(codes(planned)).toEqual(["domain_verification_lost"]);
    await space.apply();
    expect(writes(space).map(({ method }) => method)).toEqual(["POST", "DELETE"]);
    await space.configure(acme({ domains: { corp: { domain: "acme.org" } } }));
    expect(changed(await space.plan())).toEqual([]);
  });

  it("create on Cloud without the feature", async () => {
    const switches = { cloud: true, plan_limits: true };
    const space = await today({ domains: { corp: { domain: "acme.com" } } }, { switches });
    const { code, stdout, stderr } = await space.run(["apply", "--yes"]);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("Automatic provisioning is not enabled");
    expect(stdout + stderr).not.toContain("Give the API key the scope");
  });

  it("delete of a verified domain under enforcement", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com", lifecycle: { state: "absent" } } } });
    verify(space, "acme.com", "example.com");
    space.emulator.edit("organization", ACME, { enforce_verified_domains: true });
    const { diagnostics } = await space.plan();
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["domain_lock_out", "warning"]]);
    expect(diagnostics[0]?.message).toMatch(/ada@acme\.com/u);
    expect(diagnostics[0]?.message).toMatch(/bob@acme\.com/u);
  });

  it("replace (delete, create)", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com", lifecycle: { state: "absent" } } } });
    space.emulator.insert("domain", { organization: ACME }, { id: CORP, domain: "acme.com" });
    for (const [name, ids] of [
      ["Okta", [CORP]],
      ["Entra", []],
    ] as const)
      space.emulator.insert(
        "identity_provider_config",
        { organization: ACME },
        { name, organization_domain_ids: [...ids] },
      );
    const { diagnostics } = await space.plan();
    expect(diagnostics).toMatchObject([{ code: "domain_in_use", message: expect.stringContaining("Okta") as string }]);
    expect(diagnostics[0]?.message).not.toContain("Entra");
    space.emulator.faults.add({ path: "/identity_provider_configs", fault: { type: "status", status: 403 } });
    expect((await space.plan()).diagnostics).toMatchObject([
      { code: "domain_in_use", message: expect.stringContaining("could not be read") as string },
    ]);
  });

  it("asks for nothing more if no domain is removed", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com" } } });
    await space.plan();
    expect([reads(space, CONFIGS), reads(space, MEMBERS)]).toEqual([[], []]);
  });
});
