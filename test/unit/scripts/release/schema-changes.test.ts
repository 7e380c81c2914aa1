import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { breakingChanges, recordOf, type Schema } from "../../../../scripts/release/schema-changes.ts";

const read = (path: string): Schema => JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as Schema;
const INSIGHT = "driftline:index:Insight";
const LEVEL = "driftline:index:Level";

const BEFORE = {
  version: "1.2.0",
  config: { variables: { url: { type: "string", description: "Base URL." } } },
  types: { [LEVEL]: { type: "string", enum: [{ value: "member" }, { value: "admin" }] } },
  resources: {
    [INSIGHT]: {
      inputProperties: { name: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
      requiredInputs: ["name"],
      properties: { name: { type: "string" }, shortId: { type: "string" } },
      required: ["shortId"],
      aliases: [{ type: "old" }],
    },
  },
} satisfies Schema;

const insight = BEFORE.resources[INSIGHT];
const withInsight = (more: object): Schema => ({ ...BEFORE, resources: { [INSIGHT]: { ...insight, ...more } } });
const { name } = insight.inputProperties;

describe("a schema for Pulumi", () => {
  it.each<[string, Schema, string]>([
    ["a resource", { ...BEFORE, resources: {} }, `${INSIGHT} is gone`],
    ["a setting", { ...BEFORE, config: { variables: {} } }, "the setting.url is gone"],
    ["a type", { ...BEFORE, types: {} }, `the type ${LEVEL} is gone`],
    [
      "a value of a type",
      { ...BEFORE, types: { [LEVEL]: { type: "string", enum: [{ value: "admin" }] } } },
      `the type ${LEVEL} lacks the value "member"`,
    ],
    ["an input", withInsight({ inputProperties: { name } }), `the input ${INSIGHT}.tags is gone`],
    [
      "the type of an input",
      withInsight({ inputProperties: { name, tags: { type: "array", items: { type: "integer" } } } }),
      `the input ${INSIGHT}.tags has another type`,
    ],
    [
      "an input's being optional",
      withInsight({ requiredInputs: ["name", "tags"] }),
      `the input ${INSIGHT}.tags is required now`,
    ],
    ["an output", withInsight({ properties: { name } }), `the output ${INSIGHT}.shortId is gone`],
    ["an output's being certain", withInsight({ required: [] }), `the output ${INSIGHT}.shortId may be missing now`],
    ["an alias", withInsight({ aliases: [] }), `${INSIGHT} does not take over old any more`],
  ])("that takes away %s breaks programs, unless the version is a new major one", (_name, after, change) => {
    expect(breakingChanges(BEFORE, { ...after, version: "1.3.0" })).toEqual([change]);
    expect(breakingChanges(BEFORE, { ...after, version: "2.0.0" })).toEqual([]);
  });

  it("may add, describe, and ask for less", () => {
    const url = { description: "Where the service is.", type: "string" };
    const more = { ...BEFORE, config: { variables: { url, self: { type: "string" } } }, version: "1.2.1" };
    const optional = {
      ...insight,
      requiredInputs: [],
      inputProperties: { ...insight.inputProperties, order: { type: "integer" } },
    };
    expect(breakingChanges(BEFORE, { ...more, resources: { [INSIGHT]: optional, more: insight } })).toEqual([]);
  });

  it("of this version breaks no program of the last release", () => {
    const [recorded, current] = [
      read("../../../../scripts/release/pulumi-schema.json"),
      read("../../../../schemas/pulumi.schema.json"),
    ];
    expect(breakingChanges(recorded, current)).toEqual([]);
    expect(Object.keys(recorded.resources).length).toBeGreaterThan(9);
    // What is recorded is all that is compared.
    expect(breakingChanges(current, recordOf(current))).toEqual([]);
  });
});
