import { afterEach, describe, expect, it } from "vitest";
import { compare, inspect, isImmutable, livePartners } from "../../../src/diff/compare.ts";
import { comparisonRules } from "../../../src/diff/comparison-rules.ts";
import { policiesAt } from "../../../src/diff/equal.ts";
import { fieldPlace } from "../../../src/diff/place.ts";
import { unverifiablePaths } from "../../../src/diff/shown-as.ts";
import { allKinds, kinds } from "../../../src/kinds/registry.ts";
import { type Json, type JsonObject, Secret, type Value, type ValueObject } from "../../../src/model/json/json.ts";
import { pointer } from "../../../src/model/pointer.ts";
import { UNKNOWN_SECRET } from "../../../src/model/secret-values.ts";
import type { KindName } from "../../../src/model/kind-name.ts";

function differing(kind: KindName, declared: ValueObject, live: JsonObject): readonly string[] {
  return compare(kinds[kind], declared, live).map(({ keys }) => pointer(...keys));
}

const postgres = (config: ValueObject): ValueObject => ({ destination: { type: "Postgres", config } });

describe("a policy hides its own variation, and nothing else", () => {
  it.each<[string, KindName, ValueObject, JsonObject, JsonObject]>([
    [
      "lower_case: an invite's address",
      "invite",
      { target_email: "Ada@Acme.com" },
      { target_email: "ada@acme.com" },
      { target_email: "ada@acme.co" },
    ],
    ["lower_case: a domain", "domain", { domain: "acme.com" }, { domain: "ACME.com" }, { domain: "acme.co" }],
    ["lower_case: tags", "insight", { tags: ["A", " b "] }, { tags: ["b", "a"] }, { tags: ["b", "a", "c"] }],
    ["blank_is_null: a description", "insight", { description: "" }, { description: null }, { description: "-" }],
    ["blank_is_null: sign-in", "domain", { sso_enforcement: "" }, {}, { sso_enforcement: "saml" }],
    ["blank_is_null: the other way round", "insight", { name: null }, { name: " " }, { name: "x" }],
    [
      "blank_is_null: a list",
      "invite",
      { private_project_access: [] },
      { private_project_access: null },
      { private_project_access: [{ id: 1, level: "member" }] },
    ],
    [
      "scalars_as_strings: a number",
      "batch_export",
      postgres({ port: 7 }),
      postgres({ port: "7" }) as JsonObject,
      postgres({ port: "07x" }) as JsonObject,
    ],
    [
      "scalars_as_strings: the other way round",
      "batch_export",
      postgres({ port: "7", has_self_signed_cert: "True" }),
      postgres({ port: 7, has_self_signed_cert: true }) as JsonObject,
      postgres({ port: 8, has_self_signed_cert: true }) as JsonObject,
    ],
    [
      "scalars_as_strings: a boolean",
      "batch_export",
      postgres({ has_self_signed_cert: false }),
      postgres({ has_self_signed_cert: "False" }) as JsonObject,
      postgres({ has_self_signed_cert: "" }) as JsonObject,
    ],
    [
      "scalars_as_strings: below",
      "batch_export",
      postgres({ deep: { list: [1] } }),
      postgres({ deep: { list: ["1"] } }) as JsonObject,
      postgres({ deep: { list: ["2"] } }) as JsonObject,
    ],
    [
      "absent_is_unknown: a plugin's url",
      "pipeline_destination",
      { url: "https://a.b/c" },
      { url: null },
      { url: "https://a.b/d" },
    ],
    [
      "without_query_string: a plugin's url",
      "pipeline_destination",
      { url: "https://a.b/c?private_token=x" },
      { url: "https://a.b/c" },
      { url: "https://a.b/cd" },
    ],
    [
      "ignore_version: a query's version at any depth",
      "insight",
      { query: { source: { version: 1, kind: "A" } } },
      { query: { source: { version: 2, kind: "A" } } },
      { query: { source: { version: 1, kind: "B" } } },
    ],
    ["trimming: a name", "batch_export", { name: " Events " }, { name: "Events" }, { name: "Event s" }],
    [
      "one instant in two zones",
      "batch_export",
      { start_at: "2024-01-01T02:00:00+02:00" },
      { start_at: "2024-01-01T00:00:00.000Z" },
      { start_at: "2024-01-01T00:00:01Z" },
    ],
    [
      "scalars_as_strings: a number with a power of ten",
      "batch_export",
      postgres({ n: 1.5e21 }),
      postgres({ n: "1.5e+21" }) as JsonObject,
      postgres({ n: "1.5e+22" }) as JsonObject,
    ],
    [
      "a part of a time below a microsecond",
      "batch_export",
      { end_at: "2024-01-01T00:00:00.1234569Z" },
      { end_at: "2024-01-01T00:00:00.123456Z" },
      { end_at: "2024-01-01T00:00:00.123457Z" },
    ],
  ])("%s", (_name, kind, declared, same, other) => {
    expect(differing(kind, declared, same)).toEqual([]);
    expect(differing(kind, declared, other)).toHaveLength(1);
  });

  it.each<[string, KindName, ValueObject, JsonObject]>([
    ["letter case of a name", "insight", { name: "A" }, { name: "a" }],
    ["letter case of a domain's settings", "domain", { saml_entity_id: "URN:A" }, { saml_entity_id: "urn:a" }],
    ["white space inside a free-form value", "insight", { query: { event: " a" } }, { query: { event: "a" } }],
    ["letter case inside a free-form value", "insight", { query: { event: "A" } }, { query: { event: "a" } }],
    ["null for blank inside a free-form value", "insight", { query: { event: "" } }, { query: { event: null } }],
    ["text for a number inside a query", "insight", { query: { limit: 7 } }, { query: { limit: "7" } }],
    [
      "a number for text in a destination",
      "batch_export",
      postgres({ table_name: "7" }),
      postgres({ table_name: 7 }) as JsonObject,
    ],
    ["a version outside of a query", "insight", { filters: { version: 1 } }, { filters: { version: 2 } }],
    ["the order of a list in a query", "insight", { query: { series: [1, 2] } }, { query: { series: [2, 1] } }],
    [
      "a time that differs by a millisecond",
      "batch_export",
      { end_at: "2024-01-01T00:00:00.001Z" },
      { end_at: "2024-01-01T00:00:00.002Z" },
    ],
    [
      "a time that differs by a microsecond",
      "batch_export",
      { end_at: "2024-01-01T00:00:00.000001Z" },
      { end_at: "2024-01-01T00:00:00.000002Z" },
    ],
    ["false for null", "organization", { enforce_2fa: false }, { enforce_2fa: null }],
    ["an empty list for null", "insight", { tags: [] }, { tags: null }],
    ["zero for false", "insight", { order: 0 }, { order: null }],
    ["zero for blank in a destination", "batch_export", postgres({ port: 0 }), postgres({ port: " " }) as JsonObject],
    ["nothing for zero in a destination", "batch_export", postgres({ port: 0 }), postgres({ port: "" }) as JsonObject],
    ["false for zero in a destination", "batch_export", postgres({ on: false }), postgres({ on: "0" }) as JsonObject],
    ["another notation of a number", "batch_export", postgres({ port: 16 }), postgres({ port: "0x10" }) as JsonObject],
    ["zero in another notation", "batch_export", postgres({ port: 0 }), postgres({ port: "0x0" }) as JsonObject],
    [
      "a number that is only equal after rounding",
      "batch_export",
      postgres({ n: 2 ** 53 }),
      postgres({ n: "9007199254740993" }) as JsonObject,
    ],
    [
      "a fraction that has a zero within",
      "batch_export",
      { end_at: "2024-01-01T00:00:00.1001Z" },
      { end_at: "2024-01-01T00:00:00.11Z" },
    ],
    ["text that is no time", "batch_export", { end_at: "soon" }, { end_at: "later" }],
  ])("%s is a difference", (_name, kind, declared, live) => {
    expect(differing(kind, declared, live)).not.toEqual([]);
  });
});

