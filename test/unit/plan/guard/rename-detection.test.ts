import { liftOf } from "../../../support/lift.ts";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compare } from "../../../../src/diff/compare.ts";
import { hasUndeclared } from "../../../../src/diff/undeclared-keys.ts";
import { collectionOf, kinds } from "../../../../src/kinds/registry.ts";
import { mapSecrets, Secret, type Json, type JsonObject, type ValueObject } from "../../../../src/model/json/json.ts";
import { type KindName } from "../../../../src/model/kind-name.ts";
import { listKey, type LiveWorld } from "../../../../src/model/live.ts";
import { declare, live, plan } from "../world.ts";
import { budget, isWhole } from "../../../support/budget.ts";

type Pool = fc.Arbitrary<ValueObject>;

/** Declared and live values. There are few different ones, so that equal ones are frequent. */
interface World {
  readonly kind: KindName;
  readonly scope: string;
  readonly declared: Pool;
  readonly live: fc.Arbitrary<JsonObject>;
  /** How a service returns declared values. */
  readonly answer: (values: ValueObject) => JsonObject;
}

const some = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const few = (model: Readonly<Record<string, fc.Arbitrary<unknown>>>): Pool =>
  fc.record(model, { requiredKeys: [], noNullPrototype: true }) as Pool;

const query = few({
  kind: some("Trends", "Funnels"),
  version: some(1, 2),
  series: some<Json>([], [{ event: "a" }], [{ event: "a", math: 1 }], [{ event: "a" }, { event: "b" }], "none"),
  constructor: some<Json>({}, 1, null),
});
const INSIGHT = {
  tags: some<Json>([], ["Web "], ["web"], ["a", "web"], ["web", "A"]),
  description: some<Json>("", null, "d", " d "),
  dashboards: some<Json>([1, 2], [2, 1]),
};
const filters = few({
  insight: some("TRENDS", "FUNNELS"),
  events: some<Json>([{ id: "a" }], [{ id: "b" }], [{ id: "a" }, { id: "b" }], [{ id: "a", untold: 1 }], {}),
  properties: some<Json>(
    [{ key: "k", value: 1 }],
    { type: "AND", values: [{ key: "k", value: 1 }] },
    { type: "AND", values: [{ type: "AND", values: [{ key: "k", value: 1 }] }] },
    [{ key: "k", value: 2 }],
  ),
  date_from: some("-7d", "-30d"),
  nowhere: some(1, 2),
});

const plain = few({ ...INSIGHT, query: fc.option(query), filters });
const shown = plain as fc.Arbitrary<JsonObject>;
const asIs = (values: ValueObject): JsonObject => mapSecrets(values, () => "********") as JsonObject;

const config = few({ bucket_name: some("b", "c"), port: some<Json>(7, "7", "7.0", true, "True") });
const settings = (secret: fc.Arbitrary<unknown>): Pool =>
  few({
    destination: fc
      .tuple(some("S3", "Postgres"), config, fc.option(secret))
      .map(([type, own, hidden]) => ({
        type,
        config: { ...own, ...(hidden === null ? {} : { aws_secret_access_key: hidden, password: hidden }) },
      })),
    start_at: some(null, "2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00", "2024-01-02"),
  });

const WORLDS: Readonly<Record<string, World>> = {
  "insights that are shown as they are": {
    kind: "insight",
    scope: "acme/projects/web",
    declared: plain,
    live: shown,
    answer: asIs,
  },
  "batch exports": {
    kind: "batch_export",
    scope: "acme",
    declared: settings(some<unknown>("s", new Secret("${secret:S}"), "********")),
    live: settings(some("s", "t", "********")) as fc.Arbitrary<JsonObject>,
    answer: asIs,
  },
  plugins: {
    kind: "pipeline_destination",
    scope: "acme",
    declared: few({ config_schema: some<Json>([], [{ a: 1 }], { a: 1 }, { a: "1" }), tag: some("x", "y") }),
    live: few({
      config_schema: some<Json>([], [{ a: 1 }], [{ a: 1, b: 1 }], { a: 1, b: 2 }, { a: "1" }, null),
      tag: some("x", "y"),
    }) as fc.Arbitrary<JsonObject>,
    answer: asIs,
  },
};

