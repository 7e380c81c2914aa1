import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { operations } from "../../src/api/operations/index.ts";
import { explain } from "../../src/cli/commands/explain.ts";
import { kindSchema } from "../../src/kinds/fields.ts";
import { renderKinds } from "../../src/report/index.ts";
import { allKinds, kindOfCollection, kinds } from "../../src/kinds/registry.ts";

const schema = await readFile(new URL("../../schemas/explanation.schema.json", import.meta.url), "utf8");
const isExplanation = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
const known = new Set(Object.keys(operations));

describe("the registry of kinds", () => {
  it("holds every kind that has a schema, under its own name", () => {
    const schemas = readdirSync(new URL("../../schemas/kinds", import.meta.url)).map((file) =>
      file.replace(".schema.json", ""),
    );
    expect(Object.keys(kinds).toSorted()).toEqual(schemas.toSorted());
    expect(Object.entries(kinds).every(([name, kind]) => kind.name === name)).toBe(true);
  });

  it.each(allKinds.map((kind) => [kind.name, kind] as const))("%s uses operations that there are", (_name, kind) => {
    const { operations: used } = explain(kind);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((name) => !known.has(name))).toEqual([]);
  });

  it.each(allKinds.map((kind) => [kind.name, kind] as const))(
    "%s is explained in the form of the schema",
    (_n, kind) => {
      isExplanation(JSON.parse(JSON.stringify(explain(kind))));
      expect(isExplanation.errors ?? []).toEqual([]);
      expect(isExplanation({ ...explain(kind), surplus: 1 })).toBe(false);
    },
  );

  it("a field that not every service has says since when, or where it went", () => {
    const all = allKinds.flatMap((kind) => explain(kind).fields.map((field) => [`${kind.name}.${field.name}`, field]));
    const fieldOf = (name: string): unknown => Object.fromEntries(all)[name] as unknown;
    expect(fieldOf("batch_export.destination.integration")).toMatchObject({ since: "2025-10" });
    expect(fieldOf("identity_provider_config.domain_scope")).toMatchObject({ since: "2026-08" });
    expect(fieldOf("identity_provider_config.saml_acs_url")).toMatchObject({ since: "2026-06" });
    expect(fieldOf("domain.saml_acs_url")).toMatchObject({
      left: expect.stringContaining("identity_provider_configs"),
    });
    expect(fieldOf("domain.domain")).toMatchObject({ since: undefined, left: undefined });
  });

  it("is listed in the form of its schema", async () => {
    const text = await readFile(new URL("../../schemas/kinds.schema.json", import.meta.url), "utf8");
    const ajv = new Ajv({ strict: true }).addSchema(JSON.parse(schema) as object);
    const isList = ajv.compile(JSON.parse(text) as object);
    isList(JSON.parse(renderKinds(allKinds.map(explain), "json", { color: false })));
    expect(isList.errors ?? []).toEqual([]);
    expect(isList({ type: "driftline.kinds", schema_version: 1, kinds: [{}] })).toBe(false);
  });

  it.each(allKinds.map((kind) => [kind.name, kind] as const))(
    "%s names only fields that its schema has",
    (_name, kind) => {
      const fields = Object.keys(kindSchema(kind.name).properties);
      const named = [
        ...kind.identity.keyFields,
        ...(kind.lists.fullListFields ?? []),
        ...Object.keys(kind.comparison.policies ?? {}).map((path) => path.split("/")[1] ?? ""),
      ];
      expect(named.filter((field) => !fields.includes(field))).toEqual([]);
    },
  );

  it.each(allKinds.map((kind) => [kind.name, kind] as const))(
    "%s is found by its collection in each of its scopes",
    (_name, kind) => {
      for (const scope of kind.scopes) expect(kindOfCollection(scope, kind.collection)).toBe(kind);
    },
  );

  it("siblings share a space, both ways", () => {
    for (const kind of allKinds) {
      for (const sibling of kind.identity.siblings) {
        expect(kinds[sibling].identity.idSpace).toBe(kind.identity.idSpace);
        expect(kinds[sibling].identity.siblings).toContain(kind.name);
      }
    }
  });

  it("a kind that removes first holds one object per natural key and cannot be changed in place, or is put together", () => {
    for (const kind of allKinds.filter((one) => one.writes.removeFirst === true)) {
      expect(kind.lists.derived === true || kind.writes.target("organization", { id: "" }).update === undefined).toBe(
        true,
      );
    }
  });
});
