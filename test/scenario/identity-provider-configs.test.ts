/** Identity providers as code: on today's service, and on older ones, which do not have them. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DIALECTS } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
const TOKEN = "hush-hush-hush-hush";
const PATH = `/api/organizations/${ACME}/identity_provider_configs/`;

const declaring = (values: object, more: object = {}): object => ({
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", identity_provider_configs: { okta: values }, ...more } },
});

const listReads = ({ emulator }: Workspace): number => emulator.requests.filter(({ path }) => path === PATH).length;

const told = async ({ plan }: Workspace) =>
  (await plan()).diagnostics.map(({ code, severity, address }) => [code, severity, address]);

describe.each(DIALECTS)("on a service without them (%s)", (dialect) => {
  it("a declared one is left out with a warning of plan, drift and apply, and nothing is sent", async () => {
    const space = await workspace({ dialect });
    await space.configure(declaring({ name: "Okta" }, { exclusive: ["identity_provider_configs"] }));
    const warning = [["not_on_service", "warning", "acme/identity_provider_configs/okta"]];
    expect(await told(space)).toEqual(warning);
    const { code, document } = await space.drift();
    expect([code, document.changes.filter(({ action }) => action !== "no_op")]).toEqual([0, []]);
    await space.apply();
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("export, doctor and the unmanaged objects of a plan say nothing of it", async () => {
    const space = await workspace({ dialect });
    const exported = await space.run(["export"]);
    expect([exported.code, exported.stderr]).toEqual([0, expect.not.stringMatching(/warning|error|identity/u)]);
    const acme = { name: "Acme Inc", domains: {}, projects: { web: { id: "2" } } };
    await space.configure({ driftline: 1, organizations: { acme } });
    expect((await space.run(["doctor"])).code).toBe(0);
    const { diagnostics, not_read } = await space.plan("--unmanaged");
    expect([diagnostics, not_read]).toEqual([[], []]);
  });
});

describe("on today's service", () => {
  it("a plan that declares none does not ask for them", async () => {
    const space = await workspace({ dialect: "current" });
    await space.configure({ driftline: 1, organizations: { acme: { name: "Acme Inc", enforce_2fa: true } } });
    await space.plan();
    expect(listReads(space)).toBe(0);
  });

  it("a SCIM token in an answer is neither shown nor kept", async () => {
    const space = await workspace({ dialect: "current" });
    await space.configure(declaring({ name: "Okta" }));
    await space.apply();
    const [made] = space.emulator.find("identity_provider_config");
    // A service that shows it in every answer.
    space.emulator.edit("identity_provider_config", made?.id ?? "", { scim_bearer_token: TOKEN });
    await space.configure(declaring({ name: "Okta", scim_enabled: true }));
    const call = ["call", "identity_provider_configs.get", `organization_id=${ACME}`, `id=${String(made?.id)}`];
    for (const args of [["plan"], ["apply", "--yes", "--format", "json"], ["drift"], ["export"], call]) {
      const { code, stdout, stderr } = await space.run(args);
      expect([args[0], code, stdout + stderr]).toEqual([args[0], 0, expect.not.stringContaining(TOKEN)]);
    }
    const files = await readdir(space.folder, { recursive: true, withFileTypes: true });
    const paths = files.filter((file) => file.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    for (const path of paths) expect(await readFile(path, "utf8")).not.toContain(TOKEN);
  });

  it("is exported as it was declared, and what is undeclared is pruned", async () => {
    const space = await workspace({ dialect: "current" });
    space.emulator.insert(
      "identity_provider_config",
      { organization: ACME },
      { name: "Okta", config_scope: "saml", domain_scope: "all", saml_entity_id: "urn:acme" },
    );
    const exported = await space.run(["export"]);
    await space.configure(exported.stdout);
    const { changes } = await space.plan();
    expect(changes.map(({ kind, action }) => [kind, action])).toContainEqual(["identity_provider_config", "no_op"]);
    expect(changes.filter(({ action }) => action !== "no_op")).toEqual([]);
    await space.configure(declaring({ name: "Entra" }, { exclusive: ["identity_provider_configs"] }));
    await space.apply(["--prune"]);
    expect(space.emulator.find("identity_provider_config").map(({ name }) => name)).toEqual(["Entra"]);
  });
});