/** A plan of creates beside undeclared objects that may be pruned. */
function planned({ kind, scope }: World, creates: readonly ValueObject[], rows: readonly JsonObject[]) {
  const { lists } = kinds[kind];
  const resources = creates.map((values, index) =>
    declare(`${scope}/${collectionOf(kind)}/n${index}`, { ...values, name: `n${index}` }),
  );
  const [operation = "", ...others] = lists.operations(scope === "acme" ? "organization" : "project");
  const answers = {
    ...Object.fromEntries(others.map((one) => [one, []])),
    [operation]: rows.map((row, index) => ({ paused: false, ...row, id: index + 1, name: `o${index}` })),
  };
  const listed = scope === "acme" ? live(answers) : live({}, answers);
  return { listed, made: plan(resources, listed, { prune: true }, { exclusive: [{ scope, kind }] }) };
}

/** Whether a resource declares a free-form value, and an object has exactly the declared values. It compares one pair. */
function isAlike(kind: KindName, { name: _name, ...others }: ValueObject, values: JsonObject): boolean {
  const freeForm = ["query", "filters", "destination", "config_schema", "capabilities"];
  const says = freeForm.some((field) => (others[field] ?? null) !== null && JSON.stringify(others[field]) !== "{}");
  const isSame = compare(kinds[kind], others, values).length === 0 && !hasUndeclared(kinds[kind], others, values);
  return says && isSame;
}

function objectsIn({ lists }: LiveWorld, { kind, scope }: Pick<World, "kind" | "scope">) {
  return lists.get(listKey(scope, kind))?.objects ?? [];
}

describe("each create is compared with every undeclared object, and each removal with every create:", () => {
  it.each(Object.keys(WORLDS))("%s", (name) => {
    const world = WORLDS[name];
    if (world === undefined) throw new Error(name);
    let [refused, allowed] = [0, 0];
    const property = fc.property(
      fc.array(world.declared, { maxLength: 6 }),
      fc.array(fc.tuple(world.live, fc.option(fc.nat())), { maxLength: 5 }),
      (creates, answers) => {
        const rows = answers.map(([row, choice]) => {
          const values = choice === null ? undefined : creates[choice % Math.max(1, creates.length)];
          return values === undefined ? row : world.answer(values);
        });
        const { made, listed } = planned(world, creates, rows);
        const objects = objectsIn(listed, world);
        const former = creates.map((values) => objects.find((live_) => isAlike(world.kind, values, live_.values)));
        const wanted = former.map((one) =>
          one === undefined ? null : expect.stringContaining(JSON.stringify(one.keys[0])),
        );
        // A removal that empties the collection is looked at elsewhere.
        const lifts = made.changes.map(({ blocked }) =>
          blocked?.rule === "delete_limit" ? null : (liftOf(blocked) ?? null),
        );
        expect(lifts.slice(0, creates.length)).toEqual(wanted);
        const makers = objects.map((live_) => creates.findIndex((values) => isAlike(world.kind, values, live_.values)));
        expect(lifts.slice(creates.length)).toEqual(makers.map((index) => lifts[index] ?? null));
        refused += former.filter((one) => one !== undefined).length;
        allowed += former.filter((one) => one === undefined).length;
      },
    );
    const runs = budget(200);
    fc.assert(property, { numRuns: runs });
    if (isWhole) expect([refused > runs / 4, allowed > runs / 4]).toEqual([true, true]);
  });
});

