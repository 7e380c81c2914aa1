/** What old declarations of organizations do on today's service. A test is named by the row that it is about. */
import { describe, expect, it } from "vitest";
import { isObject } from "../../src/emulator/json.ts";
import { outcomesOf } from "../support/cli.ts";
import { ACME, acme, blocks, changed, codes, reads, today, verify, writes } from "../support/today.ts";
import { workspace } from "../support/workspace.ts";

const MEMBERS = `/api/organizations/${ACME}/members/`;

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
    const args = ["--confirm-organization", "Acme Inc"];
    expect(codes(await space.plan())).toEqual(["subscription_blocks_delete"]);
    expect(space.emulator.requests.map(({ path }) => path)).toEqual(["/api/organizations/"]);
    const result = await space.run(["apply", "--yes", ...args]);
    expect(result.code).not.toBe(0);
    expect(result.stdout).toContain("subscription_blocks_delete");
    expect(result.stdout + result.stderr).toContain("Please cancel your subscription first");
  });

  it("delete with an active subscription: nothing is said where no service asks, or nothing is deleted", async () => {
    const space = await workspace({ dialect: "deployed" });
    await space.configure(acme({ lifecycle: { state: "absent" } }));
    expect(codes(await space.plan())).toEqual([]);
    expect(codes(await (await today({ members_can_invite: false })).plan())).toEqual([]);
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
      const { code, document } = await space.drift();
      expect([code, blocks(document)]).toEqual([2, blocks(planned)]);
      expect(writes(space)).toEqual([]);
    });

    it("goes on if nobody is outside", async () => {
      const space = await today(ENFORCED);
      verify(space, "example.com", "acme.com");
      const planned = await space.plan();
      expect([blocks(planned), reads(space, MEMBERS).length]).toEqual([[], 1]);
      await space.apply();
      expect(changed(await space.plan())).toEqual([]);
    });

    it("does not lock out the key's own user", async () => {
      const space = await workspace({ dialect: "current" });
      const [owner] = space.emulator.find("member", ({ level }) => level === 15);
      const user = owner?.["user"];
      await space.configure({ ...acme(ENFORCED), service: { self: isObject(user) ? user["email"] : undefined } });
      expect(blocks(await space.plan()).map(({ rule }) => rule)).toEqual(["own_user"]);
    });
  });

  it("key of a plain member, members_can_see_org_members false", async () => {
    const declared = {
      exclusive: ["members"],
      memberships: { "ada@acme.com": { level: "admin" }, "eve@acme.com": { level: "member" } },
      members: { "bob@acme.com": { level: "member" } },
    };
    const space = await workspace({ dialect: "current" });
    // By its id alone: the organization is read nevertheless, to see how much the key is shown.
    await space.configure({ driftline: 1, organizations: { acme: { id: ACME, ...declared } } });
    space.emulator.edit("organization", ACME, { members_can_see_org_members: false });
    const [owner] = space.emulator.find("member", ({ level }) => level === 15);
    space.emulator.edit("member", owner?.id ?? "", { level: 1 });
    const planned = await space.plan("--prune");
    expect(changed(planned).map(({ action }) => action)).toEqual(["unknown", "unknown", "unknown"]);
    expect(codes(planned)).toContain("partial_list");
    expect((await space.run(["apply", "--yes", "--prune"])).code).not.toBe(0);
    expect(writes(space)).toEqual([]);
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
