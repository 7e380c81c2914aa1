import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { Resource } from "../../../src/model/resource.ts";
import { budget } from "../../support/budget.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { ACME, changeOf, declare, live, plan } from "./world.ts";

/** A kind with its list, the field that is its name, two names, and other fields with two values each. */
interface Named {
  readonly collection: string;
  readonly list: string;
  readonly field: string;
  readonly names: readonly [former: string, current: string];
  readonly fields: Readonly<Record<string, readonly [JsonObject[string], JsonObject[string]]>>;
}

const NAMED: readonly Named[] = [
  {
    collection: "acme/projects/web/insights",
    list: "insights.list",
    field: "name",
    names: ["Signups", "Signups (2025)"],
    fields: { description: ["a", "b"], query: [{ kind: "A" }, { kind: "B" }], tags: [["x"], ["x", "y"]] },
  },
  {
    collection: "acme/projects/web/batch_exports",
    list: "project_batch_exports.list",
    field: "name",
    names: ["Nightly", "Nightly (2025)"],
    fields: { interval: ["hour", "day"], paused: [true, false] },
  },
  {
    collection: "acme/domains",
    list: "domains.list",
    field: "domain",
    names: ["acme.com", "acme.io"],
    fields: { jit_provisioning_enabled: [true, false], sso_enforcement: ["github", "gitlab"] },
  },
  {
    collection: "acme/pipeline_destinations",
    list: "pipeline_destinations.list",
    field: "name",
    names: ["Sink", "Sink (2025)"],
    fields: { description: ["a", "b"] },
  },
  {
    collection: "acme/identity_provider_configs",
    list: "identity_provider_configs.list",
    field: "name",
    names: ["Okta", "Okta (2025)"],
    fields: { domain_scope: ["all", "selected"], saml_entity_id: ["a", "b"] },
  },
];

const rowsOf = ({ collection, list }: Named, rows: readonly JsonObject[]) =>
  collection.startsWith("acme/projects") ? live({}, { [list]: rows }) : live({ [list]: rows });

/** Picks one of two values for some of the fields. */
const choice = (fields: Named["fields"], isWhole: boolean) =>
  fc.record(
    Object.fromEntries(Object.entries(fields).map(([field, values]) => [field, fc.constantFrom(...values)])),
    isWhole ? {} : { requiredKeys: [] },
  ) as fc.Arbitrary<Readonly<Record<string, JsonObject[string]>>>;

const situation = fc
  .constantFrom(...NAMED)
  .chain((named) =>
    fc.record({
      named: fc.constant(named),
      row: choice(named.fields, true),
      old: choice(named.fields, false),
      successor: choice(named.fields, false),
      isFormerLive: fc.boolean(),
      isCurrentLive: fc.boolean(),
      isSuccessorFirst: fc.boolean(),
    }),
  );

const says = (declared: Readonly<Record<string, unknown>>, row: Readonly<Record<string, unknown>>): boolean =>
  Object.entries(declared).every(([field, value]) => JSON.stringify(row[field]) === JSON.stringify(value));

const conflicts = ({ diagnostics }: Plan): readonly (string | undefined)[] =>
  diagnostics.flatMap(({ code, address }) => (code === "rename_conflict" ? [address] : []));

describe("a rename beside a resource that takes the old name", () => {
  it("never has two resources write one object, and pins and values alone say whose it is", () => {
    fc.assert(
      fc.property(situation, ({ named, row, old: own, successor: taking, ...is }) => {
        const [former, current] = named.names;
        const old = declare(
          `${named.collection}/${is.isSuccessorFirst ? "z" : "a"}`,
          { ...own, [named.field]: current },
          { lifecycle: { renamed_from: former } },
        );
        const successor = declare(`${named.collection}/m`, { ...taking, [named.field]: former });
        const rows = [
          ...(is.isFormerLive ? [{ id: 1, [named.field]: former, ...row }] : []),
          ...(is.isCurrentLive ? [{ id: 2, [named.field]: current, ...row }] : []),
        ];
        const resources = is.isSuccessorFirst ? [successor, old] : [old, successor];
        const made = plan(resources, rowsOf(named, rows));
        const found = [old, successor].map(({ address }) => changeOf(made, address).id);
        if (is.isCurrentLive || !is.isFormerLive) {
          expect(found).toEqual([is.isCurrentLive ? "2" : null, is.isFormerLive ? "1" : null]);
          expect(conflicts(made)).toEqual([]);
        } else if (says(own, row)) {
          expect(found).toEqual(["1", null]);
          expect(changeOf(made, successor.address).action).toBe("create");
        } else if (says(taking, row)) {
          expect(found).toEqual([null, "1"]);
          expect(changeOf(made, old.address).action).toBe("create");
          expect(changeOf(made, successor.address).action).toBe("no_op");
        } else {
          expect(conflicts(made)).toHaveLength(2);
          expect(made.changes.map(({ action }) => action)).toEqual(["unknown", "unknown"]);
        }
      }),
      { numRuns: budget(2000) },
    );
  });
});