describe("a node of another type", () => {
  it("is one difference", () => {
    const declared = { query: { kind: "InsightVizNode", source: { kind: "FunnelsQuery", series: [{ event: "a" }] } } };
    const source = { kind: "TrendsQuery", series: [{ event: "b" }], trendsFilter: { display: "BoldNumber" } };
    expect(compare(kinds.insight, declared, { query: { kind: "InsightVizNode", source } })).toMatchObject([
      { keys: ["query", "source"], live: source, planned: declared.query.source },
    ]);
  });
});

describe("a time without a zone", () => {
  const zone = process.env["TZ"];
  afterEach(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });

  it.each(["UTC", "America/New_York", "Asia/Kolkata"])("is read as UTC, as on the service, also in %s", (name) => {
    process.env["TZ"] = name;
    const at = (declared: string, live: string) => differing("batch_export", { end_at: declared }, { end_at: live });
    expect(at("2024-01-01T12:30:00", "2024-01-01T12:30:00Z")).toEqual([]);
    expect(at("2024-01-01t12:30:00", "2024-01-01T12:30:00+00:00")).toEqual([]);
    expect(at("2024-01-01T12:30:00Z", "2024-01-01 12:30:00")).toEqual([]);
    expect(at("2024-01-01", "2024-01-01T00:00:00Z")).toEqual([]);
    expect(at("2024-01-01T12:30:00+0100", "2024-01-01T11:30:00Z")).toEqual([]);
    expect(at("2024-01-01T12:30:00", "2024-01-01T12:30:00-05:00")).toEqual(["/end_at"]);
    expect(at("2024-01-01T12:30:00.1010", "2024-01-01T12:30:00.101Z")).toEqual([]);
    expect(at("2024-01-01T12:30:00.123456", "2024-01-01T12:30:00.123457Z")).toEqual(["/end_at"]);
  });
});

