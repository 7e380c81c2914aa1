import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { output, Output, secret } from "@pulumi/pulumi";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/index.ts";
import { pulumiProperties } from "../../src/generated/pulumi.ts";
import * as dynamicModule from "../../src/pulumi/index.ts";
import * as packagedModule from "../../src/pulumi/packaged.ts";
import { classesByKind } from "../../src/pulumi/resources/resource.ts";
import { BatchExport, Domain, Insight, Membership, Organization } from "../../src/pulumi/index.ts";
import { UNKNOWN_SECRET } from "../../src/model/secret-values.ts";
import { register } from "../../src/pulumi/register.ts";
import { UNKNOWN } from "../../src/pulumi/properties/check.ts";
import { lives } from "./support/lives.ts";
import { registrations, secretly } from "./support/mocked.ts";

const dynamicClassOf = classesByKind(dynamicModule);
const packagedClassOf = classesByKind(packagedModule);

const organizationId = "0190aa11-0000-4000-8000-00000000000a";
const config = { bucket_name: "b", region: "eu", prefix: "e/", aws_secret_access_key: "hush" };
const events = { projectId: 2, name: "Events", interval: "hour", destination: { type: "S3", config } } as const;

describe("a resource class", () => {
  it.each(Object.entries(lives))("registers %s as declared, and nothing else", async (name, life) => {
    const args = { ...life.create, ...life.changes };
    const made = await registrations(false, () => void new (dynamicClassOf(life.kind))(name, args as never));
    const { secrets } = pulumiProperties[life.kind];
    const hidden = secrets.flatMap((field) =>
      args[field] === undefined ? [] : [[field, secretly(args[field])] as const],
    );
    expect(made[name]).toEqual({
      type: `pulumi-nodejs:dynamic/driftline:${life.type}`,
      name,
      inputs: { ...args, ...Object.fromEntries(hidden) },
      secretOutputs: secrets,
      protect: false,
      deleteBeforeReplace: true,
      ignoreChanges: [],
      dependencies: [],
      deletedWith: "",
      aliases: [],
      id: "",
    });
  });

  it.each(Object.entries(lives))("registers %s for the packaged provider alike, with an alias", async (name, life) => {
    const args = { ...life.create, ...life.changes };
    const dynamic = await registrations(false, () => void new (dynamicClassOf(life.kind))(name, args as never));
    const made = await registrations(false, () => void new (packagedClassOf(life.kind))(name, args as never));
    const { aliases, ...rest } = made[name] ?? { aliases: [] };
    expect({ ...rest, aliases: [] }).toEqual({ ...dynamic[name], type: `driftline:index:${life.type}` });
    expect(aliases).toEqual([expect.stringContaining(`pulumi-nodejs:dynamic/driftline:${life.type}`)]);
  });

  it.each(Object.entries(lives))("has an output for each field of %s, declared or not", async (name, life) => {
    let resource: object = {};
    await registrations(false, () => void (resource = new (dynamicClassOf(life.kind))(name, life.create as never)));
    const { inputs, outputs } = pulumiProperties[life.kind];
    const missing = [...Object.keys(inputs), ...Object.keys(outputs)].filter(
      (field) => !Output.isInstance((resource as Readonly<Record<string, unknown>>)[field]),
    );
    expect(missing).toEqual([]);
  });

  it("hides a whole destination, whether or not the program marks it as secret", async () => {
    const made = await registrations(false, () => {
      new BatchExport("plain", events);
      new BatchExport("marked", {
        ...events,
        destination: { type: "S3", config: { ...config, aws_secret_access_key: secret("hush") } },
      });
    });
    for (const name of ["plain", "marked"]) {
      expect(made[name]?.inputs["destination"]).toEqual(secretly(events.destination));
      expect(made[name]?.secretOutputs).toEqual(["destination"]);
    }
  });

  it("prefers the options of a program to its own, and adds secrets to them", async () => {
    const made = await registrations(false, () => {
      new BatchExport("events", events, {
        additionalSecretOutputs: ["name"],
        aliases: [{ name: "old" }],
        deleteBeforeReplace: false,
        ignoreChanges: ["interval"],
        protect: true,
      });
    });
    const { secretOutputs, aliases, deleteBeforeReplace, ignoreChanges, protect } = made["events"] ?? {};
    expect({ secretOutputs, deleteBeforeReplace, ignoreChanges, protect }).toEqual({
      secretOutputs: ["destination", "name"],
      deleteBeforeReplace: false,
      ignoreChanges: ["interval"],
      protect: true,
    });
    expect(aliases?.join()).toContain("old");
  });

  it("passes on the future id of another resource, and depends on it", async () => {
    const program = (): void => {
      const acme = new Organization("acme", { name: "Acme Inc" });
      new Domain("corp", { organizationId: acme.id, domain: "acme.com" }, { deletedWith: acme });
      new Insight("signups", { projectId: 2, name: output("Signups"), query: { series: [{ event: acme.name }] } });
    };
    const previewed = await registrations(true, program);
    expect(previewed["corp"]?.inputs).toEqual({ organizationId: UNKNOWN, domain: "acme.com" });
    const made = await registrations(false, program);
    expect(made["corp"]).toMatchObject({
      inputs: { organizationId: "id-of-acme" },
      dependencies: ["acme"],
      deletedWith: "acme",
    });
    expect(made["signups"]).toMatchObject({
      inputs: { query: { series: [{ event: "Acme Inc" }] } },
      dependencies: ["acme"],
    });
  });

  it("is looked up by an id and a scope, without any argument", async () => {
    let domain: Output<string> | undefined;
    const made = await registrations(false, () => {
      domain = Domain.get("corp", "some-id", { organizationId }).domain;
      Membership.get("ada", "ada@acme.com", { organizationId }, { protect: true });
    });
    expect(made["corp"]).toMatchObject({ id: "some-id", inputs: { organizationId } });
    expect(made["ada"]).toMatchObject({ id: "ada@acme.com", inputs: { organizationId } });
    expect(domain).toBeDefined();
  });
});

