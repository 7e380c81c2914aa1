import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportImports } from "../../../../src/export/pulumi/export.ts";
import type { ExportOrganization } from "../../../../src/export/types.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { UNKNOWN_SECRET } from "../../../../src/model/secret-values.ts";
import { budget } from "../../../support/budget.ts";
import { expectGoldenFile } from "../../report/golden.ts";
import { acme, batchExport, live, member, plugin, S3, uuid } from "../helpers.ts";

const options = { provider: "packaged", rowsOf: () => [] } as const;

function filesOf(organization: ExportOrganization, provider: "dynamic" | "packaged" = "packaged") {
  const { files } = exportImports([organization], { ...options, provider });
  return Object.fromEntries(files.map(({ name, text }) => [name, text]));
}

/** The destination of a batch export, which is secret as a whole. */
function secretIn(props: JsonObject = {}): unknown {
  return JSON.parse(String((props["destination"] as JsonObject | undefined)?.["plaintext"] ?? "null"));
}

interface Entry {
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

function importsOf(organization: ExportOrganization, rows: readonly JsonObject[] = []): readonly Entry[] {
  const { files } = exportImports([organization], { ...options, rowsOf: () => [rows] });
  const text = files.find(({ name }) => name === "import.json")?.text ?? "";
  return (JSON.parse(text) as { readonly resources: readonly Entry[] }).resources;
}

const everything = acme(
  {
    domain: [live("domain", uuid(10), { domain: "acme.com", jit_provisioning_enabled: true, saml_acs_url: null })],
    member: [member(20, "Ada@acme.com", 8), member(21, "bob@acme.com", 3)],
    invite: [live("invite", uuid(30), { target_email: "carol@acme.com", level: 1, message: "Welcome\nto us\n" })],
    pipeline_destination: [plugin("pipeline_destination", "7", { plugin_type: "source", name: "Webhook" })],
  },
  [
    {
      id: "2",
      name: "Web",
      lists: {
        batch_export: [
          batchExport(40, "Events to S3", { destination: S3 }),
          batchExport(41, "To Postgres", {
            destination: {
              type: "Postgres",
              config: { host: "db", database: "d", user: "u", extra: { api_key: "hush" } },
            },
          }),
        ],
        insight: [
          live("insight", "5", {
            name: "Signups",
            query: { __proto__x: 1, kind: "TrendsQuery" },
            tags: ["b", "a"],
            order: null,
          }),
          live("insight", "6", { name: null, description: "nameless", order: null }),
        ],
      },
    },
  ],
);

describe("an export for Pulumi", () => {
  it.each([
    ["packaged", ["import.json"]],
    ["dynamic", ["import.json", "constructors.ts"]],
  ] as const)("writes what %s resources need", (provider, names) => {
    const files = filesOf(everything, provider);
    expect(Object.keys(files)).toEqual(names);
    for (const name of names)
      expectGoldenFile(new URL(`golden/${provider}-${name}.txt`, import.meta.url), files[name] ?? "");
  });

  it("has the state of each resource, and what finds the object only if its name cannot", () => {
    for (const { name, inputs, outputs } of importsOf(everything)) {
      expect(outputs).toMatchObject(inputs);
      expect(inputs["adopt"]).toBe(name.endsWith("insights/insight") ? "6" : undefined);
    }
  });

  it("does not depend on the order of the lists", () => {
    const { lists, projects, organization } = everything;
    const reversed = Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, list.toReversed()]));
    expect(filesOf({ organization, lists: reversed, projects })).toEqual(filesOf(everything));
  });

  it("cannot be broken by an id", () => {
    const id = "\u2028 process.exit(); // \n";
    const text = filesOf(acme({ domain: [live("domain", id, { domain: "acme.com" })] }), "dynamic")["constructors.ts"];
    expect(text?.split(/[\n\u2028]/).filter((line) => line !== "" && !line.startsWith("// "))).toEqual([]);
  });
});