describe("a value in another notation", () => {
  it("is unverifiable if the service does not show it", () => {
    const declared = { filters: { insight: "TRENDS" }, name: "x" };
    expect(unverifiablePaths(kinds.insight, declared, { query: null })).toEqual(["/filters"]);
  });

  it("is verifiable if it is in the same notation, or if the kind has only one", () => {
    expect(unverifiablePaths(kinds.insight, { filters: {} }, { filters: { insight: "TRENDS" } })).toEqual([]);
    expect(unverifiablePaths(kinds.domain, { domain: "a.com" }, {})).toEqual([]);
  });
});

describe("a policy holds", () => {
  const at = (pattern: string, ...keys: readonly string[]) =>
    policiesAt({ ...kinds.domain, comparison: { policies: { [pattern]: ["lower_case"] } } }, keys).length > 0;

  it.each<[string, readonly string[], boolean]>([
    ["/a", ["a"], true],
    ["/a", ["a", "b"], false],
    ["/a", ["ab"], false],
    ["/a", ["b"], false],
    ["/ab", ["a"], false],
    ["/ab", ["a", "b"], false],
    ["/a/b", ["a", "b"], true],
    ["/a/b", ["a"], false],
    ["/a/b", ["a", "bc"], false],
    ["/a/*", ["a"], false],
    ["/a/*", ["a", "b"], true],
    ["/a/*", ["a", "b", "c"], true],
    ["/a/*", ["a", "*"], true],
    ["/a/*", ["a", ""], true],
    ["/a/*", ["ab", "c"], false],
    ["/a/b", ["a", ""], false],
    ["/a/bc", ["a", "d"], false],
    ["/abc", ["", "bc"], false],
    ["/a/b/*", ["a", "c", "d"], false],
    ["/a/bx", ["a", "/x"], false],
  ])("%s: at %j %s", (pattern, keys, expected) => {
    expect(at(pattern, ...keys)).toBe(expected);
  });

  it("with all others that hold there", () => {
    const policies = { "/a": ["lower_case"], "/a/*": ["ignore_version"], "/a/b": ["blank_is_null"] } as const;
    expect(policiesAt({ ...kinds.domain, comparison: { policies } }, ["a", "b"])).toEqual([
      "ignore_version",
      "blank_is_null",
    ]);
  });
});

