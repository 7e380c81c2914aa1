/** Resources name each other: what a name stands for, when it is written, and what it is compared with. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { outcomesOf } from "../support/cli.ts";
import type { EmulatorOptions, Seed } from "../../src/emulator/index.ts";
import { ACME, acme, blocks, changed, codes, today, VERIFIED, writes } from "../support/today.ts";
import type { Workspace } from "../support/workspace.ts";

const CORP = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";
const LABS = "0190aa11-2b3c-4d5e-8f60-718293a4b5c8";
const DOMAINS = "/domains/";
const CONFIGS = "/identity_provider_configs/";

const provider = (ids: readonly unknown[], more: object = {}): object => ({
  identity_provider_configs: { okta: { name: "Okta", organization_domain_ids: ids, ...more } },
});
const CORP_DOMAIN = { domains: { corp: { domain: "acme.com" } } };

const insertDomain = ({ emulator }: Workspace, id = CORP, more: object = {}): unknown =>
  emulator.insert("domain", { organization: ACME }, { id, domain: "acme.com", ...VERIFIED, ...more });

const domainIds = ({ emulator }: Workspace): unknown =>
  emulator.find("identity_provider_config").map(({ organization_domain_ids: ids }) => ids);

const written = (space: Workspace): readonly unknown[] =>
  writes(space).map(({ method, path }) => [method, path.split("/")[4]]);

describe("a provider that names a domain", () => {
  it.each(["corp", "acme.com", "ACME.com"])("that is declared and live, as %s", async (name) => {
    const space = await today({ ...CORP_DOMAIN, ...provider([name]) });
    insertDomain(space);
    const plan = await space.plan();
    expect(changed(plan)).toMatchObject([
      { action: "create", references: [{ path: "/organization_domain_ids/0", name, id: CORP }] },
    ]);
    await space.apply();
    expect(domainIds(space)).toEqual([[CORP]]);
    expect(changed(await space.plan())).toEqual([]);
  });

  it("that is live only", async () => {
    const space = await today(provider(["acme.com"]));
    insertDomain(space);
    await space.apply();
    expect(domainIds(space)).toEqual([[CORP]]);
    expect(changed(await space.plan())).toEqual([]);
  });

  it.each(["corp", "acme.com"])("that is made in the same run, as %s", async (name) => {
    const space = await today({ ...CORP_DOMAIN, ...provider([name]) });
    space.emulator.faults.add({ method: "POST", path: DOMAINS, fault: { type: "delay-before", ms: 50 } });
    const okta = (await space.plan()).changes.find(({ kind }) => kind === "identity_provider_config");
    expect(okta?.references).toEqual([{ path: "/organization_domain_ids/0", name, id: null }]);
    expect(okta?.fields).toContainEqual({ path: "/organization_domain_ids", prior: null, planned: [name] });
    await space.apply();
    expect(written(space)).toEqual([
      ["POST", "domains"],
      ["POST", "identity_provider_configs"],
    ]);
    expect(domainIds(space)).toEqual([space.emulator.find("domain").map(({ id }) => id)]);
    expect(changed(await space.plan())).toEqual([]);
  });

  it.each([
    ["two names", ["corp", "acme.com"]],
    ["a name and an id", [CORP, "corp"]],
  ])("twice, by %s, is refused", async (_case, names) => {
    const space = await today({ ...CORP_DOMAIN, ...provider(names) });
    insertDomain(space);
    expect(codes(await space.plan())).toContain("duplicate_item");
    await space.apply([], 1);
    expect(writes(space)).toEqual([]);
  });

  it("that is replaced, as another one is", { timeout: 5_000 }, async () => {
    const domains = { corp: { id: CORP, domain: "acme.com" }, labs: { id: LABS, domain: "labs.com" } };
    const entra = { name: "Entra", organization_domain_ids: ["labs"] };
    const { identity_provider_configs: okta } = provider(["corp"]) as { identity_provider_configs: object };
    const space = await today({ domains, identity_provider_configs: { ...okta, entra } });
    insertDomain(space, CORP, { domain: "acme.example" });
    insertDomain(space, LABS, { domain: "labs.example" });
    await space.apply();
    const ids = space.emulator.find("domain").map(({ id }) => [id]);
    expect(new Set(domainIds(space) as unknown[])).toEqual(new Set(ids));
    expect(ids).toHaveLength(2);
    expect(changed(await space.plan())).toEqual([]);
  });

  it("that is replaced does not enforce SAML before it is named", async () => {
    const saml = { config_scope: "saml", saml_x509_cert: "MIIB" };
    const declared = (corp: object): object => ({
      domains: { corp: { id: CORP, domain: "acme.com", ...corp } },
      ...provider(["corp"], saml),
    });
    const enforcing = { sso_enforcement: "saml" };
    const space = await today(declared(enforcing));
    insertDomain(space, CORP, { domain: "acme.example", ...enforcing });
    expect(blocks(await space.plan())).toMatchObject([{ rule: "lock_out" }]);
    await space.configure(acme(declared({ sso_enforcement: "" })));
    await space.apply();
    const [{ id = "" } = {}] = space.emulator.find("domain") as { id?: string }[];
    space.emulator.edit("domain", id, VERIFIED);
    await space.configure(acme(declared({ ...enforcing, id })));
    await space.apply();
    expect(changed(await space.plan())).toEqual([]);
  });

  it("that is replaced has its own DNS record in what to do", async () => {
    const space = await today({ domains: { corp: { id: CORP, domain: "acme.com", sso_enforcement: "github" } } });
    insertDomain(space, CORP, { domain: "acme.example" });
    const { changes } = await space.apply([], 14);
    const [made] = space.emulator.find("domain", ({ domain }) => domain === "acme.com");
    expect(changes.at(-1)?.error?.hint).toContain(`_posthog-challenge.acme.com`);
    expect(changes.at(-1)?.error?.hint).toContain(`id=${String(made?.id)}`);
  });

  it("that fails is skipped", async () => {
    const space = await today({ ...CORP_DOMAIN, ...provider(["corp"]) });
    space.emulator.faults.add({ method: "POST", path: DOMAINS, fault: { type: "status", status: 400 } });
    const { code, stdout } = await space.run(["apply", "--yes", "--format", "json"]);
    expect(code).not.toBe(0);
    const okta = outcomesOf({ code, stdout, stderr: "" }).changes.find(
      ({ kind }) => kind !== "domain" && kind !== "organization",
    );
    expect(okta).toMatchObject({ status: "skipped", error: { code: "reference_failed" } });
    expect(domainIds(space)).toEqual([]);
  });

  it("that nothing has is refused, with the near one", async () => {
    const space = await today({ ...CORP_DOMAIN, ...provider(["crop"]) });
    insertDomain(space);
    const { code } = await space.run(["plan"]);
    expect(code).toBe(1);
  });
});

describe("a name that stands for nothing, or for more than one", () => {
  const errors = async (space: Workspace, command = "validate"): Promise<readonly unknown[]> => {
    const { stdout, stderr } = await space.run([command, "--format", "json"]);
    const { diagnostics } = JSON.parse(stdout || stderr) as {
      diagnostics: { code: string; hint?: string; severity: string }[];
    };
    return diagnostics.map(({ code, severity }) => [severity, code]);
  };

  it.each<[string, object, readonly unknown[]]>([
    [
      "that is the key of one and the name of another",
      { domains: { "acme.com": { domain: "labs.com" }, corp: { domain: "acme.com" } }, ...provider(["acme.com"]) },
      [["error", "ambiguous_reference"]],
    ],
    [
      "that has the form of an id",
      { domains: { [LABS]: { domain: "labs.com" } }, ...provider([LABS]) },
      [["error", "ambiguous_reference"]],
    ],
    [
      "that has the form of its own id",
      { domains: { [LABS]: { id: LABS, domain: "labs.com" } }, ...provider([LABS]) },
      [],
    ],
    [
      "of what is to go",
      { domains: { corp: { domain: "acme.com", lifecycle: { state: "absent" } } }, ...provider(["corp"]) },
      [["error", "absent_reference"]],
    ],
    ["that is not declared", { ...CORP_DOMAIN, ...provider(["crop"]) }, [["warning", "undeclared_reference"]]],
    [
      "of a project that is not declared",
      {
        invites: {
          carol: { target_email: "carol@labs.com", private_project_access: [{ id: "Webb", level: "member" }] },
        },
      },
      [["warning", "undeclared_reference"]],
    ],
  ])("%s", async (_name, declared, found) => {
    expect(await errors(await today(declared))).toEqual(found);
  });

  it("is no object of the service", async () => {
    const space = await today({ ...CORP_DOMAIN, ...provider(["crop"]) });
    insertDomain(space);
    expect(await errors(space, "plan")).toEqual([["error", "unknown_reference"]]);
  });

  it("is answered by validation with what is declared", async () => {
    const { stderr } = await (await today({ ...CORP_DOMAIN, ...provider(["somewhere.org"]) })).run(["validate"]);
    expect(stderr).toMatch(/corp or acme\.com/u);
  });

  it("is the key of a declared one and the name of a live one", async () => {
    const space = await today({ domains: { "acme.com": { domain: "labs.com" } }, ...provider(["acme.com"]) });
    insertDomain(space);
    expect(await errors(space, "plan")).toEqual([["error", "ambiguous_reference"]]);
  });
});

describe("an invite that names projects", () => {
  const invite = (id: unknown, more: object = {}): object => ({
    invites: { carol: { target_email: "carol@labs.com", private_project_access: [{ id, level: "member" }] } },
    ...more,
  });
  const access = ({ emulator }: Workspace): unknown =>
    emulator.find("invite").map(({ private_project_access: projects }) => projects);

  it.each<[string, unknown, object]>([
    ["its number", 2, {}],
    ["its number as a text", "2", {}],
    ["its live name", "Web", {}],
    ["its key", "web", { projects: { web: { name: "Web" } } }],
    ["its declared name", "Web", { projects: { web: { name: "Web" } } }],
    ["its key beside an id", "web", { projects: { web: { id: "2" } } }],
    ["its live name beside an id", "Web", { projects: { web: { id: "2" } } }],
    ["its live name beside an id and another name", "Web", { projects: { web: { id: "2", name: "Old" } } }],
    ["its declared name beside an id", "Old", { projects: { web: { id: "2", name: "Old" } } }],
  ])("by %s", async (_name, id, more) => {
    const space = await today(invite(id, more));
    await space.apply();
    expect(access(space)).toEqual([[{ id: 2, level: "member" }]]);
    expect(changed(await space.plan())).toEqual([]);
  });

  const seedOf = (...projects: readonly object[]): EmulatorOptions => ({
    seed: { organizations: [{ id: ACME, name: "Acme Inc", projects }] } as Seed,
  });

  it("with blanks around their names", async () => {
    const space = await today(invite("Web"), seedOf({ id: 2, name: " Web " }));
    await space.apply();
    expect(access(space)).toEqual([[{ id: 2, level: "member" }]]);
    await space.run(["export", "--out", "out", "--no-ids"]);
    expect((await space.run(["validate", "out"])).stdout).not.toContain("undeclared_reference");
  });

  it.each<[string, readonly object[]]>([
    ["no project", [{ id: 2, name: "2024" }]],
    [
      "another project",
      [
        { id: 2, name: "2024" },
        { id: 2024, name: "Web" },
      ],
    ],
  ])("with a name that is also the id of %s", async (_name, projects) => {
    const space = await today(invite("2024"), seedOf(...projects));
    expect(codes(await space.plan())).toEqual(["ambiguous_reference"]);
    const declared = { projects: { year: { id: "2" } } };
    await space.configure(acme(invite("year", declared)));
    await space.apply();
    expect(access(space)).toEqual([[{ id: 2, level: "member" }]]);
  });

  it("that are two with one name", async () => {
    const space = await today(invite("Web"), seedOf({ id: 2, name: "Web" }, { id: 3, name: "Web" }));
    const { code, stdout } = await space.run(["plan", "--format", "json"]);
    expect([code, codes(JSON.parse(stdout) as never)]).toEqual([1, ["ambiguous_reference"]]);
  });

  it("shows ids in the place of a name that two have", async () => {
    const space = await today(
      invite(4),
      seedOf({ id: 2, name: "Web" }, { id: 3, name: "Web" }, { id: 4, name: "Shop" }, { id: 5, name: "6" }),
    );
    const projects = [2, 3, 4, 5].map((id) => ({ id, level: "member" }));
    space.emulator.insert(
      "invite",
      { organization: ACME },
      { target_email: "carol@labs.com", private_project_access: projects },
    );
    const [change] = changed((await space.drift()).document);
    expect(change?.fields[0]?.prior).toEqual([2, 3, "Shop", 5].map((id) => ({ id, level: "member" })));
  });

  it("shows them by name in a drift", async () => {
    const space = await today(invite("Web"), seedOf({ id: 2, name: "Web" }, { id: 3, name: "Shop" }));
    await space.apply();
    const [{ id = "" } = {}] = space.emulator.find("invite") as { id?: string }[];
    space.emulator.edit("invite", id, { private_project_access: [{ id: 3, level: "member" }] });
    const { document } = await space.drift();
    expect(document.changes.flatMap(({ fields }) => fields)).toEqual([
      {
        path: "/private_project_access",
        prior: [{ id: "Shop", level: "member" }],
        planned: [{ id: "Web", level: "member" }],
      },
    ]);
  });
});

describe("a report", () => {
  const insertOkta = ({ emulator }: Workspace): unknown =>
    emulator.insert(
      "identity_provider_config",
      { organization: ACME },
      { name: "Okta", organization_domain_ids: [CORP] },
    );

  it("shows undeclared values by name", async () => {
    const space = await today({});
    await space.configure({
      ...acme({ ...CORP_DOMAIN, identity_provider_configs: { okta: { name: "Okta" } } }),
      undeclared: "report",
    });
    insertDomain(space);
    insertOkta(space);
    const { document } = await space.drift("--only", "acme/identity_provider_configs");
    expect(document.changes.flatMap(({ fields }) => fields)).toMatchObject([{ prior: ["acme.com"], planned: null }]);
  });

  it("shows what a removal takes away by name", async () => {
    const okta = { name: "Okta", lifecycle: { state: "absent" } };
    const space = await today({ ...CORP_DOMAIN, identity_provider_configs: { okta } });
    insertDomain(space);
    insertOkta(space);
    expect(changed(await space.plan())[0]?.removes).toContainEqual({
      path: "/organization_domain_ids",
      value: ["acme.com"],
    });
  });
});

describe("a removal", () => {
  it("of a provider comes before that of the domain that it names, and keeps that one if it fails", async () => {
    const gone = { lifecycle: { state: "absent" } };
    const space = await today({
      domains: { corp: { domain: "acme.com", ...gone } },
      identity_provider_configs: { okta: { name: "Okta", ...gone } },
    });
    insertDomain(space);
    space.emulator.insert(
      "identity_provider_config",
      { organization: ACME },
      { name: "Okta", organization_domain_ids: [CORP] },
    );
    const failing = space.emulator.faults.add({
      method: "DELETE",
      path: CONFIGS,
      fault: { type: "status", status: 400 },
    });
    expect((await space.run(["apply", "--yes"])).code).not.toBe(0);
    expect(written(space)).toEqual([["DELETE", "identity_provider_configs"]]);
    failing.remove();
    await space.apply();
    expect(written(space).at(-1)).toEqual(["DELETE", "domains"]);
  });
});

describe("what is written into files", () => {
  const insertOkta = ({ emulator }: Workspace, ids: readonly string[], name = "Okta"): unknown =>
    emulator.insert("identity_provider_config", { organization: ACME }, { name, organization_domain_ids: ids });
  const file = (space: Workspace, name = "driftline.yaml"): Promise<string> =>
    readFile(join(space.folder, name), "utf8");
  const BOTH = { domains: { corp: { domain: "acme.com" }, labs: { domain: "labs.com" } } };
  const insertBoth = (space: Workspace): void => {
    insertDomain(space);
    insertDomain(space, LABS, { domain: "labs.com" });
  };
  const OTHER = "0190aa11-2b3c-4d5e-8f60-718293a4b5d0";

  it("by drift --accept is what the file says already, then names of what is declared, then ids", async () => {
    const space = await today({ ...BOTH, ...provider(["corp"]) });
    insertBoth(space);
    insertDomain(space, OTHER, { domain: "other.com" });
    insertOkta(space, [OTHER, LABS, CORP]);
    const { document } = await space.drift();
    expect(changed(document)[0]?.fields[0]?.prior).toEqual(["corp", "labs.com", "other.com"]);
    await space.run(["drift", "--accept", "--yes"]);
    expect(parse(await file(space))).toMatchObject({
      organizations: {
        acme: { identity_provider_configs: { okta: { organization_domain_ids: ["corp", OTHER, "labs.com"] } } },
      },
    });
    expect((await space.drift()).code).toBe(0);
  });

  it("by import are names of what is declared or imported", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com" } } });
    insertBoth(space);
    insertOkta(space, [LABS, CORP]);
    await space.run(["import", "--all", "--yes"]);
    expect(await file(space)).toContain("organization_domain_ids: [acme.com, labs.com]");
    expect(changed(await space.plan())).toEqual([]);
  });

  it("by a run that is limited to them are the same", async () => {
    const only = ["--only", "acme/identity_provider_configs"];
    const space = await today(BOTH);
    insertBoth(space);
    insertOkta(space, [LABS, CORP]);
    await space.run(["import", "--yes", ...only]);
    expect(await file(space)).toContain("organization_domain_ids: [acme.com, labs.com]");
    await space.configure(acme({ ...BOTH, ...provider([CORP]) }));
    await space.run(["drift", "--accept", "--yes", ...only]);
    expect(await file(space)).toMatch(/organization_domain_ids:\s+- acme.com\s+- labs.com/u);
  });

  it.each([[[]], [["--no-ids"]]])("by export are names (%j)", async (options) => {
    const space = await today({});
    insertBoth(space);
    insertOkta(space, [LABS, CORP]);
    space.emulator.insert(
      "invite",
      { organization: ACME },
      { target_email: "carol@labs.com", private_project_access: [{ id: 2, level: "member" }] },
    );
    await space.run(["export", "--out", "out", "--single-file", ...options]);
    const text = await file(space, "out/driftline.yaml");
    expect(text).toContain("organization_domain_ids: [acme.com, labs.com]");
    expect(text).toContain("- { id: Web, level: member }");
    expect((await space.run(["plan", "--detailed-exitcode", "out"])).code).toBe(0);
  });

  it("without ids lacks what is not exported, and says so", async () => {
    const space = await today({});
    insertDomain(space);
    insertOkta(space, [CORP, OTHER]);
    insertOkta(space, [OTHER], "Entra");
    await space.run(["export", "--out", "out", "--single-file", "--no-ids"]);
    const text = await file(space, "out/driftline.yaml");
    expect(text).not.toContain(OTHER);
    expect(text.match(/# organization_domain_ids: (?:partly )?left out/gu)).toHaveLength(2);
    expect(text).toContain("organization_domain_ids: [acme.com]");
  });
});

describe("a saved plan", () => {
  it("is bound to the name and to the id that was seen", async () => {
    const space = await today({ domains: { corp: { domain: "acme.com" } }, ...provider(["corp"]) });
    insertDomain(space);
    await space.run(["plan", "--out", "plan.json"]);
    expect(JSON.parse(await readFile(join(space.folder, "plan.json"), "utf8"))).toMatchObject({
      changes: [{}, {}, { references: [{ name: "corp", id: CORP }] }],
    });
    space.emulator.remove("domain", CORP);
    insertDomain(space, LABS);
    const { code } = await space.run(["apply", "--plan", "plan.json", "--yes"]);
    expect([code, writes(space)]).toEqual([12, []]);
  });
});