describe("secrets", () => {
  it("are a placeholder, even if the service returns them in clear or masked", () => {
    const keys = { aws_access_key_id: "AKIA123", aws_secret_access_key: "***" };
    const config = { bucket_name: "b", region: "r", prefix: "", ...keys };
    const shown = acme({ batch_export: [batchExport(1, "Events", { destination: { type: "S3", config } })] });
    const hidden = { config: { aws_access_key_id: UNKNOWN_SECRET, aws_secret_access_key: UNKNOWN_SECRET } };
    const [, { inputs, outputs } = {}] = importsOf(shown);
    expect([secretIn(inputs), secretIn(outputs)]).toMatchObject([hidden, hidden]);
    expect(JSON.stringify(filesOf(shown))).not.toMatch(/AKIA123/);
  });

  it("that the service does not return are a placeholder if they are required", () => {
    const postgres = { type: "Postgres", config: { host: "h", database: "d" } };
    const [, { inputs } = {}] = importsOf(acme({ batch_export: [batchExport(1, "P", { destination: postgres })] }));
    expect(secretIn(inputs)).toMatchObject({ config: { password: UNKNOWN_SECRET } });
  });
});

describe("a live value that Pulumi YAML would take for a call of a function", () => {
  const call = fc
    .tuple(
      fc.constantFrom("fn::", "Fn::", "FN::", "fN::"),
      fc.constantFrom("readFile", "invoke", "fileAsset", "", "toString"),
      fc.jsonValue({ maxDepth: 1 }),
      fc.boolean(),
    )
    .map(([start, name, value, isAlone]) => ({
      [start + name]: value,
      ...(isAlone ? {} : { other: 1 }),
    })) as fc.Arbitrary<JsonObject>;
  const wrapped = fc
    .tuple(call, fc.array(fc.constantFrom("list", "map"), { maxLength: 3 }))
    .map(([value, around]) =>
      around.reduce<JsonObject>((inner, how) => ({ deep: how === "list" ? [1, inner] : { a: inner } }), value),
    );
  const written = (insight: JsonObject) => {
    const found = live("insight", "5", { name: "Signups", description: "fn::x", ...insight });
    const all = acme({}, [{ id: "2", name: "Web", lists: { insight: [found] } }]);
    const { files, diagnostics } = exportImports([all], options);
    return { text: files[0]?.text ?? "", found: diagnostics.map(({ code, message }) => `${code}: ${message}`) };
  };

  it("is not written, at any depth, with a warning", () => {
    fc.assert(
      fc.property(wrapped, fc.constantFrom("filters", "query", "a_new_field"), (value, field) => {
        const { text, found } = written({ [field]: value });
        expect(text).not.toMatch(/"fn::[^x]/i);
        expect(text).toContain('"description": "fn::x"');
        expect(found).toMatchObject([expect.stringContaining("not_declarable") as string]);
      }),
      { numRuns: budget(300) },
    );
    expect(written({ filters: { "fn::readFile": "/etc/passwd" } }).found).toMatchSnapshot();
  });
});

describe("a file for import", () => {
  it("leaves out resources that the provider would reject, with a warning", () => {
    const { diagnostics } = exportImports([everything], options);
    expect(diagnostics.map(({ code, address }) => [code, address])).toContainEqual([
      "not_declarable",
      "acme-inc/memberships/bob@acme.com",
    ]);
  });

  it("has the computed fields from the row of the object", () => {
    const row = { id: uuid(10), is_verified: true, verification_challenge: "abc", secret_thing: "x" };
    const [, entry] = importsOf(acme({ domain: [live("domain", uuid(10), { domain: "acme.com" })] }), [row]);
    expect(entry?.outputs).toMatchObject({ domain: "acme.com", isVerified: true, verificationChallenge: "abc" });
    expect(entry?.inputs).not.toHaveProperty("isVerified");
    expect(JSON.stringify(entry)).not.toContain("secret_thing");
  });

  it("identifies people by e-mail and everything else by id", () => {
    expect(importsOf(everything).map(({ name, id }) => [name, id])).toEqual([
      ["acme-inc", uuid(1)],
      ["acme-inc/domains/acme-com", uuid(10)],
      ["acme-inc/memberships/ada@acme.com", "ada@acme.com"],
      ["acme-inc/invites/carol-acme-com", uuid(30)],
      ["acme-inc/pipeline_destinations/webhook", "7"],
      ["acme-inc/projects/web/batch_exports/events-to-s3", uuid(40)],
      ["acme-inc/projects/web/batch_exports/to-postgres", uuid(41)],
      ["acme-inc/projects/web/insights/insight", "6"],
      ["acme-inc/projects/web/insights/signups", "5"],
    ]);
  });
});
