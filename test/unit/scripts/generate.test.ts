import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { mapValues } from "../../../scripts/generate/schema-tools.ts";
import { compiledFiles } from "../../../scripts/compile-schemas.ts";
import { generate, generateFromCode } from "../../../scripts/generate.ts";
import { type FieldSchema, type KindSchema, schemas } from "../../../src/generated/schemas.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { specimens } from "../../support/interface/index.ts";
import { allFieldsOf, type Specimen } from "../../support/interface/specimen.ts";

const ROOT = new URL("../../..", import.meta.url);
const KINDS = Object.keys(specimens) as KindName[];

/** The interface's fields of what stands inside objects. */
const EMBEDDED: Readonly<Record<string, string>> = {
  User: "id uuid distinct_id first_name last_name email is_email_verified hedgehog_config",
  BatchExportRun: `id status records_completed latest_error data_interval_start data_interval_end cursor created_at
    finished_at last_updated_at records_total_count batch_export`,
  DashboardTile: "id dashboard_id deleted",
};

describe("generated files", () => {
  it("are what the schemas give, byte for byte", async () => {
    const files = new Map([...(await generate()), ...(await compiledFiles()), ...(await generateFromCode())]);
    expect([...files.keys()].toSorted()).toEqual([
      "docs/_index.md",
      "docs/installation-configuration.md",
      "schemas/README.md",
      "schemas/config.schema.json",
      "schemas/outcomes.schema.json",
      "schemas/plan.schema.json",
      "schemas/pulumi.schema.json",
      "src/generated/kind-names.ts",
      "src/generated/plan-validator.ts",
      "src/generated/pulumi-enums.ts",
      "src/generated/pulumi.ts",
      "src/generated/query-nodes.ts",
      "src/generated/schemas.ts",
      "src/generated/types.ts",
      "src/generated/validators.ts",
      "src/generated/version.ts",
      "src/kinds/all-kinds.ts",
      "src/kinds/all-operations.ts",
      "src/pulumi/dynamic.ts",
      "src/pulumi/index.ts",
      "src/pulumi/packaged.ts",
      "src/pulumi/resources/types.ts",
    ]);
    for (const [path, text] of files) {
      const stale = (await readFile(new URL(path, ROOT), "utf8")) !== text;
      expect(stale, `${path} is stale: run npm run generate`).toBe(false);
    }
  });
});

describe("kind schemas", () => {
  it("exist for every kind, and for no other", () => {
    expect(Object.keys(schemas).toSorted()).toEqual(KINDS.toSorted());
  });

  it.each(KINDS)("%s has the interface's fields, writable and read-only ones", (kind) => {
    const { properties } = schemas[kind];
    const fields = Object.keys(properties).toSorted();
    expect(fields.filter((key) => !properties[key]?.readOnly)).toEqual(writable(kind));
    expect(fields.filter((key) => properties[key]?.readOnly)).toEqual(names(specimens[kind].readOnly));
  });

  it.each(KINDS)("%s describes every field, with its source, and has an example of every writable one", (kind) => {
    for (const [path, field] of allFields(schemas[kind])) {
      expect(field.description, path).toMatch(
        /\S\.( Interface: [A-Z][\w ,]+\.)?( Server facts\.)?( Current service\.)?$/,
      );
    }
    for (const key of writable(kind)) expect(schemas[kind].properties[key]?.examples, key).toBeDefined();
  });

  it.each(KINDS)("%s requires and pins by fields that it has, and its references lead somewhere", (kind) => {
    const schema = schemas[kind];
    for (const key of schema.required) expect(schema.properties[key]?.readOnly, key).toBeUndefined();
    for (const key of schema["x-pins"]) expect(schema.properties[key]?.readOnly, key).toBe(true);
    const targets = [...JSON.stringify(schema).matchAll(/"#\/definitions\/(\w+)"/g)].map((match) => match[1]);
    expect(new Set(targets)).toEqual(new Set(Object.keys(schema.definitions ?? {})));
  });

  it.each(Object.keys(EMBEDDED))("every %s has the interface's fields", (title) => {
    const found = KINDS.map((kind) => schemas[kind].definitions?.[title]).filter(
      (definition) => definition !== undefined,
    );
    expect(found.length).toBeGreaterThan(0);
    for (const definition of found) {
      expect(Object.keys(definition.properties ?? {}).toSorted()).toEqual(names(EMBEDDED[title] ?? ""));
      expect(definition).toEqual(found[0]);
    }
  });

  it("differ among plugins only in what they are called, and in examples", () => {
    const [first, ...others] = KINDS.filter((kind) => kind.startsWith("pipeline_")).map((kind) => {
      const { $id: _id, title: _title, description: _description, properties, ...rest } = schemas[kind];
      return { ...rest, properties: mapValues(properties, ({ examples: _examples, ...field }) => field) };
    });
    for (const other of others) expect(other).toEqual(first);
  });
});

describe("flags", () => {
  it("mark secrets in destination settings, and what is dropped on read without being one", () => {
    const all = [...allFields(schemas.batch_export)];
    const writeOnly = all.filter(([, field]) => field.writeOnly);
    const last = (path: string): string => path.split("/").at(-1) ?? "";
    expect(unique(writeOnly.filter(([, field]) => field.format === "password").map(([path]) => last(path)))).toEqual(
      names("aws_access_key_id aws_secret_access_key password private_key private_key_id private_key_passphrase token"),
    );
    expect(unique(writeOnly.filter(([, field]) => field.format !== "password").map(([path]) => last(path)))).toEqual(
      names("client_email hogql_query token_uri user"),
    );
  });

  it.each<[keyof FieldSchema, string]>([
    [
      "x-immutable",
      "invite/combine_pending_invites invite/first_name invite/level invite/message invite/private_project_access " +
        "invite/send_email invite/target_email " +
        plugins("url"),
    ],
    ["x-undeclarable", "insight/deleted"],
    ["deprecated", "insight/dashboards"],
    [
      "x-unordered",
      "identity_provider_config/id_jag_allowed_clients identity_provider_config/organization_domain_ids " +
        "insight/dashboards insight/tags invite/private_project_access",
    ],
    ["x-once", "insight/_create_in_folder invite/combine_pending_invites invite/send_email"],
  ])("%s stands on exactly these fields", (flag, expected) => {
    const fields = KINDS.flatMap((kind) =>
      Object.entries(schemas[kind].properties).map(([key, field]) => ({ path: `${kind}/${key}`, field })),
    );
    expect(unique(fields.filter(({ field }) => field[flag] === true).map(({ path }) => path))).toEqual(names(expected));
  });
});

function names(text: string): string[] {
  return text.split(/\s+/).toSorted();
}

function writable(kind: KindName): string[] {
  const { undeclarable = [] }: Specimen = specimens[kind];
  return [...Object.keys(allFieldsOf(specimens[kind])), ...undeclarable].toSorted();
}

function plugins(field: string): string {
  return KINDS.filter((kind) => kind.startsWith("pipeline_"))
    .map((kind) => `${kind}/${field}`)
    .join(" ");
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].toSorted();
}

function* allFields(schema: KindSchema): Generator<[string, FieldSchema]> {
  yield* Object.entries(schema.properties);
  yield* Object.entries(schema.properties["destination"]?.properties ?? {});
  for (const [title, definition] of Object.entries(schema.definitions ?? {})) {
    for (const [key, field] of Object.entries(definition.properties ?? {})) yield [`${title}/${key}`, field];
  }
}
