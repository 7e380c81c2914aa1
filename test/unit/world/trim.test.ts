import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { errorFromResponse } from "../../../src/api/errors/from-response.ts";
import { operations } from "../../../src/api/operations/index.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { listKey, type LiveScope } from "../../../src/model/live.ts";
import type { Plan } from "../../../src/model/plan.ts";
import type { DesiredGraph, Resource } from "../../../src/model/resource.ts";
import { makePlan } from "../../../src/plan/make-plan.ts";
import { type ListRead, listReads } from "../../../src/kinds/world.ts";
import { declaredReads } from "../../../src/plan/lists-to-read.ts";
import { readLists, type ReadListsResult } from "../../../src/world/read-lists.ts";
import { declare, graphOf } from "../plan/world.ts";
import { budget } from "../../support/budget.ts";

const WEB = "acme/projects/web";
const SCOPES: ReadonlyMap<string, LiveScope> = new Map([
  ["", { status: "known", path: {} }],
  [WEB, { status: "known", path: { project_id: "2" } }],
]);

const READ = { operation: operations["insights.get"], path: "/", redact: (text: string): string => text };

/** A service that holds these insights, given out in pages of two. */
function holding(rows: readonly JsonObject[]): Client {
  const pages = Math.ceil(rows.length / 2);
  return {
    url: "http://service.example",
    profile: "document",
    keyHashEnd: "",
    // A pinned object that no list shows does not exist.
    request: () => Promise.reject(errorFromResponse(READ, 404, { detail: "Not found." })),
    list: () => Promise.resolve({ rows, pages }),
    listReduced: (_operation, _path, _query, reduce) => {
      const parts = Array.from({ length: pages }, (_, index) => reduce(rows.slice(2 * index, 2 * index + 2)));
      return Promise.resolve({ rows: parts.flat(), pages });
    },
    takeRetry: () => false,
    requests: () => pages,
    pace: () => ({ perRequest: 0, seenLimits: { insights: undefined, queries: undefined, others: undefined } }),
    close: () => Promise.resolve(),
  };
}

const query = (event: string): JsonObject => ({ kind: "TrendsQuery", series: [{ event }] });
const row = (id: number, name: string, more: JsonObject = {}): JsonObject => ({
  id,
  short_id: `short${String(id)}`,
  name,
  description: "somebody else's words",
  query: query(name),
  tags: [],
  created_by: { email: "ada@acme.com" },
  ...more,
});
const insight = (key: string, values: JsonObject, more: Partial<Resource> = {}): Resource =>
  declare(`${WEB}/insights/${key}`, values, more);

async function read(graph: DesiredGraph, rows: readonly JsonObject[], reduced: boolean): Promise<ReadListsResult> {
  const needed = listReads({ scopes: SCOPES }, declaredReads(graph, []));
  const listings: readonly ListRead[] = reduced ? needed : needed.map(({ lookupKeys: _sought, ...listing }) => listing);
  return readLists(holding(rows), listings);
}

async function planned(graph: DesiredGraph, rows: readonly JsonObject[], reduced: boolean): Promise<Plan> {
  const { lists } = await read(graph, rows, reduced);
  return makePlan(graph, { scopes: SCOPES, lists }, { prune: true, only: [], rotate: [] }).plan;
}

/** Live objects inside may be reduced or not; what is decided about them may not differ. */
const decided = (plan: Plan): unknown =>
  JSON.parse(JSON.stringify({ ...plan, changes: plan.changes.map(({ work: _work, ...change }) => change) }));

describe("an undeclared insight", () => {
  it("is reduced to its identity and the fields that are compared with creates", async () => {
    const graph = graphOf([insight("new", { name: "New", query: query("x"), tags: ["a"] })]);
    const { lists, stats: notes } = await read(graph, [row(1, "A"), row(2, "B"), row(3, "C")], true);
    const [first] = lists.get(listKey(WEB, "insight"))?.objects ?? [];
    expect(notes).toMatchObject([
      { operation: "insights.list", kinds: ["insight"], pages: 2, rows: 3, isTrimmed: true },
    ]);
    expect(first).toMatchObject({ id: "1", keys: ["A"], scope: WEB, kind: "insight", pins: {} });
    expect(first?.values).toEqual({ query: query("A"), tags: [], description: "somebody else's words" });
  });

  it("is reduced to its identity if nothing is to be created", async () => {
    const graph = graphOf([insight("a", { query: query("x") }, { pin: { field: "short_id", value: "short1" } })]);
    const { lists } = await read(graph, [row(1, "A"), row(2, "B")], true);
    const values = lists.get(listKey(WEB, "insight"))?.objects.map((live) => Object.keys(live.values));
    expect(values).toEqual([expect.arrayContaining(["description", "query"]), []]);
  });

  it("is kept in full if its kind is exclusive", async () => {
    const graph = graphOf([], { exclusive: [{ scope: WEB, kind: "insight" }] });
    const { lists } = await read(graph, [row(1, "A")], true);
    expect(lists.get(listKey(WEB, "insight"))?.objects[0]?.values).toHaveProperty("description");
  });
});

