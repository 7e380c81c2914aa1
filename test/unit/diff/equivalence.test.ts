/**
 * Every field of every kind, mutated: what a service does to a value is no difference, and everything else is one.
 *
 * A row has a value as somebody declares it, and the forms in which a service may give the same value back. What must be a
 * difference is not listed but made: every leaf of the value is changed in every way that its type allows.
 */
import { describe, expect, it } from "vitest";
import { compare } from "../../../src/diff/compare.ts";
import { declarableFields } from "../../../src/kinds/fields.ts";
import type { Policy } from "../../../src/kinds/kind.ts";
import { policiesAt } from "../../../src/diff/equal.ts";
import { allKinds, kinds } from "../../../src/kinds/registry.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../src/model/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";

interface Row {
  readonly value: Json;
  readonly same: readonly (Json | undefined)[];
  /** Changes that are none, by the policy that says so; each of them has to be allowed by the kind. */
  readonly hides?: readonly (Policy | "trimmed" | "unordered" | "time_zone")[];
  /** Never shown, so never compared. */
  readonly sealed?: true;
}

const DATE: Row = {
  value: "2024-05-01T12:30:00+02:00",
  same: [
    "2024-05-01T10:30:00Z",
    "2024-05-01T10:30:00.000Z",
    "2024-05-01T10:30:00.000000Z",
    "2024-05-01T08:30:00-02:00",
  ],
  hides: ["time_zone"],
};
const NAME: Row = { value: "Signups per Week", same: [" Signups per Week\n"], hides: ["trimmed"] };
const LEVEL: Row = { value: 8, same: [] };
const FLAG: Row = { value: true, same: [] };
const BLANK: Row = { value: "Why it is", same: ["Why it is "], hides: ["trimmed", "blank_is_null"] };
const PLUGIN: Readonly<Record<string, Row>> = {
  plugin_type: { value: "source", same: [] },
  name: BLANK,
  description: NAME,
  url: {
    value: "https://a.example/plugin?private_token=x",
    same: ["https://a.example/plugin", "https://a.example/plugin?private_token=y", null, undefined],
    hides: ["trimmed", "without_query_string", "absent_is_unknown"],
  },
  icon: NAME,
  config_schema: { value: [{ key: "a", required: true }], same: [[{ required: true, key: "a", more: 1 }]] },
  tag: NAME,
  is_global: FLAG,
  metrics: { value: { a: "sum" }, same: [{ a: "sum", b: "max" }] },
  public_jobs: { value: { run: { payload: {} } }, same: [{ more: 1, run: { payload: {}, x: 1 } }] },
  capabilities: { value: { methods: ["onEvent"] }, same: [{ jobs: [], methods: ["onEvent"] }] },
};

const ROWS: Readonly<Record<KindName, Readonly<Record<string, Row>>>> = {
  organization: { name: NAME, is_member_join_email_enabled: FLAG, enforce_2fa: FLAG },
  domain: {
    domain: { value: "acme.com", same: ["ACME.com", " acme.com"], hides: ["trimmed", "lower_case"] },
    jit_provisioning_enabled: FLAG,
    sso_enforcement: BLANK,
    saml_entity_id: BLANK,
    saml_acs_url: BLANK,
    saml_x509_cert: BLANK,
  },
  membership: { level: LEVEL },
  member: { level: LEVEL },
  invite: {
    target_email: { value: "Ada@Acme.com", same: ["ada@acme.com", " ADA@acme.com"], hides: ["trimmed", "lower_case"] },
    first_name: BLANK,
    level: LEVEL,
    message: BLANK,
  },
  batch_export: {
    name: NAME,
    model: { value: "events", same: [] },
    destination: {
      value: { type: "Postgres", config: { host: "a", port: 5432, has_self_signed_cert: false, deep: [{ on: true }] } },
      same: [
        {
          config: { port: "5432", host: "a", deep: [{ on: "True" }], has_self_signed_cert: "False" },
          type: "Postgres",
        },
        {
          type: "Postgres",
          config: { host: "a", port: 5432, has_self_signed_cert: false, deep: [{ on: true }], x: 1 },
        },
      ],
      hides: ["scalars_as_strings"],
    },
    interval: { value: "hour", same: [] },
    paused: FLAG,
    last_paused_at: DATE,
    start_at: DATE,
    end_at: DATE,
    hogql_query: { value: "select 1", same: [undefined], sealed: true },
  },
  pipeline_destination: PLUGIN,
  pipeline_frontend_app: PLUGIN,
  pipeline_import_app: PLUGIN,
  insight: {
    name: BLANK,
    derived_name: BLANK,
    filters: { value: { events: [{ id: "a" }] }, same: [{ insight: "TRENDS", events: [{ order: 0, id: "a" }] }] },
    query: {
      value: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ event: "A", math: 1 }], version: 1 } },
      same: [
        {
          version: 9,
          source: { version: 2, series: [{ math: 1, event: "A", version: 3 }], kind: "TrendsQuery", interval: "day" },
          kind: "InsightVizNode",
        },
      ],
      hides: ["ignore_version"],
    },
    order: LEVEL,
    dashboards: {
      value: [3, 1, 2],
      same: [
        [1, 2, 3],
        [2, 3, 1, 1],
      ],
      hides: ["unordered"],
    },
    description: BLANK,
    tags: {
      value: ["Growth", " web "],
      same: [
        ["web", "growth"],
        ["growth", "web", "growth"],
      ],
      hides: ["unordered", "trimmed", "lower_case"],
    },
    favorited: FLAG,
    saved: FLAG,
  },
};