describe("the path of a difference", () => {
  it.each<[string, ValueObject, JsonObject, readonly string[]]>([
    ["a scalar", { name: "a" }, { name: "b" }, ["/name"]],
    ["a missing field", { description: "a" }, {}, ["/description"]],
    [
      "a leaf of a free-form value",
      { query: { a: { b: [1, { c: 2 }] } } },
      { query: { a: { b: [1, { c: 3 }] } } },
      ["/query/a/b/1/c"],
    ],
    [
      "a key of a query that is not declared, but not one that is null or a version",
      { query: { a: [{ b: 1 }] } },
      { query: { a: [{ b: 1, c: 2, d: null, version: 1 }] } },
      ["/query/a/0/c"],
    ],
    ["no key of filters that is not declared", { filters: { a: 1 } }, { filters: { a: 1, b: 2 } }, []],
    ["two leaves", { query: { a: 1, b: 2 } }, { query: { a: 2, b: 1 } }, ["/query/a", "/query/b"]],
    ["keys that have to be escaped", { query: { "a/b~c": 1 } }, { query: { "a/b~c": 2 } }, ["/query/a~1b~0c"]],
    ["lists of different lengths", { query: { a: [1] } }, { query: { a: [1, 2] } }, ["/query/a"]],
    ["another kind of node", { query: { a: { b: 1 } } }, { query: { a: [1] } }, ["/query/a"]],
    ["a list for a scalar", { query: { a: 1 } }, { query: { a: [1] } }, ["/query/a"]],
    ["an object for null", { query: { a: 1 } }, { query: null }, ["/query"]],
    ["null for an object", { query: null }, { query: { a: 1 } }, ["/query"]],
    ["a set as a whole", { tags: ["a", "b"] }, { tags: ["b", "c"] }, ["/tags"]],
    ["a key of the prototype's name", { query: { toString: 1 } }, { query: {} }, ["/query/toString"]],
  ])("%s", (_name, declared, live, paths) => {
    expect(differing("insight", declared, live)).toEqual(paths);
  });
});