describe("a plan of trimmed objects equals the plan of full ones:", () => {
  const pin = (value: string): Partial<Resource> => ({ pin: { field: "short_id", value } });
  const table: readonly [string, readonly Resource[], readonly JsonObject[]][] = [
    ["a difference", [insight("a", { name: "A", description: "mine" })], [row(1, "A"), row(2, "B")]],
    ["no rename", [insight("a", { name: "New", query: query("B") })], [row(1, "A"), row(2, "B")]],
    [
      "a forgotten rename",
      [insight("a", { name: "New", query: query("B") })],
      [row(1, "A"), row(2, "B", { description: "" })],
    ],
    [
      "a declared rename",
      [insight("a", { name: "New", query: query("B") }, { lifecycle: { renamed_from: "B" } })],
      [row(1, "A"), row(2, "B")],
    ],
    ["two of one name", [insight("a", { name: "A" })], [row(1, "A"), row(2, "B"), row(3, "A")]],
    ["a pin in capitals", [insight("a", { name: "Z" }, pin("SHORT2"))], [row(1, "A"), row(2, "B")]],
    ["a pin that is gone", [insight("a", { name: "A" }, pin("gone"))], [row(1, "A")]],
    [
      "a forgotten rename of filters that are shown as a query",
      [insight("a", { name: "New", filters: { insight: "TRENDS" } })],
      [row(1, "A", { filters: {} }), row(2, "B", { filters: { insight: "FUNNELS" }, query: null })],
    ],
    ["a deleted one", [insight("a", { name: "B" })], [row(1, "A"), row(2, "B", { deleted: true })]],
  ];
  it.each(table)("%s", async (_name, resources, rows) => {
    const graph = graphOf(resources);
    expect(decided(await planned(graph, rows, true))).toEqual(decided(await planned(graph, rows, false)));
  });

  it("a forgotten rename among them is refused", async () => {
    const { changes } = await planned(
      graphOf([insight("a", { name: "New", query: query("B") })]),
      [row(1, "A"), row(2, "B", { description: "" })],
      true,
    );
    expect(changes).toMatchObject([{ action: "create", blocked: { rule: "forgotten_rename" } }]);
  });

  it("for any configuration and live state", async () => {
    const name = fc.constantFrom("A", "B", "C", "D");
    const values = fc.record(
      { name, query: name.map(query), tags: fc.constantFrom<Json[]>([], ["x"]), description: fc.constantFrom("", "d") },
      { requiredKeys: ["name"] },
    );
    const lifecycle = fc.record(
      {
        renamed_from: name,
        create: fc.boolean(),
        forget: fc.boolean(),
        state: fc.constant("absent" as const),
        protect: fc.boolean(),
      },
      { requiredKeys: [] },
    );
    const pins = fc.option(fc.constantFrom("short1", "SHORT2", "short9"), { nil: undefined });
    const resource = fc.tuple(values, lifecycle, pins);
    const live = fc.array(values, { maxLength: 6 });
    const random = fc.asyncProperty(fc.array(resource, { maxLength: 4 }), live, async (declared, objects) => {
      const resources = declared.map(([fields, settings, found], index) =>
        insight(`i${String(index)}`, fields as JsonObject, {
          lifecycle: settings,
          ...(found === undefined ? {} : pin(found)),
        }),
      );
      const rows = objects.map((fields, index) => row(index + 1, fields.name, fields as JsonObject));
      const graph = graphOf(resources);
      expect(decided(await planned(graph, rows, true))).toEqual(decided(await planned(graph, rows, false)));
    });
    await fc.assert(random, { numRuns: budget(300) });
  });
});