const rows = allKinds.flatMap(({ name }) =>
  Object.entries(ROWS[name]).map(([field, row]) => [`${name}.${field}`, name, field, row] as const),
);

const differs = (kind: KindName, field: string, declared: Json, live: Json | undefined): boolean =>
  compare(kinds[kind], { [field]: declared }, live === undefined ? {} : { [field]: live }).length > 0;

/** A changed value, and where it was changed. */
interface Mutant {
  readonly live: Json;
  readonly path: readonly string[];
  readonly what: string;
}

/** The value with one leaf or list changed, in every way. */
function mutants(value: Json, path: readonly string[]): readonly Mutant[] {
  const made = (what: string, live: Json): Mutant => ({ live, path, what });
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    const inner = items.flatMap((item, index) =>
      mutants(item, [...path, String(index)]).map((one) => ({ ...one, live: items.with(index, one.live) })),
    );
    const reversed = items.length > 1 ? [made("reversed", items.toReversed())] : [];
    return [
      ...inner,
      ...reversed,
      made("one more", [...items, "z"]),
      made("one less", items.slice(1)),
      made("null", null),
    ];
  }
  if (isJsonObject(value)) {
    const inner = Object.entries(value).flatMap(([key, item]) => [
      ...mutants(item, [...path, key]).map((one) => ({ ...one, live: { ...value, [key]: one.live } })),
      { live: without(value, key), path: [...path, key], what: "missing" },
    ]);
    return [...inner, made("null", null), made("a list", [value])];
  }
  if (typeof value === "boolean") return [made("flipped", !value), made("null", null), made("text", String(!value))];
  if (typeof value === "number")
    return [made("more", value + 1), made("null", null), made("text", `${String(value)}x`)];
  if (typeof value !== "string") return [made("text", "x")];
  const middle = Math.floor(value.length / 2);
  return [
    made("longer", `${value}x`),
    made("shorter", value.trim().slice(0, -1)),
    made("a blank within", `${value.slice(0, middle)} ${value.slice(middle)}`),
    made("in capitals", value.toUpperCase()),
    made("in small letters", value.toLowerCase()),
    made("empty", ""),
    made("null", null),
  ].filter(({ live }) => live !== value);
}

function without(value: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
}

/** Why a mutant may be no difference: a policy that the row admits to, and that says just that. */
function isHidden({ path, what }: Mutant, row: Row, text: boolean): boolean {
  const hides = new Set(row.hides ?? []);
  if (hides.has("lower_case") && (what === "in capitals" || what === "in small letters")) return true;
  if (hides.has("time_zone") && what === "in small letters") return true;
  if (hides.has("ignore_version") && path.at(-1) === "version") return true;
  if (hides.has("unordered") && what === "reversed") return true;
  if (hides.has("without_query_string") && ["longer", "shorter", "in capitals"].includes(what)) return text;
  if (hides.has("absent_is_unknown") && what === "null") return true;
  return false;
}

describe("every field that can be declared has a row", () => {
  it.each(allKinds.map(({ name }) => [name] as const))("%s", (name) => {
    expect(Object.keys(ROWS[name]).toSorted()).toEqual([...declarableFields(name)].toSorted());
  });
});

describe.each(rows)("%s", (_name, kind, field, { value, same, sealed, ...row }) => {
  it("is what was declared, and so is what a service makes of it", () => {
    for (const live of [value, ...same]) expect(differs(kind, field, value, live), JSON.stringify(live)).toBe(false);
  });

  it("differs by every change that no policy of it hides", () => {
    if (sealed === true) return expect(differs(kind, field, value, undefined)).toBe(false);
    const all = mutants(value, [field]);
    for (const mutant of all) {
      const seen = differs(kind, field, value, mutant.live);
      const hidden = isHidden(mutant, { ...row, value, same }, typeof value === "string" && value.includes("?"));
      // What is said to be hidden may still show: a shorter host is not a shorter query string.
      if (!hidden)
        expect(seen, `${mutant.what} at /${mutant.path.join("/")}: ${JSON.stringify(mutant.live)}`).toBe(true);
    }
    expect(all.length).toBeGreaterThan(1);
  });

  it("tells null from a value, and blank from null where both are kept", () => {
    const own = policiesAt(kinds[kind], [field]);
    const blank = own.includes("blank_is_null") || own.includes("absent_is_unknown");
    if (typeof value === "string" && sealed !== true) expect(differs(kind, field, "", null)).toBe(!blank);
    if (sealed !== true) expect(differs(kind, field, null, value)).toBe(true);
  });

  it("has every policy that its row speaks of, and no other", () => {
    const named = new Set([...policiesAt(kinds[kind], [field]), ...policiesBelow(kind, field)]);
    const spoken = (row.hides ?? []).filter((hidden) => !["trimmed", "unordered", "time_zone"].includes(hidden));
    expect([...named].filter((policy) => policy !== "generated_query").toSorted()).toEqual(spoken.toSorted());
  });
});

function policiesBelow(kind: KindName, field: string): readonly Policy[] {
  return Object.entries(kinds[kind].policies).flatMap(([path, policies]) =>
    path.startsWith(`/${field}/`) ? policies : [],
  );
}