describe("a configuration as a program", () => {
  const configuration = `
driftline: 1
organizations:
  acme:
    name: Acme Inc
    domains:
      corp: { domain: acme.com, lifecycle: { ignore: [saml_acs_url], protect: true } }
    memberships:
      ada@acme.com: { level: admin }
      bob@acme.com: { lifecycle: { state: absent } }
    batch_exports:
      events: { name: Events, interval: hour, destination: { type: S3, config: { bucket_name: b, region: eu, prefix: e/, aws_secret_access_key: "\${secret:AWS}" } } }
    projects:
      "2":
        insights:
          signups: { name: Signups }
          kept: { name: Kept, lifecycle: { forget: true } }
  beta: { name: Beta, lifecycle: { create: true, protect: false } }
  gamma:
    id: ${organizationId}
    domains:
      gamma: { id: 0190aa11-0000-4000-8000-00000000000b, domain: gamma.com }
`;
  const load = async (text: string): ReturnType<typeof loadConfig> => {
    const folder = await mkdtemp(join(tmpdir(), "driftline-program-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "driftline.yaml"), text);
    return loadConfig({ paths: ["driftline.yaml"], cwd: folder, env: { AWS: "hush" }, vars: [], varFiles: [] });
  };

  it("registers its resources with protection, scopes, adoption and secrets", async () => {
    const { graph, diagnostics } = await load(configuration);
    expect(diagnostics).toEqual([]);
    const made = await registrations(false, () => register(graph, { AWS: "hush" }));
    expect(Object.keys(made).toSorted()).toEqual([
      "acme",
      "acme/batch_exports/events",
      "acme/domains/corp",
      "acme/memberships/ada@acme.com",
      "acme/projects/2/insights/signups",
      "beta",
      "gamma/domains/gamma",
    ]);
    expect(made["acme"]).toMatchObject({ inputs: { name: "Acme Inc", adopt: true }, protect: true, deletedWith: "" });
    expect(made["beta"]).toMatchObject({ inputs: { name: "Beta" }, protect: false });
    expect(made["beta"]?.inputs).not.toHaveProperty("adopt");
    expect(made["acme/domains/corp"]).toMatchObject({
      inputs: { organizationId: "id-of-acme", domain: "acme.com", adopt: true },
      protect: true,
      ignoreChanges: ["samlAcsUrl"],
      dependencies: ["acme"],
      deletedWith: "acme",
    });
    expect(made["acme/memberships/ada@acme.com"]).toMatchObject({ inputs: { email: "ada@acme.com", level: 8 } });
    expect(made["acme/batch_exports/events"]?.inputs["destination"]).toEqual(secretly({ type: "S3", config }));
    expect(made["acme/projects/2/insights/signups"]).toMatchObject({
      inputs: { projectId: "2", name: "Signups" },
      deletedWith: "acme",
    });
    expect(made["gamma/domains/gamma"]).toMatchObject({
      inputs: { organizationId, adopt: "0190aa11-0000-4000-8000-00000000000b" },
      protect: false,
      deletedWith: "",
    });
  });

  it("passes the outputs of what its resources name", async () => {
    const naming = (domain: string, project: string): string => `
driftline: 1
organizations:
  acme:
    id: ${organizationId}
    domains: { corp: { domain: acme.com } }
    identity_provider_configs: { okta: { name: acme, organization_domain_ids: [${domain}] } }
    invites: { carol: { target_email: carol@acme.com, private_project_access: [{ id: ${project}, level: member }] } }
    projects: { web: { id: "2" } }
`;
    const { graph } = await load(naming("corp, ACME.com", "web"));
    const made = await registrations(false, () => register(graph, {}));
    expect(made["acme/identity_provider_configs/okta"]).toMatchObject({
      inputs: { name: "acme", organizationDomainIds: ["id-of-acme/domains/corp", "id-of-acme/domains/corp"] },
      dependencies: ["acme/domains/corp"],
    });
    expect(made["acme/invites/carol"]?.inputs["privateProjectAccess"]).toEqual([{ id: 2, level: "member" }]);
    for (const unknown of [await load(naming("labs.com", "web")), await load(naming("corp", "Shop"))])
      await expect(registrations(false, () => register(unknown.graph, {}))).rejects.toThrow("needs its id");
  });

  it("has unknown ids of new organizations in a preview", async () => {
    const { graph } = await load(configuration);
    const made = await registrations(true, () => register(graph, { AWS: "hush" }));
    expect(made["acme/domains/corp"]?.inputs["organizationId"]).toBe(UNKNOWN);
  });

  it("needs the secrets, and the ids that only the service knows", async () => {
    const { graph } = await load(configuration);
    await expect(registrations(false, () => register(graph, {}))).rejects.toThrow("AWS");
    const made = await registrations(true, () => register(graph, {}, { isPreview: true }));
    expect(JSON.stringify(made["acme/batch_exports/events"]?.inputs["destination"])).toContain(UNKNOWN_SECRET);
    const named = await load(
      "driftline: 1\norganizations:\n  acme: { name: Acme, projects: { web: { name: Web, insights: { a: { name: A } } } } }\n",
    );
    await expect(registrations(false, () => register(named.graph, {}))).rejects.toThrowErrorMatchingSnapshot();
  });
});