const WEB = "acme/projects/web/insights";
const insights = (...names: readonly string[]) =>
  live({}, { "insights.list": names.map((name, index) => ({ id: index + 1, name })) });
const renamed = (key: string, name: string, from: string, more: Partial<Resource> = {}): Resource =>
  declare(`${WEB}/${key}`, { name }, { lifecycle: { renamed_from: from }, ...more });
const ids = (made: Plan): Readonly<Record<string, string | null>> =>
  Object.fromEntries(made.changes.map(({ address, id }) => [address.slice(WEB.length + 1), id]));

describe("renames one after the other", () => {
  it("are matched from the end of their row", () => {
    const row = [renamed("a", "B", "A"), renamed("b", "C", "B"), declare(`${WEB}/n`, { name: "A" })];
    for (const resources of [row, row.toReversed()]) {
      const made = plan(resources, insights("A", "B"));
      expect(ids(made)).toEqual({ a: "1", b: "2", n: null });
      expect(conflicts(made)).toEqual([]);
    }
  });

  it.each([
    ["two", [renamed("a", "B", "A"), renamed("b", "A", "B")], insights("A", "B")],
    ["two, of which one is there", [renamed("a", "B", "A"), renamed("b", "A", "B")], insights("A")],
    ["three", [renamed("a", "B", "A"), renamed("b", "C", "B"), renamed("c", "A", "C")], insights("A", "B", "C")],
  ])("in a circle of %s are refused, and ids are the way out", (_name, resources, world) => {
    const made = plan(resources, world);
    expect(made.changes.map(({ action }) => action)).toEqual(resources.map(() => "unknown"));
    const said = made.diagnostics.filter(({ code }) => code === "rename_conflict");
    expect(said).toHaveLength(resources.length);
    expect(said.map(({ message, hint }) => `${message}. ${hint ?? ""}`)).toMatchSnapshot();
    const pinned = resources.map((one, index) => ({ ...one, pin: { field: "id", value: String(index + 1) } }));
    expect(conflicts(plan(pinned, world))).toEqual([]);
  });

  it("in a circle are creates if none of their objects is there", () => {
    const made = plan([renamed("a", "B", "A"), renamed("b", "A", "B")], insights("C"));
    expect(made.changes.map(({ action }) => action)).toEqual(["create", "create"]);
  });

  it("are refused if two resources had one name", () => {
    const made = plan([renamed("a", "B", "A"), renamed("c", "C", "A")], insights("A"));
    expect(conflicts(made)).toHaveLength(2);
  });

  it("are refused if two resources had one name that a third one has now", () => {
    const made = plan(
      [renamed("a", "B", "A"), renamed("c", "C", "A"), declare(`${WEB}/n`, { name: "A" })],
      insights("A"),
    );
    expect(ids(made)).toEqual({ a: null, c: null, n: null });
    expect(conflicts(made)).toHaveLength(3);
  });
});

describe("a name that two resources look for", () => {
  it("is that of the one that was not renamed", () => {
    const resources = [renamed("a", "B", "A"), declare(`${WEB}/b`, { name: "B" })];
    for (const all of [resources, resources.toReversed()])
      expect(ids(plan(all, insights("B", "A")))).toEqual({ a: "2", b: "1" });
  });

  it("is no former one of a resource with a pin", () => {
    const pinned = renamed("p", "P", "A", { pin: { field: "id", value: "1" } });
    const made = plan([pinned, renamed("n", "N", "A")], insights("P", "A", "N"));
    expect(ids(made)).toEqual({ p: "1", n: null });
    expect(conflicts(made)).toEqual([`${WEB}/n`]);
  });
});

