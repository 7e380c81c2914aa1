import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../../../src/diff/compare.ts";
import { replacedLeaves, replacementOf } from "../../../src/diff/replacement.ts";
import { declarableFields, kindSchema } from "../../../src/kinds/fields.ts";
import { silentFieldsFor } from "../../../src/kinds/people/index.ts";
import { allKinds, kinds } from "../../../src/kinds/registry.ts";
import { canonicalJson } from "../../../src/model/json/canonical-json.ts";
import { Secret, type Json, type JsonObject, type ValueObject } from "../../../src/model/json/json.ts";
import { pointer } from "../../../src/model/pointer.ts";
import { budget } from "../../support/budget.ts";
import { allSpecimens } from "../../support/interface/index.ts";
import { allFieldsOf } from "../../support/interface/specimen.ts";
import { isSameNotation, pairs } from "./values.ts";

const HTTP = { type: "HTTP", config: { url: "https://acme.com/hook", token: "********" } };
const NOOP = { type: "NoOp", config: {} };

describe("a replacement of a batch export", () => {
  const of = (declared: ValueObject, live: JsonObject) => replacementOf(kinds.batch_export, declared, live);

  it.each<[string, ValueObject, JsonObject, ValueObject, readonly string[]]>([
    [
      "keeps what is not declared",
      { destination: NOOP },
      { destination: HTTP, model: "persons", start_at: "2026-01-01T00:00:00Z", hogql_query: null, schema: null },
      { destination: NOOP, model: "persons", start_at: "2026-01-01T00:00:00Z" },
      [],
    ],
    [
      "keeps null where it is not the default",
      { destination: NOOP },
      { destination: HTTP, model: null, hogql_query: null, schema: null },
      { destination: NOOP, model: null },
      [],
    ],
    [
      "gets no value that the service sets itself",
      {},
      { last_paused_at: "2026-01-01T00:00:00Z", hogql_query: null, schema: null },
      {},
      [],
    ],
    [
      "loses a query that is never shown",
      { name: "a" },
      { name: "b", schema: { hogql_query: "x" } },
      { name: "a" },
      ["/hogql_query"],
    ],
    [
      "loses a query if the service does not say whether there is one",
      { name: "a" },
      { name: "b" },
      { name: "a" },
      ["/hogql_query"],
    ],
    [
      "gets a query that is declared",
      { hogql_query: "select 1" },
      { schema: { hogql_query: "x" } },
      { hogql_query: "select 1" },
      [],
    ],
    [
      "loses secrets of a destination that is not declared",
      { name: "a" },
      { destination: HTTP, hogql_query: null, schema: null },
      { name: "a", destination: { type: "HTTP", config: { url: "https://acme.com/hook" } } },
      ["/destination/config/token"],
    ],
    [
      "loses secrets that are not returned, and keeps one that is",
      {},
      {
        destination: { type: "S3", config: { bucket_name: "b", aws_access_key_id: null, aws_secret_access_key: "k" } },
        hogql_query: null,
        schema: null,
      },
      { destination: { type: "S3", config: { bucket_name: "b", aws_secret_access_key: "k" } } },
      ["/destination/config/aws_access_key_id"],
    ],
    [
      "loses secrets that are left out",
      {},
      { destination: { type: "HTTP", config: {} }, hogql_query: null, schema: null },
      { destination: { type: "HTTP", config: {} } },
      ["/destination/config/token"],
    ],
    [
      "keeps the integration, but no setting that the service adds itself",
      { model: "persons", destination: { type: "AwsS3", config: { region: "us" } } },
      {
        model: "events",
        destination: { type: "AwsS3", config: { region: "eu", legacy_parquet_extension: true }, integration: 7 },
        hogql_query: null,
        schema: null,
      },
      { model: "persons", destination: { type: "AwsS3", config: { region: "us" }, integration: 7 } },
      [],
    ],
    [
      "loses no credentials that an integration holds",
      {},
      { destination: { type: "Postgres", config: { database: "d" }, integration: 7 }, hogql_query: null, schema: null },
      { destination: { type: "Postgres", config: { database: "d" }, integration: 7 } },
      [],
    ],
    [
      "loses settings of another type that driftline has no name for, unless they are declared",
      { destination: { type: "Postgres", config: { host: "h", retries: 2 } } },
      {
        destination: { type: "S3", config: { bucket_name: "b", retries: 3, new_setting: 1, unset: null } },
        hogql_query: null,
        schema: null,
      },
      { destination: { type: "Postgres", config: { host: "h", retries: 2 } } },
      ["/destination/config/new_setting"],
    ],
    [
      "loses credentials without an integration",
      {},
      {
        destination: { type: "Postgres", config: { database: "d" }, integration: null },
        hogql_query: null,
        schema: null,
      },
      { destination: { type: "Postgres", config: { database: "d" }, integration: null } },
      ["/destination/config/user", "/destination/config/password"],
    ],
    ["is not sent the defaults", {}, { model: "events", paused: false, hogql_query: null, schema: null }, {}, []],
  ])("%s", (_name, declared, live, values, lost) => {
    const carried = Object.fromEntries(Object.entries(values).filter(([field]) => !(field in declared)));
    expect(of(declared, live)).toStrictEqual({ values, carried, lost });
  });

  it("loses masks at every depth, and keeps what is around them", () => {
    const live = {
      query: {
        deep: { list: ["ab***", "x", { api_key: "[masked]", a: "[masked]" }], tokens: { token: ["a***", "y"] } },
      },
    };
    const { carried, lost } = replacementOf(kinds.insight, {}, live);
    expect(carried).toStrictEqual({
      query: { deep: { list: ["ab***", "x", { a: "[masked]" }], tokens: { token: ["y"] } } },
    });
    expect(lost).toEqual(["/query/deep/list/2/api_key", "/query/deep/tokens/token/0"]);
  });

  it("loses masks in a list and in an object with the name of a secret", () => {
    const live = { query: { api_keys: ["[masked]", "in clear"], credentials: { user: "me", key: "hidden" } } };
    const { carried, lost } = replacementOf(kinds.insight, {}, live);
    expect(carried).toStrictEqual({ query: { api_keys: ["in clear"], credentials: { user: "me" } } });
    expect(lost).toEqual(["/query/api_keys/0", "/query/credentials/key"]);
  });

  it("loses masks beside the declared keys of a field", () => {
    const live = {
      url: "https://old",
      config_schema: { a: 1, api_key: "[masked]", credentials: { key: "hidden", b: 2 } },
    };
    const { values, lost } = replacementOf(kinds.pipeline_destination, { config_schema: { a: 2 } }, live);
    expect(values["config_schema"]).toStrictEqual({ credentials: { b: 2 }, a: 2 });
    expect(lost).toEqual(["/config_schema/api_key", "/config_schema/credentials/key"]);
  });

  it("loses what is nothing but stars in a field without a name, and keeps a text with stars in it", () => {
    const live = { note: "ab***", other: "***ab", hidden: "***" };
    const { carried, lost } = replacementOf(kinds.batch_export, {}, live);
    expect([carried, lost]).toEqual([{ note: "ab***", other: "***ab" }, ["/hogql_query", "/hidden"]]);
  });

  it("loses no key of a free-form value in the place of another node", () => {
    const live = { query: { kind: "TrendsQuery", limit: 1 } };
    const { lost } = replacementOf(kinds.insight, { query: { kind: "FunnelsQuery" } }, live, { partial: ["query"] });
    expect(lost).toEqual([]);
  });

  it("keeps a text that looks like a mask, and leaves it to others who own it", () => {
    const live = { first_name: "hidden", message: "<hidden>", level: 8 };
    const { values, lost } = replacementOf(kinds.invite, { message: "Hi" }, live, { ignore: ["message"] });
    expect([values, lost]).toEqual([live, []]);
  });

  it("leaves to others what they own", () => {
    const live = { name: "live", model: "persons", hogql_query: null, schema: null };
    expect(replacementOf(kinds.batch_export, { name: "a" }, live, { ignore: ["name"] }).values).toEqual({
      name: "live",
      model: "persons",
    });
    expect(replacementOf(kinds.batch_export, { name: "a" }, {}, { ignore: ["name"] }).values).toEqual({ name: "a" });
  });

  it("shows every field in which it differs, and every secret that is sent or goes", () => {
    const secret = new Secret("${secret:K}");
    const planned = { destination: { type: "S3", config: { bucket_name: "b", aws_secret_access_key: secret } } };
    const live = {
      destination: { type: "HTTP", config: { url: "u", token: "hush" } },
      last_paused_at: "2026-01-01T00:00:00Z",
    };
    const leaves = replacedLeaves(kinds.batch_export, planned, live);
    expect(leaves.map(({ keys, live: before, planned: next }) => [pointer(...keys), before, next])).toEqual([
      ["/destination/type", "HTTP", "S3"],
      ["/destination/config/bucket_name", null, "b"],
      ["/destination/config/aws_secret_access_key", null, secret],
      ["/destination/config/url", "u", null],
      ["/last_paused_at", "2026-01-01T00:00:00Z", null],
      ["/destination/config/token", "hush", null],
    ]);
    expect(leaves.at(-1)?.schema?.format).toBe("password");
  });

  it("shows no default that the new object has as well, and no key twice", () => {
    const planned = { query: { a: 1 } };
    const leaves = replacedLeaves(kinds.insight, planned, { query: { a: 1, b: 2 }, saved: true, tags: ["t"] });
    expect(leaves.map(({ keys, live: before, planned: next }) => [pointer(...keys), before, next])).toEqual([
      ["/tags", ["t"], null],
      ["/query/b", 2, null],
    ]);
  });

  it("shows no element of a list that a server has stored as text", () => {
    const planned = { destination: { type: "NoOp", config: { flags: [{ deep: true }, false] } } };
    const live = { destination: { type: "HTTP", config: { flags: [{ deep: "True" }, "False"] } } };
    const leaves = replacedLeaves(kinds.batch_export, planned, live);
    expect(leaves.map(({ keys }) => pointer(...keys))).toEqual(["/destination/type"]);
  });
});

