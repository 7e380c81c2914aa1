import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exportProgram } from "../../../../src/export/pulumi/export.ts";
import type { ExportOrganization } from "../../../../src/export/types.ts";
import type { Json, JsonObject } from "../../../../src/model/json.ts";
import { SECRET_PLACEHOLDER } from "../../../../src/model/secret-values.ts";
import { budget } from "../../../support/budget.ts";
import { expectGoldenFile } from "../../report/golden.ts";
import { acme, batchExport, live, member, plugin, S3, uuid } from "../helpers.ts";

const options = {
  source: { spec: "^1.2.3", isFolder: false },
  url: "https://analytics.example.com",
  language: "typescript",
  provider: "dynamic",
  rowsOf: () => [],
} as const;

function filesOf(...organizations: readonly ExportOrganization[]): Readonly<Record<string, string>> {
  const { files } = exportProgram(organizations, options);
  return Object.fromEntries(files.map(({ name, text }) => [name, text]));
}

function programOf(organization: ExportOrganization): string {
  return filesOf(organization)["index.ts"] ?? "";
}

interface Entry {
  readonly name: string;
  readonly id: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
}

function importsOf(organization: ExportOrganization, rows: readonly JsonObject[] = []): readonly Entry[] {
  const { files } = exportProgram([organization], { ...options, rowsOf: () => [rows] });
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

describe("an exported program", () => {
  it("looks hand-written", () => {
    expectGoldenFile(new URL("golden/program.ts.txt", import.meta.url), programOf(everything));
  });

  it("comes with a file for import", () => {
    expectGoldenFile(new URL("golden/import.json.txt", import.meta.url), filesOf(everything)["import.json"] ?? "");
  });

  it("comes with the files of a Pulumi project", () => {
    const files = filesOf(everything);
    expect(Object.keys(files)).toEqual([
      "index.ts",
      "import.json",
      "Pulumi.yaml",
      "package.json",
      "tsconfig.json",
      ".gitignore",
    ]);
    expect(files["Pulumi.yaml"]).toContain("main: dist/index.js");
    expect(files["Pulumi.yaml"]).toContain("value: https://analytics.example.com");
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({
      name: "acme-inc",
      type: "module",
      dependencies: { driftline: "^1.2.3" },
    });
  });

  it.each(["typescript", "yaml"] as const)(
    "has driftline copied from a folder, in %s: a link would find another Pulumi SDK",
    (language) => {
      const source = { spec: "file:../driftline", isFolder: true };
      const { files } = exportProgram([everything], { ...options, language, provider: "packaged", source });
      const texts = Object.fromEntries(files.map(({ name, text }) => [name, text]));
      expect(JSON.parse(texts["package.json"] ?? "")).toMatchObject({ dependencies: { driftline: source.spec } });
      expect(texts[".npmrc"]).toMatch(/^install-links=true$/m);
    },
  );

  it("does not depend on the order of the lists", () => {
    const { lists, projects, organization } = everything;
    const reversed = Object.fromEntries(Object.entries(lists).map(([kind, list]) => [kind, list.toReversed()]));
    expect(filesOf({ organization, lists: reversed, projects })).toEqual(filesOf(everything));
  });

  it.each([
    ["a reserved word", "Class", "const class_2 = new Organization"],
    ["a name that the program uses", "Config", "const config_2 = new Organization"],
    ["digits first", "3D Corp", "const organization3dCorp = new Organization"],
    ["no letter at all", "日本", "const organization = new Organization"],
  ])("names an organization by a variable: %s", (_name, name, expected) => {
    expect(programOf(acme({}, [], { name }))).toContain(expected);
  });

  it("gives two organizations and their projects different variables", () => {
    const project = { id: "2", name: "Acme Inc", lists: { insight: [live("insight", "5", { name: "a" })] } };
    const other = {
      ...acme({}, [{ ...project, id: "3" }]),
      organization: live("organization", uuid(9), { name: "Acme Inc" }),
    };
    const text = filesOf(acme({}, [project]), other)["index.ts"] ?? "";
    expect([...text.matchAll(/^const (\w+) = /gm)].map(([, name]) => name)).toEqual([
      "acmeInc",
      "acmeInc_2",
      "acmeInc2",
      "acmeInc_3",
    ]);
  });

  it("cannot be broken by a name", () => {
    const name = "*/ \u2028 process.exit(); // `${x}`";
    const text = programOf(acme({}, [{ id: "2", name, lists: { insight: [live("insight", "5", { name })] } }]));
    expect(text).toContain(String.raw`// Project "*/ \u2028 process.exit(); // ` + '`${x}`"\n');
    expect(text.split(/[\n\u2028]/).filter((line) => line.trimStart().startsWith("process"))).toEqual([]);
  });

  it("writes __proto__ as a key like any other", () => {
    const query = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}') as Json;
    const insight = live("insight", "5", { name: "a", query });
    const text = programOf(acme({}, [{ id: "2", name: "Web", lists: { insight: [insight] } }]));
    expect(text).toContain('query: { ["__proto__"]: { a: 1 }, constructor: 2 }');
  });
});

