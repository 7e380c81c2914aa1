import { Output } from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { kindNames } from "../../../src/generated/kind-names.ts";
import { FUNCTIONS } from "../../../src/pulumi/properties/functions.ts";
import * as enumerations from "../../../src/generated/pulumi-enums.ts";
import { pulumiProperties } from "../../../src/generated/pulumi.ts";
import * as dynamic from "../../../src/pulumi/dynamic.ts";
import * as index from "../../../src/pulumi/index.ts";
import * as packagedIndex from "../../../src/pulumi/packaged.ts";
import { identityOf, packagedType } from "../../../src/pulumi/properties/provider-text.ts";
import { classesByKind } from "../../../src/pulumi/resources/resource.ts";

const programs: Readonly<Record<string, unknown>> = { ...index };
const packagedPrograms: Readonly<Record<string, unknown>> = { ...packagedIndex };
const states: Readonly<Record<string, unknown>> = { ...dynamic };

// Programs and states hold these names. A kind may be added, but none may be removed or renamed.
const FROZEN = {
  organization: ["Organization", "organization"],
  domain: ["Domain", "domain"],
  identity_provider_config: ["IdentityProviderConfig", "identityProviderConfig"],
  membership: ["Membership", "membership"],
  member: ["Member", "member"],
  invite: ["Invite", "invite"],
  batch_export: ["BatchExport", "batchExport"],
  pipeline_destination: ["PipelineDestination", "pipelineDestination"],
  pipeline_frontend_app: ["PipelineFrontendApp", "pipelineFrontendApp"],
  pipeline_import_app: ["PipelineImportApp", "pipelineImportApp"],
  insight: ["Insight", "insight"],
} as const;

describe("a dynamic resource", () => {
  it("is not imported by the option of that name, and the error says what does it", () => {
    const args = { projectId: 2, name: "Signups" };
    expect(() => new index.Insight("signups", args, { import: "2/5" })).toThrow("adopt");
  });
});

describe("the outputs of a class", () => {
  const SCOPES: Readonly<Partial<Record<(typeof kindNames)[number], readonly string[]>>> = {
    organization: [],
    membership: ["email", "organizationId"],
    member: ["email", "organizationId"],
    batch_export: ["organizationId", "projectId"],
    insight: ["projectId"],
  };

  it.each(kindNames)("of %s are the properties of that kind, and there before the engine answers", (kind) => {
    for (const module of [index, packagedIndex]) {
      const { prototype } = Object.getPrototypeOf(classesByKind(module)(kind)) as { readonly prototype: object };
      const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== "constructor");
      const { inputs, outputs } = pulumiProperties[kind];
      const own = [...Object.keys(inputs), ...Object.keys(outputs), "extraFields"];
      expect(names.toSorted()).toEqual([...(SCOPES[kind] ?? ["organizationId"]), ...own].toSorted());
      for (const name of names) expect(Output.isInstance(Reflect.get(prototype, name)), name).toBe(true);
    }
  });
});

describe("the names that states and programs hold", () => {
  it.each(kindNames)("of %s never change: class, type and entry", (kind) => {
    const [title, entry] = FROZEN[kind];
    for (const module of [index, packagedIndex]) expect(classesByKind(module)(kind).name).toBe(title);
    expect(packagedType(pulumiProperties[kind].title)).toBe(`driftline:index:${title}`);
    expect(states[entry]).toBeTypeOf("function");
    expect(identityOf(pulumiProperties[kind].title)).toEqual({
      type: `pulumi-nodejs:dynamic/driftline:${title}`,
      text: `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("driftline/dynamic").${entry}();`,
    });
  });

  it("are the only exports", () => {
    const frozen = Object.values(FROZEN);
    const lookups = Object.keys(FUNCTIONS).flatMap((name) => [name, `${name}Output`]);
    const titles = frozen.map(([title]) => title);
    expect(Object.keys(programs).toSorted()).toEqual([...titles, ...lookups].toSorted());
    // The programs that `pulumi import` writes use the enumerations of the schema.
    const all = ["Provider", ...Object.keys(programs), ...Object.keys(enumerations)];
    expect(Object.keys(packagedPrograms).toSorted()).toEqual(all.toSorted());
    expect(Object.keys(states).toSorted()).toEqual([...frozen.map(([, entry]) => entry), "lookUp"].toSorted());
  });
});
