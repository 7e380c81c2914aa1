/** What keeps people out waits for what lets them in: a provider for the people of a domain, before the domain asks for it. */
import { describe, expect, it } from "vitest";
import { outcomesOf } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { ACME, acme, blocks, today, VERIFIED, writes } from "../support/today.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const CORP = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";
const PROVIDER = "0190aa11-2b3c-4d5e-8f60-718293a4b5c7";
const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
const OKTA = { name: "Okta", config_scope: "saml", domain_scope: "all", saml_x509_cert: CERTIFICATE };
const CONFIGS = "/identity_provider_configs/";

const enforcing = { corp: { domain: "acme.com", sso_enforcement: "saml" } };
const declaring = (okta: object): object => ({ domains: enforcing, identity_provider_configs: { okta } });

/** An organization of today with a verified domain. */
async function verified(declared: object, domain: object = {}): Promise<Workspace> {
  const space = await today(declared);
  space.emulator.insert("domain", { organization: ACME }, { id: CORP, domain: "acme.com", ...VERIFIED, ...domain });
  return space;
}

const insertProvider = ({ emulator }: Workspace, more: object = {}): unknown =>
  emulator.insert("identity_provider_config", { organization: ACME }, { id: PROVIDER, ...OKTA, ...more });

const rules = async ({ plan }: Workspace, ...args: readonly string[]): Promise<readonly string[]> =>
  blocks(await plan(...args)).map(({ rule }) => rule);

const enforced = ({ emulator }: Workspace): readonly unknown[] =>
  emulator.find("domain").map(({ sso_enforcement }) => sso_enforcement);