describe("a replacement of any kind", () => {
  it.each(allSpecimens)("%s gets every undeclared field that is live", (name, specimen) => {
    const fields = allFieldsOf(specimen);
    const kind = kinds[name];
    const own = new Set([
      ...(kind.comparison?.setByService ?? []),
      ...Object.keys(fields).filter((field) => fields[field]?.sealed === true),
    ]);
    for (const field of declarableFields(name)) {
      const value = (fields[field]?.value ?? fields[field]?.next) as Json;
      const { values, lost } = replacementOf(kind, {}, { [field]: value });
      if (own.has(field)) continue;
      const isSame = canonicalJson(values[field] ?? null) === canonicalJson(value);
      const isStandard = canonicalJson(value) === canonicalJson(kindSchema(name).properties[field]?.default ?? null);
      expect(isSame || isStandard || lost.some((path) => path.startsWith(`/${field}/`)), `${name}.${field}`).toBe(true);
    }
  });

  it("has the declared values, and of the others those of the old object or a path that is lost", () => {
    const property = fc.property(pairs, ({ name, left, right }) => {
      const kind = kinds[name];
      const { values, lost } = replacementOf(kind, left, right);
      fc.pre(isSameNotation(name, left, values as JsonObject));
      expect(compare(kind, left, values as JsonObject)).toEqual([]);
      for (const [field, value] of Object.entries(right)) {
        if (field in left || kind.comparison?.setByService?.includes(field) === true) continue;
        const isKept = canonicalJson(values[field] ?? null) === canonicalJson(value);
        const isStandard = canonicalJson(value) === canonicalJson(kindSchema(name).properties[field]?.default ?? null);
        expect(isKept || isStandard || lost.some((path) => path.startsWith(`/${field}`)), field).toBe(true);
      }
    });
    fc.assert(property, { numRuns: budget(1000) });
  });

  it("is of a kind that can be replaced", () => {
    const isReplaced = ({ name, writes }: (typeof allKinds)[number]): boolean =>
      writes.onePerKey === true || JSON.stringify(kindSchema(name)).includes('"x-immutable":true');
    expect(allKinds.filter(isReplaced).map(({ name }) => name)).toContain("batch_export");
  });
});

describe("a replacement is not announced again", () => {
  const silentFields = { send_email: false };
  const of = (isExpired: boolean, declared: ValueObject) =>
    silentFieldsFor(
      { silentFields, ...(isExpired ? { state: "expired" } : {}) },
      compare(kinds.invite, declared, { level: "member" }),
    );

  it("unless the announcement differs, or the old one has expired", () => {
    expect(of(false, { level: "admin" })).toEqual(silentFields);
    expect(of(false, { level: "admin", message: "Hello" })).toBeUndefined();
    expect(of(true, { level: "admin" })).toBeUndefined();
  });
});
