import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { kindSchema } from "../../src/kinds/fields.ts";
import { PERSON } from "../../src/kinds/people/people.ts";
import {
  scopesOfKind,
  collectionOf,
  allKinds,
  isPerson,
  kindOfCollection,
  kinds,
  isDerived,
} from "../../src/kinds/registry.ts";
import { cli } from "../support/cli.ts";

describe("the registry of kinds", () => {
  it("holds every kind that has a schema, under its own name", () => {
    const schemas = readdirSync(new URL("../../schemas/kinds", import.meta.url)).map((file) =>
      file.replace(".schema.json", ""),
    );
    expect(Object.keys(kinds).toSorted()).toEqual(schemas.toSorted());
    expect(Object.entries(kinds).every(([name, kind]) => kind.name === name)).toBe(true);
  });

  it.each(["", ...Object.keys(kinds), "batch_export.destination.type"])(
    "explain %s has a document of its schema",
    async (name) => {
      const file = name === "" ? "kinds" : "explanation";
      const schema = await readFile(new URL(`../../schemas/${file}.schema.json`, import.meta.url), "utf8");
      const isValid = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
      const { stdout } = await cli(["explain", ...(name === "" ? [] : [name]), "--format", "json"], {
        cwd: "/",
        env: {},
      });
      const document = JSON.parse(stdout) as object;
      isValid(document);
      expect(isValid.errors ?? []).toEqual([]);
      expect(isValid({ ...document, surplus: 1 })).toBe(false);
    },
  );

  it.each(allKinds.map((kind) => [kind.name, kind] as const))(
    "%s names only fields that its schema has",
    (_name, kind) => {
      const fields = Object.keys(kindSchema(kind.name).properties);
      const named = [
        ...kind.identity.keyFields,
        ...(kind.lists.fullListFields ?? []),
        ...Object.keys(kind.comparison?.policies ?? {}).map((path) => path.split("/")[1] ?? ""),
      ];
      expect(named.filter((field) => !fields.includes(field))).toEqual([]);
    },
  );

  it.each(allKinds.map((kind) => [kind.name, kind] as const))(
    "%s is found by its collection in each of its scopes",
    (_name, kind) => {
      for (const scope of scopesOfKind(kind.name)) expect(kindOfCollection(scope, collectionOf(kind.name))).toBe(kind);
    },
  );

  it("the kinds of people are those that share the ids of people", () => {
    expect(allKinds.filter(({ name }) => isPerson(name))).toEqual(
      allKinds.filter(({ identity }) => identity.idSpace === PERSON.idSpace),
    );
  });

  it("a kind with one object per key cannot be changed in place, or is put together", () => {
    for (const kind of allKinds.filter(({ writes }) => writes.onePerKey === true)) {
      expect(isDerived(kind) || kind.writes.target("organization", { id: "" }).update === undefined).toBe(true);
    }
  });
});
