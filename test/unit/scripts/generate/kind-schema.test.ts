import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { kindsFrom, pathOf } from "../../../../scripts/generate/kind-schema.ts";
import { collections, kindNames, kindScopes } from "../../../../src/generated/kind-names.ts";

const DOMAIN = JSON.parse(
  await readFile(new URL(`../../../../${pathOf("domain")}`, import.meta.url), "utf8"),
) as object;
const FLAG = {
  ...DOMAIN,
  $id: "urn:driftline:kind:feature_flag",
  title: "FeatureFlag",
  "x-order": 15,
  "x-collection": "feature_flags",
  "x-scopes": ["project"],
};

/** What the generator says about a file feature_flag.schema.json beside that of domains. */
function complaint(flag: unknown): string {
  try {
    kindsFrom(
      new Map<string, unknown>([
        ["domain", DOMAIN],
        ["feature_flag", flag],
      ]),
    );
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
  return "";
}

function without(key: string): object {
  return Object.fromEntries(Object.entries(FLAG).filter(([name]) => name !== key));
}

describe("the schemas of kinds", () => {
  it("are used in their own order, regardless of the order of the files", () => {
    const last = { ...FLAG, "x-order": 30 };
    for (const files of [
      [["feature_flag", last] as const, ["domain", DOMAIN] as const],
      [["domain", DOMAIN] as const, ["feature_flag", last] as const],
    ])
      expect(Object.keys(kindsFrom(new Map<string, unknown>(files)))).toEqual(["domain", "feature_flag"]);
    expect(complaint(FLAG)).toBe("");
  });

  it.each([
    "$id",
    "title",
    "description",
    "properties",
    "required",
    "x-pins",
    "x-order",
    "x-collection",
    "x-example",
    "x-scopes",
  ])("without %s are refused by the name of the file and of the key", (key) => {
    expect(complaint(without(key))).toContain(`schemas/kinds/feature_flag.schema.json: ${key} is missing: expected `);
  });

  it.each([
    ["another kind's $id", { $id: "urn:driftline:kind:domain" }, "$id is "],
    ["a pin that is no list", { "x-pins": "id" }, 'x-pins is "id": expected a list'],
    ["a place in words", { "x-order": "last" }, 'x-order is "last": expected a whole number'],
    [
      "an example without a name",
      { "x-example": { fields: [] } },
      'x-example is {"fields":[]}: expected an object with',
    ],
    ["no scope", { "x-scopes": [] }, "x-scopes is []: expected a list of service, organization, project"],
    ["another natural key", { "x-keyed-by": "name" }, 'x-keyed-by is "name": expected "email"'],
    ["a resource that is no name", { "x-resource": 7 }, "x-resource is 7: expected what the interface calls"],
    ["an unknown key", { "x-pin": ["id"] }, "x-pin is not a key of a kind"],
    ["an unknown scope", { "x-scopes": ["team"] }, 'x-scopes is ["team"]: expected a list of'],
    ["a collection of another kind", { "x-collection": "domains" }, 'x-collection "domains" is also that of'],
    ["a place of another kind", { "x-order": 20 }, "x-order 20 is also that of schemas/kinds/domain.schema.json"],
    ["a title of another kind", { title: "Domain" }, 'title "Domain" is also that of'],
  ])("with %s are refused", (_, change, expected) => {
    expect(complaint({ ...FLAG, ...change })).toContain(`schemas/kinds/feature_flag.schema.json: ${expected}`);
  });

  it("that hold no object are refused", () => {
    expect(complaint(null)).toContain("schemas/kinds/feature_flag.schema.json: $id is missing");
  });
});

describe("the list of kinds", () => {
  it("has the kinds in their order, parents before children", () => {
    expect(kindNames).toEqual([
      "organization",
      "domain",
      "identity_provider_config",
      "membership",
      "member",
      "invite",
      "batch_export",
      "pipeline_destination",
      "pipeline_frontend_app",
      "pipeline_import_app",
      "insight",
    ]);
  });

  it("has the collections and scopes under which configurations declare them", () => {
    expect(kindNames.map((name) => `${kindScopes[name].join(" ")}: ${collections[name]}`)).toEqual([
      "service: organizations",
      "organization: domains",
      "organization: identity_provider_configs",
      "organization: memberships",
      "organization: members",
      "organization: invites",
      "organization project: batch_exports",
      "organization: pipeline_destinations",
      "organization: pipeline_frontend_apps",
      "organization: pipeline_import_apps",
      "project: insights",
    ]);
  });
});