describe("a domain that starts to enforce SAML on today's service", () => {
  it("does so after its provider was created", async () => {
    const space = await verified(declaring(OKTA));
    space.emulator.faults.add({ path: CONFIGS, fault: { type: "delay-before", ms: 50 } });
    await space.apply();
    expect(writes(space).map(({ method, path }) => [method, path.split("/")[4]])).toEqual([
      ["POST", "identity_provider_configs"],
      ["PATCH", "domains"],
    ]);
  });

  it("does so after its provider was completed", async () => {
    const space = await verified(declaring(OKTA));
    insertProvider(space, { saml_x509_cert: null });
    space.emulator.faults.add({ path: CONFIGS, fault: { type: "delay-before", ms: 50 } });
    await space.apply();
    expect(writes(space).map(({ path }) => path.split("/")[4])).toEqual(["identity_provider_configs", "domains"]);
  });

  it.each([400, 403])("is skipped if its provider fails with %i", async (status) => {
    const space = await verified(declaring(OKTA));
    space.emulator.faults.add({ method: "POST", path: CONFIGS, fault: { type: "status", status } });
    const { code, stdout } = await space.run(["apply", "--yes", "--format", "json"]);
    expect(code).not.toBe(0);
    const domain = outcomesOf({ code, stdout, stderr: "" }).changes.find(({ kind }) => kind === "domain");
    expect(domain).toMatchObject({ status: "skipped", error: { code: "provider_failed" } });
    expect(enforced(space)).toEqual([""]);
  });

  it.each<[string, object | undefined]>([
    ["is none", undefined],
    ["has no certificate", { saml_x509_cert: null }],
    ["has an empty certificate", { saml_x509_cert: " " }],
    ["is for SCIM", { config_scope: "scim" }],
    ["is for nothing", { config_scope: null }],
    ["names no domain", { domain_scope: "selected" }],
    ["names another domain", { domain_scope: null, organization_domain_ids: [PROVIDER] }],
  ])("locks out if its provider %s", async (_name, more) => {
    const space = await verified({ domains: enforcing });
    if (more !== undefined) insertProvider(space, more);
    expect(await rules(space)).toEqual(["lock_out"]);
    await space.apply([], 13);
    expect(enforced(space)).toEqual([""]);
    await space.apply(["--allow-loss", "acme/domains/corp"]);
    expect(enforced(space)).toEqual(["saml"]);
  });

  it.each<[string, object]>([
    ["is for all domains", {}],
    ["names it", { domain_scope: "selected", organization_domain_ids: [CORP.toUpperCase()] }],
    ["names it without a scope", { domain_scope: null, organization_domain_ids: [CORP] }],
  ])("goes on if its provider %s", async (_name, more) => {
    const space = await verified({ domains: enforcing });
    insertProvider(space, more);
    await space.apply();
    expect(enforced(space)).toEqual(["saml"]);
  });

  it("locks out if its provider is declared and not part of the plan, is to go, or is refused", async () => {
    const space = await verified(declaring(OKTA));
    expect(await rules(space, "--only", "acme/domains/corp")).toEqual(["lock_out"]);
    insertProvider(space);
    await space.configure(acme(declaring({ ...OKTA, lifecycle: { state: "absent" } })));
    expect(await rules(space)).toContain("lock_out");
    await space.configure(acme(declaring({ ...OKTA, saml_x509_cert: null })));
    expect(await rules(space)).toContain("lock_out");
  });

  it("locks out if the list of providers could not be read, with that reason", async () => {
    const space = await verified({ domains: enforcing });
    insertProvider(space);
    space.emulator.faults.add({ method: "GET", path: CONFIGS, fault: { type: "status", status: 403 } });
    const [block] = blocks(await space.plan());
    expect(block).toMatchObject({ rule: "lock_out", lift: expect.stringMatching(/403|permission|access/iu) as string });
  });

  it("says whom it would lock out, if the plan reads people anyway", async () => {
    const people = { memberships: { "owner@example.com": { level: "owner" } } };
    const space = await verified({ domains: enforcing, ...people });
    space.emulator.insert("member", { organization: ACME }, { email: "ada@acme.com" });
    const detail = async (): Promise<string | undefined> => blocks(await space.plan())[0]?.detail;
    expect(await detail()).toContain("ada@acme.com");
    await space.configure(acme({ domains: enforcing }));
    expect(await detail()).toBeUndefined();
  });

  it("says whom it reaches only of people whom the plan reads anyway", async () => {
    const domains = { corp: { domain: "acme.com", sso_enforcement: "google-oauth2" } };
    const space = await verified({ domains, memberships: { "owner@example.com": { level: "owner" } } });
    space.emulator.insert("member", { organization: ACME }, { email: "ada@acme.com" });
    const of = async (): Promise<readonly string[]> => (await space.plan()).diagnostics.map(({ code }) => code);
    expect(await of()).toContain("sign_in_enforced");
    expect(space.emulator.requests.filter(({ path }) => path.includes("/members/")).length).toBe(1);
    await space.configure(acme({ domains }));
    expect(await of()).toEqual([]);
    expect(space.emulator.requests.filter(({ path }) => path.includes("/members/")).length).toBe(1);
  });

  it("asks for no provider if it enforces something else, or enforces SAML already", async () => {
    const space = await verified({ domains: { corp: { domain: "acme.com", sso_enforcement: "google-oauth2" } } });
    expect(await rules(space)).toEqual([]);
    const other = await verified(
      { domains: { corp: { domain: "acme.com", sso_enforcement: "saml", jit_provisioning_enabled: true } } },
      { sso_enforcement: "saml" },
    );
    expect(await rules(other)).toEqual([]);
    for (const { emulator } of [space, other])
      expect(emulator.requests.filter(({ path }) => path.includes(CONFIGS))).toEqual([]);
  });
});

describe("a provider of a domain that enforces SAML", () => {
  const LIVE = { sso_enforcement: "saml" };

  it.each<[string, object]>([
    ["is deleted", { lifecycle: { state: "absent" } }],
    ["loses its certificate", { saml_x509_cert: null }],
    ["is for other domains from now on", { domain_scope: "selected" }],
  ])("locks out if it %s", async (_name, more) => {
    const space = await verified({ identity_provider_configs: { okta: { ...OKTA, ...more } } }, LIVE);
    insertProvider(space);
    expect(await rules(space)).toEqual(["lock_out"]);
  });

  it("may go with the enforcement, or if another one is there", async () => {
    const gone = { identity_provider_configs: { okta: { ...OKTA, lifecycle: { state: "absent" } } } };
    const space = await verified({ ...gone, domains: { corp: { domain: "acme.com", sso_enforcement: "" } } }, LIVE);
    insertProvider(space);
    expect(await rules(space)).toEqual([]);
    await space.apply();
    expect(writes(space).map(({ method }) => method)).toEqual(["PATCH", "DELETE"]);
    const other = await verified(gone, LIVE);
    insertProvider(other);
    insertProvider(other, { id: CORP, name: "Entra" });
    expect(await rules(other)).toEqual([]);
  });
});

