/** What old declarations of domains and people do on today's service. A test is named by the row that it is about. */
import { describe, expect, it } from "vitest";
import { outcomesOf } from "../support/cli.ts";
import { ACME, acme, blocks, changed, codes, reads, today, VERIFIED, verify, writes } from "../support/today.ts";
import type { Workspace } from "../support/workspace.ts";

const CORP = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";
const CONFIGS = `/api/organizations/${ACME}/identity_provider_configs/`;
const MEMBERS = `/api/organizations/${ACME}/members/`;

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

  it("delete of a domain that decides how its people sign in", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com", lifecycle: { state: "absent" } } } });
    verify(space, "acme.com");
    const [made] = space.emulator.find("domain");
    space.emulator.edit("domain", made?.id ?? "", { jit_provisioning_enabled: true, sso_enforcement: "github" });
    const { diagnostics } = await space.plan();
    expect(diagnostics.map(({ code, severity }) => [code, severity])).toEqual([["domain_rules_lost", "warning"]]);
    expect(diagnostics[0]?.message).toMatch(/sso_enforcement, jit_provisioning_enabled/u);
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
    const declared = [
      { name: "Okta", lifecycle: { state: "absent" } },
      { name: "Okta", organization_domain_ids: [] },
    ];
    for (const okta of declared) {
      const corp = { domain: "acme.com", lifecycle: { state: "absent" } };
      await space.configure(acme({ domains: { corp }, identity_provider_configs: { okta } }));
      expect((await space.plan()).diagnostics).toEqual([]);
    }
    await space.configure(acme({ domains: { corp: { domain: "acme.com", lifecycle: { state: "absent" } } } }));
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

describe("invites and members", () => {
  const EVE = { organization: ACME };
  const eve = (level: string): object => ({ memberships: { "eve@acme.com": { level } } });

  it("address with a plus sign", async () => {
    expect(codes(await (await today({ memberships: { "eve+a@acme.com": { level: "member" } } })).plan())).toContain(
      "plus_address",
    );
  });

  it.each<[string, readonly string[]]>([
    ["eve@other.com", ["outside_verified_domains"]],
    ["eve@acme.com", []],
  ])("address outside enforced domains: %s", async (target_email, expected) => {
    const space = await today({ invites: { eve: { target_email } } });
    verify(space, "acme.com", "example.com");
    space.emulator.edit("organization", ACME, { enforce_verified_domains: true });
    expect(codes(await space.plan())).toEqual(expected);
  });

  it("invite twice", async () => {
    const twice = { invites: { a: { target_email: "eve@acme.com" }, b: { target_email: "Eve@acme.com" } } };
    const space = await today(twice);
    expect(codes(await space.plan())).toEqual(["duplicate_email"]);
    expect(space.emulator.requests).toEqual([]);
    // Whoever is invited already is not invited again.
    await space.configure(acme(eve("member")));
    space.emulator.insert("invite", EVE, { target_email: "eve@acme.com", level: 1 });
    await space.apply();
    expect(writes(space)).toEqual([]);
  });

  it("delete with a plain member's key", async () => {
    const space = await today({ invites: { eve: { target_email: "eve@acme.com", lifecycle: { state: "absent" } } } });
    space.emulator.insert("invite", EVE, { target_email: "eve@acme.com", level: 1 });
    const [owner] = space.emulator.find("member", ({ level }) => level === 15);
    space.emulator.edit("member", owner?.id ?? "", { level: 1 });
    const result = await space.run(["apply", "--yes", "--format", "json"]);
    const removed = outcomesOf(result).changes.find(({ kind }) => kind === "invite");
    expect([removed?.status, removed?.error?.hint]).toEqual(["failed", expect.stringContaining("admin")]);
    expect(space.emulator.find("invite")).toHaveLength(1);
  });

  it("member level", async () => {
    const space = await today({ members: { "bob@acme.com": { level: "admin" } } });
    await space.apply();
    expect(writes(space)).toMatchObject([{ method: "PATCH", body: { level: 8 } }]);
    expect(changed(await space.plan())).toEqual([]);
  });

  it("member order parameter other than joined_at", async () => {
    const people = Object.fromEntries(["zoe", "ada", "bob"].map((name) => [`${name}@acme.com`, { level: "member" }]));
    const space = await today({ exclusive: ["members"], memberships: people });
    const exported = await space.run(["export"]);
    expect(reads(space, MEMBERS).flatMap(({ query }) => Object.keys(query))).not.toContain("order");
    const names = [...exported.stdout.matchAll(/^ +(\w+@\w+\.com):/gmu)].map(([, name = ""]) => name);
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b)));
  });

  it("a delegated setup invite in the list", async () => {
    const space = await today(eve("member"));
    space.emulator.insert("invite", EVE, { target_email: "setup@acme.com", level: 8 });
    await space.apply();
    expect(changed(await space.plan())).toEqual([]);
    expect(space.emulator.find("invite")).toHaveLength(2);
  });

  describe.each(["invites", "memberships"])("a delegated setup invite in the list: of exclusive %s", (collection) => {
    const space = async (level: number, declared: object = {}): Promise<Workspace> => {
      // A prune that leaves nothing needs approval.
      const stays = { stays: { target_email: "stays@acme.com" } };
      const more = collection === "invites" ? { invites: { ...stays, ...declared } } : { invites: declared };
      const made = await today({ exclusive: [collection], ...more });
      if (collection === "invites") made.emulator.insert("invite", EVE, { target_email: "stays@acme.com", level: 1 });
      const { stdout } = await made.run(["export"]);
      const people = [...stdout.matchAll(/(\w+@\w+\.com):/gu)].map(([, email = ""]) => email);
      const members = Object.fromEntries(people.map((email) => [email, { lifecycle: { forget: true } }]));
      if (collection === "memberships")
        await made.configure(acme({ exclusive: [collection], memberships: members, ...more }));
      made.emulator.insert("invite", EVE, { target_email: "setup@acme.com", level });
      return made;
    };
    const isSetup = ({ target_email }: Readonly<Record<string, unknown>>): boolean => target_email === "setup@acme.com";
    const left = ({ emulator }: Workspace): number => emulator.find("invite", isSetup).length;

    it("is shown, and --prune leaves it", async () => {
      const there = await space(8);
      for (const args of [[], ["--prune"]]) {
        const { changes } = await there.plan(...args);
        expect(changed({ changes }).map(({ action, blocked }) => [action, blocked?.rule])).toEqual([
          ["delete", "delegated"],
        ]);
      }
      expect((await there.drift()).code).toBe(2);
      await there.apply(["--prune"], 13);
      expect(left(there)).toBe(1);
    });

    it("goes if it is declared absent", async () => {
      const setup = { target_email: "setup@acme.com", lifecycle: { state: "absent" } };
      const there = await space(8, { setup });
      await there.apply(["--prune"]);
      expect(left(there)).toBe(0);
    });
  });

  it("upper-case address", async () => {
    const space = await today({ memberships: { "Eve@Acme.com": { level: "member" } } });
    await space.apply();
    expect(changed(await space.plan())).toEqual([]);
    expect(writes(space)).toHaveLength(1);
  });

  it("invite create", async () => {
    const space = await today(eve("member"));
    expect(changed(await space.plan())[0]?.reason).toContain("sends an e-mail");
    await space.apply();
    expect(space.emulator.find("invite")).toMatchObject([{ emailing_attempt_made: true }]);
  });

  it.each<[string, object]>([
    ["a membership", eve("admin")],
    ["an invite", { invites: { eve: { target_email: "eve@acme.com", level: "admin" } } }],
  ])(
    "private_project_access on the live invite: a replace of %s for its level keeps it, and sends no e-mail",
    async (_name, declared) => {
      const space = await today(declared);
      const invite = { target_email: "eve@acme.com", level: 1, message: "Welcome", emailing_attempt_made: true };
      space.emulator.insert("invite", EVE, { ...invite, private_project_access: [{ id: 2, level: "member" }] });
      const [change] = changed(await space.plan());
      expect([change?.action, change?.reason]).toEqual(["replace", expect.stringContaining("sends no e-mail")]);
      await space.apply();
      expect(writes(space)).toMatchObject([{ method: "DELETE" }, { method: "POST", body: { send_email: false } }]);
      expect(space.emulator.find("invite")).toMatchObject([
        // private_project_access on the live invite
        {
          level: 8,
          message: "Welcome",
          private_project_access: [{ id: 2, level: "member" }],
          emailing_attempt_made: false,
        },
      ]);
      expect(changed(await space.plan())).toEqual([]);
    },
  );

  it.each([
    ["null", null],
    ["an empty list", []],
  ])("an invite to no private project, declared as %s, is what the service shows", async (_name, none) => {
    const declared = { target_email: "eve@acme.com", level: "admin", private_project_access: none };
    const space = await today({ invites: { eve: declared } });
    await space.apply();
    expect(changed(await space.plan())).toEqual([]);
    expect(writes(space)).toHaveLength(1);
  });
});