describe("a value that a service does not return", () => {
  const unreadable = (kind: KindName, declared: ValueObject, live: JsonObject): readonly string[] =>
    inspect(kinds[kind], declared, live).unreadable.map(({ keys }) => pointer(...keys));

  /** Whether a key of a destination counts as unreadable. */
  const isUnreadable = (key: string, declared: Value, live: Json | undefined): boolean =>
    unreadable(
      "batch_export",
      postgres({ [key]: declared }),
      postgres(live === undefined ? {} : { [key]: live }) as JsonObject,
    ).includes(`/destination/config/${key}`);

  it.each<[string, string, Json | undefined, boolean]>([
    ["a secret that is absent", "password", undefined, true],
    ["a secret that is null", "password", null, true],
    ["a secret that is masked", "password", "********", true],
    ["a secret that is masked in words", "password", "[REDACTED]", true],
    ["a secret in clear", "password", "hush", false],
    ["a setting that is shown", "host", undefined, false],
    ["a setting that is shown, and looks masked", "host", "********", false],
  ])("%s", (_name, key, live, expected) => {
    expect(isUnreadable(key, "declared", live)).toBe(expected);
  });

  it.each<[string, ValueObject, JsonObject, boolean]>([
    ["a new secret that is absent", { signing_secret: "x" }, {}, true],
    ["a new secret that is masked", { signing_secret: "x" }, { signing_secret: "********" }, true],
    ["a new secret below a new field", { webhook: { signing_secret: "x" } }, { webhook: {} }, true],
    ["a new secret in clear", { signing_secret: "x" }, { signing_secret: "hush" }, false],
    ["a new secret that is declared as null", { signing_secret: null }, {}, false],
    ["a new switch that is named like a secret", { has_signing_secret: true }, {}, false],
    ["a new field with another name", { color: "red" }, {}, false],
    [
      "a new field that holds a secret among others",
      { webhook: { signing_secret: { of: "x" } } },
      { webhook: {} },
      true,
    ],
    ["a known field that is named like a secret", { query: { signing_secret: "x" } }, { query: {} }, false],
  ])("%s", (_name, declared, live, expected) => {
    expect(unreadable("insight", declared, live).length > 0).toBe(expected);
  });

  it("is compared if it is declared as null, and differs if it is masked or exists", () => {
    for (const live of ["********", "hush"]) expect(isUnreadable("password", null, live)).toBe(false);
    const masked = postgres({ password: "********" }) as JsonObject;
    expect(differing("batch_export", postgres({ password: null }), masked)).toEqual(["/destination/config/password"]);
    expect(differing("batch_export", postgres({ password: null }), postgres({}) as JsonObject)).toEqual([]);
  });

  it("covers the secret placeholder of a Pulumi program at any path", () => {
    for (const live of [{}, { a: null }, { a: "hush" }, { a: { b: 1 } }])
      expect(unreadable("insight", { query: { a: UNKNOWN_SECRET } }, { query: live })).toEqual(["/query/a"]);
    expect(unreadable("insight", { query: { a: "told" } }, { query: {} })).toEqual([]);
  });

  it("is never a difference if it was declared as a secret, at any path", () => {
    const declared: ValueObject = { query: { a: new Secret("${secret:A}"), b: 1 } };
    expect(differing("insight", declared, { query: { a: "hush", b: 1 } })).toEqual([]);
    expect(inspect(kinds.insight, declared, { query: { b: 1 } }).unreadable.map(({ keys }) => keys.join("/"))).toEqual([
      "query/a",
    ]);
  });

  it("is a difference if it is returned and was declared in plain text", () => {
    expect(differing("batch_export", postgres({ password: "a" }), postgres({ password: "b" }) as JsonObject)).toEqual([
      "/destination/config/password",
    ]);
  });

  it("is not one that only mentions something hidden", () => {
    const live = { hogql_query: "select properties.hidden from events" };
    expect(differing("batch_export", { hogql_query: "select 1" }, live)).toEqual(["/hogql_query"]);
  });
});

describe("an inspection", () => {
  it("counts the version of a new element, which is sent", () => {
    const [declared, live] = [
      { query: { s: [{ event: "b", version: 1 }] } },
      { query: { s: [{ event: "a", version: 3 }] } },
    ];
    expect(differing("insight", declared, live)).toEqual(["/query/s/0/event", "/query/s/0/version"]);
  });

  it("lists undeclared live values, except null, versions and those that are managed elsewhere", () => {
    const live = { filters: { a: 1, b: 2, c: null, d: 3 }, query: { a: 1, version: 2 } };
    const options = { ignore: ["/filters/d"], partial: ["query"] };
    expect(inspect(kinds.insight, { filters: { a: 1 }, query: { a: 1 } }, live, options).uncomparedKeys).toEqual([
      "/filters/b",
    ]);
  });

  it("marks the differences that are not declared", () => {
    const differences = compare(kinds.insight, { query: { a: 1 } }, { query: { a: 2, b: 3 } });
    expect(differences.map(({ keys, isUndeclared }) => [pointer(...keys), isUndeclared])).toEqual([
      ["/query/a", undefined],
      ["/query/b", true],
    ]);
  });

  it("rotates no secret that is managed elsewhere, but lists it", () => {
    const declared = postgres({ password: new Secret("${secret:A}") });
    const options = { rotate: true, ignore: ["/destination/config/password"] };
    const { differences, unreadable } = inspect(kinds.batch_export, declared, postgres({}) as JsonObject, options);
    expect([differences.length, unreadable.length]).toEqual([0, 1]);
  });

  it("compares an object although each of its members is managed elsewhere", () => {
    expect(compare(kinds.insight, { query: { a: 1 } }, { query: null }, { ignore: ["/query/*"] })).toHaveLength(1);
  });
});