describe("the object with the former name", () => {
  const old = renamed("old", "A (2025)", "A");
  const successor = declare(`${WEB}/new`, { name: "A", description: "x" });
  const pin = { field: "id", value: "1" };

  it("is that of a successor that is pinned to it", () => {
    const made = plan([old, { ...successor, pin }], insights("A"));
    expect(made.changes.map(({ action, id }) => [action, id])).toEqual([
      ["create", null],
      ["update", "1"],
    ]);
  });

  it("is renamed if its successor is pinned to another one", () => {
    const edited = { ...old, values: { ...old.values, description: "y" } };
    const made = plan([edited, { ...successor, pin: { field: "id", value: "2" } }], insights("A", "B"));
    expect(ids(made)).toEqual({ old: "1", new: "2" });
    expect(conflicts(made)).toEqual([]);
  });

  it("is pinned by one of the two that may be it, as both of them say", () => {
    const edited = { ...old, values: { ...old.values, description: "y" } };
    const { diagnostics } = plan([edited, successor], insights("A"));
    expect(diagnostics).toMatchObject(
      [edited, successor].map(({ address }, index) => ({
        address,
        message: expect.stringMatching(`"A" \\(id 1\\) .* ${[successor, old][index]?.address ?? ""}`),
        hint: expect.stringContaining("Pin"),
        command: ["driftline", "pin", "--only", `${address}=1`],
      })),
    );
  });

  it("is not that of a resource if another one is pinned to it, whatever that is called", () => {
    const other = declare(`${WEB}/other`, { name: "Z" }, { pin });
    const made = plan([old, other], insights("A"));
    expect(made.changes.map(({ action }) => action)).toEqual(["unknown", "update"]);
    expect(made.diagnostics).toMatchObject([
      { address: old.address, message: expect.stringContaining('"A"'), hint: "Remove lifecycle.renamed_from." },
    ]);
  });

  it("is not removed because its successor is declared absent, unless it equals neither", () => {
    const gone = declare(`${WEB}/new`, { name: "A" }, { lifecycle: { state: "absent" } });
    expect(plan([old, gone], insights("A")).changes.map(({ action }) => action)).toEqual(["update", "no_op"]);
    const edited = { ...old, values: { ...old.values, description: "y" } };
    expect(plan([edited, gone], insights("A")).changes.map(({ action }) => action)).toEqual(["unknown", "unknown"]);
  });

  it.each([
    ["is left out of the run", old, { only: [successor.address] }],
    ["ignores the name", { ...old, lifecycle: { ...old.lifecycle, ignore: ["name"] } }, {}],
  ])("blocks its successor if the rename %s", (_name, resource, options) => {
    const rows = [
      { id: 9, name: "A", deleted: true },
      { id: 1, name: "A" },
    ];
    const made = plan([resource, successor], live({}, { "insights.list": rows }), options);
    expect(changeOf(made, successor.address).action).toBe("unknown");
    expect(conflicts(made)).toEqual([successor.address]);
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot();
  });

  it("is free once its resource is replaced", () => {
    const moved = declare("acme/domains/z", { domain: "b.com" }, { lifecycle: { renamed_from: "a.com" } });
    const next = declare("acme/domains/m", { domain: "a.com", sso_enforcement: "saml" });
    const made = plan([moved, next], live({ "domains.list": [{ id: "1", domain: "a.com", is_verified: true }] }));
    expect(made.changes.map(({ action, id }) => [action, id])).toEqual([
      ["replace", "1"],
      ["create", null],
    ]);
  });

  it("does not block a successor that has an object already", () => {
    const pinned = { ...successor, pin: { field: "id", value: "2" } };
    const made = plan([old, pinned], insights("A", "B"), { only: [successor.address] });
    expect(made.changes.map(({ action, id }) => [action, id])).toEqual([["update", "2"]]);
  });

  it("of a person is never renamed: people change their addresses themselves", () => {
    const ada = { id: "m", level: 8, user: { uuid: "u", email: "ada@acme.com" } };
    const moved = declare("acme/members/eve@acme.com", { level: 8 }, { lifecycle: { renamed_from: "ada@acme.com" } });
    const other = declare("acme/members/ada@acme.com", { level: 8 });
    const made = plan([moved, other], live({ "members.list": [ada] }));
    expect(made.changes.map(({ action, id }) => [action, id])).toEqual([
      ["unknown", null],
      ["no_op", "u"],
    ]);
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot();
  });

  it("is an organization as well, with what is declared in it", () => {
    const acme = declare("acme", { name: "Acme (2025)" }, { lifecycle: { renamed_from: ACME.name } });
    const next = declare("next", { name: ACME.name, enforce_2fa: true }, { lifecycle: { create: true } });
    expect(plan([next, acme], live()).changes.map(({ action, id }) => [action, id])).toEqual([
      ["create", null],
      ["update", ACME.id],
    ]);
  });
});