const SAML = { saml_entity_id: "urn:acme", saml_acs_url: "https://idp.acme.com", saml_x509_cert: CERTIFICATE };

describeDialects("a domain with SAML settings of its own", () => {
  const space = async (declared: object, live: object = {}): Promise<Workspace> => {
    const made = await workspace();
    made.emulator.insert("domain", { organization: ACME }, { id: CORP, domain: "acme.com", ...VERIFIED, ...live });
    await made.configure(acme({ domains: { corp: { domain: "acme.com", sso_enforcement: "saml", ...declared } } }));
    return made;
  };

  it.each<[string, object, object]>([
    ["live", {}, SAML],
    ["declared", SAML, {}],
    ["in part live, in part declared", { saml_entity_id: "urn:acme" }, { ...SAML, saml_entity_id: "" }],
  ])("may enforce them if they are %s", async (_name, declared, live) => {
    const made = await space(declared, live);
    await made.apply();
    expect(enforced(made)).toEqual(["saml"]);
  });

  it.each<[string, object, object]>([
    ["there are none", {}, {}],
    ["one is missing", {}, { ...SAML, saml_acs_url: null }],
    ["one is taken away", { saml_x509_cert: "" }, SAML],
    ["one is taken away while they are enforced", { saml_x509_cert: "" }, { ...SAML, sso_enforcement: "saml" }],
  ])("locks out if %s", async (_name, declared, live) => {
    expect(await rules(await space(declared, live))).toEqual(["lock_out"]);
  });
});

describe.each(["deployed", "current"] as const)("the first apply of a domain with single sign-on (%s)", (dialect) => {
  const SIGN_ON = { domains: { corp: { domain: "acme.com", sso_enforcement: "google-oauth2" } } };

  it("is announced, waits for the verification without a refusal, and goes on after it", async () => {
    const space = await workspace({ dialect });
    await space.configure(acme(SIGN_ON));
    const planned = await space.plan();
    expect([planned.diagnostics.map(({ code }) => code), blocks(planned)]).toEqual([["verification_to_come"], []]);
    const created = (await space.apply([], 14)).changes.find(({ kind }) => kind === "domain");
    expect(created).toMatchObject({ status: "unverified", error: { code: "verification_required" } });
    const id = String(space.emulator.find("domain")[0]?.id);
    const verifying = ["driftline", "call", "--yes", "domains.verify", `organization_id=${ACME}`, `id=${id}`];
    expect(created?.error?.hint).toContain(verifying.join(" "));
    const codes = [["plan"], ["plan", "--detailed-exitcode"], ["drift"], ["apply", "--yes"]];
    expect(await Promise.all(codes.map(async (args) => (await space.run(args)).code))).toEqual([0, 2, 2, 14]);
    expect(writes(space).map(({ method }) => method)).toEqual(["POST"]);
    expect((await space.run(verifying.slice(1))).code).toBe(2);
    space.emulator.edit("domain", id, VERIFIED);
    expect((await space.run(verifying.slice(1))).code).toBe(0);
    await space.apply();
    expect(enforced(space)).toEqual(["google-oauth2"]);
  });

  it("is not announced if nothing waits", async () => {
    const space = await workspace({ dialect });
    await space.configure(acme({ domains: { corp: { domain: "acme.com", sso_enforcement: "" } } }));
    expect((await space.plan()).diagnostics).toEqual([]);
    await space.apply();
  });

  it("names the way if the key may not verify", async () => {
    const keys = [{ key: "scoped", scopes: ["*"] }];
    const space = await workspace({ dialect, keys });
    space.emulator.insert("domain", { organization: ACME }, { id: CORP, domain: "acme.com" });
    const call = ["call", "--yes", "domains.verify", `organization_id=${ACME}`, `id=${CORP}`];
    const { code, stderr } = await space.run(call, { env: { DRIFTLINE_API_KEY: "scoped" } });
    expect([code, stderr]).toEqual([11, expect.stringMatching(/web interface.*no scopes/u)]);
  });
});