describe("the field that hides a declared one", () => {
  const FILTERS = { insight: "TRENDS", events: [{ id: "a" }] };
  const query = (event: string): Json => ({ kind: "TrendsQuery", series: [{ kind: "EventsNode", event }] });

  it.each<[string, ValueObject, JsonObject, readonly string[]]>([
    [
      "differs, and so does the declared one",
      { filters: FILTERS },
      { query: query("a") },
      ["/filters/events", "/filters/insight", "/query"],
    ],
    ["differs from null", { filters: FILTERS, query: null }, { filters: FILTERS, query: query("a") }, ["/query"]],
    ["differs from empty filters", { filters: {} }, { query: query("a") }, ["/query"]],
    [
      "differs although the declared one is there as well",
      { filters: FILTERS },
      { filters: FILTERS, query: query("a") },
      ["/query"],
    ],
  ])("%s", (_name, declared, live, paths) => {
    expect(differing("insight", declared, { filters: {}, ...live }).toSorted()).toEqual(paths);
  });

  it("may stay if others manage the declared one", () => {
    for (const shown of [query("b"), { kind: "HogQLQuery" }]) {
      const live = { filters: {}, query: shown };
      expect(compare(kinds.insight, { filters: FILTERS }, live, { ignore: ["filters"] })).toEqual([]);
    }
  });
});

describe("each element of a list is compared with", () => {
  const partners = (declared: readonly Value[], live: readonly Json[], ignore: readonly string[] = []) => {
    const rules = comparisonRules(kinds.batch_export, { ignore });
    return livePartners({ ...fieldPlace(kinds.batch_export, "destination", {}), keys: CONFIG, rules }, declared, live);
  };
  const CONFIG = ["destination", "config", "rows"] as const;

  it.each<[string, readonly Value[], readonly Json[], readonly (number | undefined)[]]>([
    [
      "the one that has another notation of the same",
      [{ port: 7 }, { port: 8 }],
      [{ port: "9" }, { port: "7" }, { port: "8" }],
      [1, 2],
    ],
    ["the one at its place, if all are equal there", [1, 1, 2], ["1", "1", "2"], [0, 1, 2]],
    ["no other one if it is new", [{ a: 1 }, { b: 2 }], [{ b: 2 }], [undefined, 0]],
    [
      "one that says the same as far as it is known: nobody knows a secret",
      [{ a: 1, b: 2, first: new Secret("${secret:A}"), second: new Secret("${secret:B}") }, 5],
      [6, { a: 1, b: 3 }],
      [1, undefined],
    ],
  ])("%s", (_name, declared, live, expected) => {
    expect(partners(declared, live)).toEqual(expected);
  });

  it("the one at its place if that is managed elsewhere, as far as there is one", () => {
    const ignored = (index: number): readonly string[] => [`/destination/config/rows/${index}`];
    expect(partners([{ a: 1 }, { b: 2 }], [{ x: 1 }, { y: 2 }])).toEqual([undefined, undefined]);
    expect(partners([{ a: 1 }, { b: 2 }], [{ x: 1 }, { y: 2 }], ignored(0))).toEqual([0, undefined]);
    expect(partners([{ a: 1 }, { b: 2 }], [{ a: 1 }], ignored(1))).toEqual([0, undefined]);
    expect(partners([{ b: 2 }, { c: 3 }], [{ a: 1 }, { b: 2 }], ignored(1))).toEqual([1, 1]);
  });
});

