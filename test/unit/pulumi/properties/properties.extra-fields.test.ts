import { describe, expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { wrapSecrets } from "../../../../src/pulumi/plugin/wire.ts";
import { check, UNKNOWN } from "../../../../src/pulumi/properties/check.ts";
import { toInterfaceFields, toPulumiProperties } from "../../../../src/pulumi/properties/properties.ts";
import { diff } from "../../../../src/pulumi/provider/diff.ts";
import { projectLive } from "../../../../src/pulumi/provider/read.ts";

const kind = kinds.domain;
const PLACE = { organizationId: "0190aa11-0000-4000-8000-00000000000a", domain: "acme.com" };
const withExtra = (extraFields: JsonObject[string]): JsonObject => ({ ...PLACE, extraFields });

describe("extraFields", () => {
  it("are inputs, with the names of the service", () => {
    const { inputs, failures } = check(kind, withExtra({ new_setting: { a: 1 } }));
    expect(failures).toEqual([]);
    expect(inputs).toEqual(withExtra({ new_setting: { a: 1 } }));
    expect(toInterfaceFields(kind, inputs)).toMatchObject({ domain: "acme.com", new_setting: { a: 1 } });
  });

  it("may be unknown in a preview", () => {
    const { inputs, failures } = check(kind, withExtra(UNKNOWN));
    expect([inputs["extraFields"], failures]).toEqual([UNKNOWN, []]);
  });

  it.each([
    ["a field that driftline knows", { sso_enforcement: "x" }, /give it as ssoEnforcement/],
    ["a key that the service alone sets", { scim_base_url: "x" }, /remove it/],
    ["no object", "x", /expected an object/],
  ])("must not be %s", (_name, extra, reason) => {
    const { failures } = check(kind, withExtra(extra));
    expect(failures).toMatchObject([{ property: "extraFields", reason: expect.stringMatching(reason) as string }]);
  });

  it("differ at their own paths, and are forgotten without a write", () => {
    const olds = withExtra({ a: 1, b: { c: 2 } });
    expect(diff(kind, olds, withExtra({ a: 1, b: { c: 3 }, d: 4 }))).toEqual({
      changed: [
        { keys: ["extraFields", "b", "c"], action: "update" },
        { keys: ["extraFields", "d"], action: "add" },
      ],
    });
    expect(diff(kind, olds, PLACE)).toEqual({
      changed: [
        { keys: ["extraFields", "a"], action: "delete" },
        { keys: ["extraFields", "b"], action: "delete" },
      ],
    });
    expect(diff(kind, olds, olds)).toEqual({ changes: false });
  });

  it("are refreshed, but for those that are not declared", () => {
    const declared = toInterfaceFields(kind, withExtra({ a: 1 }));
    const live = projectLive(kind, declared, { domain: "acme.com", a: 2, other: 3 });
    expect(toPulumiProperties(kind, live)).toMatchObject({ extraFields: { a: 2 } });
    expect(toPulumiProperties(kind, { domain: "acme.com" })).not.toHaveProperty("extraFields");
  });

  it("are secret in a state if they sound like secrets", () => {
    const { extraFields } = wrapSecrets(kind, withExtra({ hook_token: "t", a: 1 })) as { extraFields: JsonObject };
    expect(extraFields).toMatchObject({ hook_token: { value: "t" }, a: 1 });
  });
});
