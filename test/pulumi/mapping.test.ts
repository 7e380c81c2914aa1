/** The mapping from Terraform's provider, by the fields that Pulumi's converter reads. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { version } from "../../src/generated/version.ts";
import { ACME } from "../support/interface/declare.ts";
import { PACKAGE } from "./support/package.ts";
import type { PluginProcess } from "./support/plugin-process.ts";
import { pluginWorld } from "./support/plugin-world.ts";

interface Mapping {
  readonly name: string;
  readonly provider: {
    readonly schema: Readonly<Record<string, object>>;
    readonly resources: Readonly<Record<string, Readonly<Record<string, { readonly type: number }>>>>;
  };
  readonly config: Fields;
  readonly resources: Readonly<Record<string, { readonly tok: string; readonly fields: Fields }>>;
}

type Fields = Readonly<Record<string, { readonly name: string }>>;

interface Answer {
  readonly provider: string;
  readonly mapping: Mapping | undefined;
}

async function mapping(plugin: PluginProcess, key: string, provider: string): Promise<Answer> {
  const response = await plugin.send("getMapping", "GetMappingRequest", { key, provider });
  const text = Buffer.from(response["getData_asU8"]?.() as Uint8Array).toString();
  return {
    provider: response["getProvider"]?.() as string,
    mapping: text === "" ? undefined : (JSON.parse(text) as Mapping),
  };
}

async function schema(): Promise<{
  readonly config: { readonly variables: object };
  readonly resources: Readonly<Record<string, { readonly inputProperties: object }>>;
}> {
  return JSON.parse(await readFile(join(PACKAGE, "schemas/pulumi.schema.json"), "utf8")) as Awaited<
    ReturnType<typeof schema>
  >;
}

/** What renaming cannot bring over. The check of the provider names each of them. */
const WITHOUT_INPUT = ["deleted", "userUuid", "retainOnDestroy"];

/** The bridge's numbers of a boolean, an integer, a string and a set. */
const TYPES = [1, 2, 4, 7];

describe("the mapping from Terraform", () => {
  it("is there for the provider posthog, also if no name is asked for, and for no other", async () => {
    const { plugin } = await pluginWorld();
    const providers = async (key: string): Promise<unknown> =>
      (await plugin.send("getMappings", "GetMappingsRequest", { key }))["getProvidersList"]?.();
    expect([await providers("terraform"), await providers("helm")]).toEqual([["posthog"], []]);
    const found = await mapping(plugin, "terraform", "posthog");
    expect(found).toMatchObject({ provider: "posthog", mapping: { name: "driftline" } });
    expect(await mapping(plugin, "terraform", "")).toEqual(found);
    const none = { provider: "", mapping: undefined };
    expect(await mapping(plugin, "terraform", "aws")).toEqual(none);
    expect(await mapping(plugin, "helm", "posthog")).toEqual(none);
  });

  it("leads to resources and inputs of the schema, and has a type for each name", async () => {
    const { plugin } = await pluginWorld();
    const { mapping: found } = await mapping(plugin, "terraform", "posthog");
    const { resources, config } = await schema();
    expect(Object.keys(found?.resources ?? {})).toEqual(["posthog_insight", "posthog_organization_member"]);
    for (const [name, { tok, fields }] of Object.entries(found?.resources ?? {})) {
      const attributes = found?.provider.resources[name] ?? {};
      expect(Object.keys(attributes)).toEqual(Object.keys(fields));
      for (const { type } of Object.values(attributes)) expect(TYPES, name).toContain(type);
      const inputs = Object.keys(resources[tok]?.inputProperties ?? {});
      const names = Object.values(fields).map((field) => field.name);
      for (const one of names) expect([...inputs, ...WITHOUT_INPUT], name).toContain(one);
    }
    const settings = Object.values(found?.config ?? {}).map(({ name }) => name);
    expect(Object.keys(config.variables)).toEqual(expect.arrayContaining(settings));
    expect(Object.keys(found?.provider.schema ?? {})).toEqual(Object.keys(found?.config ?? {}));
  });

  it("is in the package as a file, for those who give it to the converter", async () => {
    const { plugin } = await pluginWorld();
    const { provider, mapping: served } = await mapping(plugin, "terraform", "posthog");
    const file = await readFile(join(PACKAGE, "schemas/terraform", `${provider}.json`), "utf8");
    expect(served).toEqual({ ...(JSON.parse(file) as object), version });
    // The page for people from Terraform names it.
    expect(await readFile(join(PACKAGE, "docs/terraform-to-pulumi.md"), "utf8")).toContain(
      `--mappings node_modules/driftline/schemas/terraform/${provider}.json`,
    );
  });

  it("leads to inputs that the check takes, or that it names", async () => {
    const { plugin } = await pluginWorld();
    const query = { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "a" }] };
    const insight = {
      projectId: "2",
      name: "Signups",
      tags: ["growth"],
      query: JSON.stringify(query),
      dashboards: [3],
    };
    const { inputs, failures } = await plugin.check("Insight", insight);
    expect([failures, inputs["query"]]).toEqual([[], query]);
    const member = await plugin.check("Member", { organizationId: ACME, userUuid: ACME, level: "admin" });
    // An input that does not exist is named in the reason: the engine would print its value.
    expect(member.failures.map(({ property }) => property).toSorted()).toEqual(["", "email"]);
  });
});
