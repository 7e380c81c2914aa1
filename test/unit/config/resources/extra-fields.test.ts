import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { checkedDiagnostics } from "../../../../src/config/index.ts";
import { load } from "../helpers.ts";

const DOMAIN = "acme/domains/corp";

async function loaded(fields: object, organization: object = {}) {
  const domains = { corp: { domain: "acme.com", ...fields } };
  const config = await load(
    stringify({
      driftline: 1,
      organizations: { acme: { id: "0190aa11-0000-4000-8000-00000000000a", name: "Acme", ...organization, domains } },
    }),
  );
  const values = (address: string) => config.graph.resources.find((one) => one.address === address)?.values;
  return { found: checkedDiagnostics(config), values };
}

describe("extra_fields", () => {
  it("become fields of the resource", async () => {
    const extra = { new_setting: { a: [1, null] }, other: null };
    const { found, values } = await loaded({ extra_fields: extra }, { extra_fields: { later: "x" } });
    expect(found).toEqual([]);
    expect(values(DOMAIN)).toEqual({ domain: "acme.com", ...extra });
    expect(values("acme")).toEqual({ name: "Acme", later: "x" });
  });

  it("may be empty, and keep secrets as expressions", async () => {
    expect((await loaded({ extra_fields: null })).found).toEqual([]);
    const { found, values } = await loaded({ extra_fields: { hook_token: "${secret:HOOK}" } });
    expect(found).toEqual([]);
    expect(values(DOMAIN)).toMatchObject({ hook_token: { expression: "${secret:HOOK}" } });
  });

  it("are warned about if they hold a secret in plain text", async () => {
    const { found } = await loaded({ extra_fields: { hook_token: "hush-hush-hush" } });
    expect(found).toMatchObject([{ severity: "warning", code: "plain_text_secret", address: DOMAIN, line: 10 }]);
    expect(JSON.stringify(found)).not.toContain("hush-hush");
  });

  it.each([
    ["a field that driftline knows", "sso_enforcement", "known_field", /one level higher/],
    ["the pin", "id", "known_field", /one level higher/],
    ["the lifecycle", "lifecycle", "known_field", /one level higher/],
    ["a setting of the lifecycle", "protect", "known_field", /lifecycle: \{ protect/],
    ["itself", "extra_fields", "known_field", /one level higher/],
    ["a field that the service computes", "is_verified", "computed_field", /Remove it/],
    ["a key that the service alone sets", "scim_base_url", "computed_field", /Remove it/],
  ])("must not hold %s, and the error has its place", async (_name, field, code, hint) => {
    const { found } = await loaded({ extra_fields: { [field]: "x" } });
    const place = { address: DOMAIN, file: "driftline.yaml", line: 10, column: 11 };
    expect(found).toMatchObject([{ severity: "error", code, hint: expect.stringMatching(hint) as string, ...place }]);
  });

  it("must not hold a collection of an organization", async () => {
    const { found } = await loaded({}, { extra_fields: { members: {} } });
    expect(found).toMatchObject([{ code: "known_field", address: "acme" }]);
  });

  it.each([
    ["a text", "x"],
    ["a list", [1]],
  ])("have to be a mapping, not %s", async (_name, extra) => {
    const { found } = await loaded({ extra_fields: extra });
    expect(found).toMatchObject([{ severity: "error", code: "wrong_type", line: expect.any(Number) as number }]);
  });

  it("are left to others by their names alone", async () => {
    const extra_fields = { later: { a: 1 } };
    expect((await loaded({ extra_fields, lifecycle: { ignore: ["later", "/later/a"] } })).found).toEqual([]);
    for (const path of ["extra_fields", "/extra_fields/later"])
      expect((await loaded({ extra_fields, lifecycle: { ignore: [path] } })).found).toMatchObject([
        { code: "unknown_field" },
      ]);
  });

  it("are no field of a project", async () => {
    const { found } = await loaded({}, { projects: { web: { id: 2, extra_fields: { a: 1 } } } });
    expect(found).toMatchObject([{ code: "unknown_key" }]);
  });
});