describe("secrets in an exported program", () => {
  const config = {
    bucket_name: "b",
    region: "r",
    prefix: "",
    aws_access_key_id: "AKIA123",
    aws_secret_access_key: "***",
  };
  const shown = acme({ batch_export: [batchExport(1, "Events", { destination: { type: "S3", config } })] });

  it("are read by name, even if the service returns them in clear or masked", () => {
    const text = programOf(shown);
    expect(text).toContain('aws_access_key_id: missingSecret("DL_VALUE_EVENTS_AWS_ACCESS_KEY_ID")');
    expect(text).toContain('aws_secret_access_key: missingSecret("DL_VALUE_EVENTS_AWS_SECRET_ACCESS_KEY")');
    expect(text).toContain("config.getSecret(name)");
  });

  it("have the same placeholder in the state and in the program", () => {
    const [, entry] = importsOf(shown);
    const destination = {
      config: { aws_access_key_id: SECRET_PLACEHOLDER, aws_secret_access_key: SECRET_PLACEHOLDER },
    };
    expect(entry).toMatchObject({ inputs: { destination }, outputs: { destination } });
    expect(JSON.stringify(filesOf(shown))).not.toMatch(/AKIA123/);
  });

  it("that the service does not return get a placeholder if they are required, and a comment if they are optional", () => {
    const postgres = { type: "Postgres", config: { host: "h", database: "d" } };
    const s3 = { type: "S3", config: { bucket_name: "b", region: "r", prefix: "" } };
    const text = programOf(
      acme({
        batch_export: [batchExport(1, "P", { destination: postgres }), batchExport(2, "S", { destination: s3 })],
      }),
    );
    expect(text).toContain('password: missingSecret("DL_VALUE_P_PASSWORD")');
    expect(text).toMatch(/\/\/.*aws_access_key_id, aws_secret_access_key.*config\.requireSecret\(\.\.\.\)/);
    expect(text.match(/\/\/.*aws_access_key_id.*/)).toMatchSnapshot();
  });

  it("need no code if there are none", () => {
    expect(programOf(acme())).not.toMatch(/Config|missingSecret/);
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
  const written = (insight: JsonObject, language: "typescript" | "yaml") => {
    const found = live("insight", "5", { name: "Signups", description: "fn::x", ...insight });
    const all = acme({}, [{ id: "2", name: "Web", lists: { insight: [found] } }]);
    const { files, diagnostics } = exportProgram([all], { ...options, provider: "packaged", language });
    return { text: files[0]?.text ?? "", found: diagnostics.map(({ code, message }) => `${code}: ${message}`) };
  };

  it("is not written, at any depth, with a warning; TypeScript has it", () => {
    fc.assert(
      fc.property(wrapped, fc.constantFrom("filters", "query", "a_new_field"), (value, field) => {
        const yaml = written({ [field]: value }, "yaml");
        expect(yaml.text).not.toMatch(/["'\s]fn::[^x]/i);
        expect(yaml.text).toContain("description: fn::x");
        expect(yaml.found).toMatchObject([expect.stringContaining("not_declarable") as string]);
        expect(written({ [field]: value }, "typescript")).toMatchObject({
          text: expect.stringMatching(/"fn::/i) as string,
          found: [],
        });
      }),
      { numRuns: budget(300) },
    );
    expect(written({ filters: { "fn::readFile": "/etc/passwd" } }, "yaml").found).toMatchSnapshot();
  });
});

describe("a file for import", () => {
  it("leaves out resources that the provider would reject, with a warning", () => {
    const { diagnostics } = exportProgram([everything], options);
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

describe("a program for the packaged provider", () => {
  const packaged = (language: "typescript" | "yaml"): Readonly<Record<string, string>> => {
    const { files } = exportProgram([everything], { ...options, language, provider: "packaged" });
    return Object.fromEntries(files.map(({ name, text }) => [name, text]));
  };

  it.each([
    ["typescript", "index.ts", "packaged.ts.txt"],
    ["yaml", "Pulumi.yaml", "packaged.yaml.txt"],
  ] as const)("in %s looks hand-written", (language, name, golden) => {
    expectGoldenFile(new URL(`golden/${golden}`, import.meta.url), packaged(language)[name] ?? "");
  });

  it("comes with the state of each resource, without what finds the object", () => {
    const { "import.json": text = "" } = packaged("yaml");
    expectGoldenFile(new URL("golden/packaged-import.json.txt", import.meta.url), text);
    const { resources } = JSON.parse(text) as { readonly resources: readonly Entry[] };
    for (const { inputs, outputs } of resources) {
      expect(outputs).toMatchObject(inputs);
      expect(Object.keys(inputs)).not.toContain("adopt");
    }
  });

  it("shows Pulumi the path of the provider, in each language", () => {
    for (const language of ["typescript", "yaml"] as const) {
      const files = packaged(language);
      expect(files["Pulumi.yaml"], language).toContain("path: node_modules/.bin");
      expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ dependencies: { driftline: "^1.2.3" } });
    }
  });
});