describe("the values of undeclared objects are not read more often with more creates", () => {
  const world = { kind: "insight", scope: "acme/projects/web" } as const;
  const OBJECTS = 40;

  /** How often the values of all objects were read. */
  function looks(creates: number, declared: (index: number) => JsonObject, row: JsonObject): number {
    let count = 0;
    const resources = Array.from({ length: creates }, (_, index) =>
      declare(`acme/projects/web/insights/n${index}`, { ...declared(index), name: `n${index}` }),
    );
    const rows = Array.from({ length: OBJECTS }, (_, index) => ({ ...row, id: index + 1, name: `o${index}` }));
    const listed = live({}, { "insights.list": rows });
    const objects = objectsIn(listed, world).map(({ values, ...rest }) => ({
      ...rest,
      values: new Proxy(values, {
        get: (target, key, self): unknown => {
          if (key === "query") count += 1;
          return Reflect.get(target, key, self);
        },
      }),
    }));
    const lists = new Map([[listKey(world.scope, world.kind), { status: "known" as const, objects }]]);
    plan(resources, { ...listed, lists });
    return count;
  }

  it("that look like no object", () => {
    const different = (index: number): JsonObject => ({ query: { kind: "Trends", event: `e${index}` } });
    const row = { query: { kind: "Trends", event: "other" } };
    expect(looks(400, different, row)).toBe(looks(4, different, row));
    expect(looks(4, different, row)).toBeGreaterThan(0);
  });

  it("that all look like each object, except once per create", () => {
    const same = (): JsonObject => ({ query: { kind: "Trends" } });
    const row = { query: { kind: "Trends" } };
    const more = (creates: number): number => looks(creates + 100, same, row) - looks(creates, same, row);
    expect(more(200)).toBe(more(2));
  });
});

it.each<[string, readonly JsonObject[], JsonObject, readonly (string | null)[]]>([
  ["that declares all of it", [{ query: { kind: "Trends" } }], { query: { kind: "Trends" } }, ["forgotten_rename"]],
  ["that declares less of it", [{ query: { kind: "Trends" } }], { query: { kind: "Trends", limit: 1 } }, [null]],
  [
    "that declares the same fields, and not of one with others",
    [{ query: { kind: "Trends" } }, { query: { kind: "Trends" }, description: "d" }],
    { query: { kind: "Trends" }, description: "d" },
    [null, "forgotten_rename"],
  ],
  [
    "in another version of its query",
    [{ query: { kind: "Trends", version: 1 } }],
    { query: { kind: "Trends", version: 2 } },
    ["forgotten_rename"],
  ],
  [
    "whose filters the service does not show",
    [
      { filters: { insight: "TRENDS" }, description: "d" },
      { filters: { insight: "FUNNELS" }, description: "d" },
    ],
    { description: "d" },
    ["forgotten_rename", "forgotten_rename"],
  ],
  [
    "whose query is spelt in any of the declared ways",
    ["SELECT event FROM events", "select  event from events", "SELECT uuid FROM events"].map((text) => ({
      hogql_query: text,
      interval: "hour",
      destination: { type: "NoOp", config: {} },
    })),
    {
      interval: "hour",
      destination: { type: "NoOp", config: {} },
      schema: { fields: [], values: {}, hogql_query: "SELECT event FROM events" },
    },
    ["forgotten_rename", "forgotten_rename", null],
  ],
])("an object is the former one of a create %s", (_name, creates, row, rules) => {
  const [collection, world] =
    "interval" in row
      ? ["acme/batch_exports", live({ "batch_exports.list": [{ paused: false, ...row, id: 1, name: "o" }] })]
      : ["acme/projects/web/insights", live({}, { "insights.list": [{ ...row, id: 1, name: "o" }] })];
  const resources = creates.map((values, index) =>
    declare(`${collection}/n${index}`, { ...values, name: `n${index}` }),
  );
  const { changes } = plan(resources, world);
  expect(changes.map(({ blocked }) => blocked?.rule ?? null)).toEqual(rules);
});