it("another value needs another object if the service cannot change the field, but not what is inside it", () => {
  const difference = { live: 1, planned: 2, schema: undefined };
  expect(isImmutable({ ...difference, keys: ["model"] }, (field) => field === "model")).toBe(true);
  expect(isImmutable({ ...difference, keys: ["model", "name"] }, (field) => field === "model")).toBe(false);
  expect(isImmutable({ ...difference, keys: ["model", "name"], schema: { "x-immutable": true } }, () => false)).toBe(
    true,
  );
});

it("a kind without rules of its own is compared like the others", () => {
  for (const kind of allKinds) {
    expect(unverifiablePaths(kind, {}, {}), kind.name).toEqual([]);
    expect(comparisonRules(kind, {}).ofUndeclared(["new_field"], 1), kind.name).toBe("noted");
  }
});

it("what only a create is sent along with is not compared", () => {
  const declared = { send_email: false, combine_pending_invites: true };
  expect(inspect(kinds.invite, declared, {}, { rotate: true })).toMatchObject({ differences: [], unreadable: [] });
});

it("what the service sets by itself inside a field is not noted", () => {
  const { ofUndeclared } = comparisonRules(kinds.batch_export, {});
  expect(ofUndeclared(["destination", "config", "legacy_parquet_extension"], true)).toBeUndefined();
  expect(ofUndeclared(["destination", "config", "prefix"], "p")).toBe("noted");
});

it("all of the live element counts in whose place a new one is", () => {
  const declared = { query: { s: [{ event: "new", a: 1 }] } };
  const live = { query: { s: [{ event: "old", a: 1, b: 2, c: null }] } };
  expect(compare(kinds.insight, declared, live, { partial: ["query"] }).map(({ keys }) => pointer(...keys))).toEqual([
    "/query/s/0/event",
    "/query/s/0/b",
  ]);
});

describe("an inherited key of a live value does not count", () => {
  it.each(["__proto__", "constructor", "toString"])("%s", (key) => {
    const filters = (value: Json): JsonObject =>
      JSON.parse(`{"filters": {"a": 1, "${key}": ${JSON.stringify(value)}}}`) as JsonObject;
    for (const value of [1, {}, [], { a: { b: 1 } }]) {
      const leaves = compare(kinds.insight, filters(value), { filters: { a: 1 } });
      expect(leaves.map(({ keys, live }) => [pointer(...keys), live])).toEqual([[`/filters/${key}`, null]]);
      expect(differing("insight", filters(value), filters(value))).toEqual([]);
    }
  });
});

describe("a set that differs", () => {
  it("is sorted, regardless of the order in which the service returns it", () => {
    const shown = (tags: readonly string[], dashboards: readonly number[]) =>
      compare(kinds.insight, { tags: [], dashboards: [] }, { tags, dashboards }).map(({ live }) => live);
    expect(shown(["b", "a"], [10, 9])).toEqual(shown(["a", "b"], [9, 10]));
    expect(shown(["b", "a"], [10, 9])).toEqual([
      ["a", "b"],
      [9, 10],
    ]);
    const mixed = [
      ["b", 10, 9, "a"],
      ["a", 9, "b", 10],
      [10, "b", "a", 9],
    ].map((items) => compare(kinds.insight, { dashboards: [] }, { dashboards: items })[0]?.live);
    expect(new Set(mixed.map((items) => JSON.stringify(items))).size).toBe(1);
  });

  it("is sorted as in earlier versions, so that a saved plan of one of them can be applied", () => {
    const shown = (live: JsonObject) => compare(kinds.insight, { tags: [], dashboards: [] }, live)[0]?.live;
    expect(shown({ tags: ["add", "v9", "_b", "v10", "$a", "Add"] })).toEqual(["$a", "Add", "_b", "add", "v10", "v9"]);
    expect(shown({ tags: [], dashboards: [10, -1, 9, -2] })).toEqual([-2, -1, 9, 10]);
  });

  it("is not sorted if it is a list", () => {
    expect(compare(kinds.insight, { query: { a: [] } }, { query: { a: [2, 1] } })[0]?.live).toEqual([2, 1]);
  });
});
