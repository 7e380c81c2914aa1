/**
 * What people do to an insight in the web interface: drift sees every edit of a declared value, and of any part of a declared
 * query; apply puts it right; the plan is empty afterwards.
 */
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Emulator } from "../../../src/emulator/index.ts";
import { isObject, type Json, type JsonObject } from "../../../src/emulator/json.ts";
import { budget, isWhole } from "../../support/budget.ts";
import { web } from "../../support/acme.ts";
import { changedAt, pathsIn, PROPERTY, QUERIES, SQL, TREND, type Path } from "../../support/queries.ts";
import { WAYS } from "../../support/ways.ts";
import { workspace, type Workspace } from "../../support/workspace.ts";

const HISTORIES = budget(1_000);
const EXPORT_HISTORIES = budget(250);
const ADDRESS = "acme/projects/web/insights/i";
const ID = 5;
const library = WAYS[1] as (typeof WAYS)[number];

const FILTERS: readonly JsonObject[] = [
  { insight: "TRENDS", events: [{ id: "$pageview", math: "dau" }], date_from: "-7d" },
  {
    insight: "FUNNELS",
    events: [
      { id: "a", order: 0 },
      { id: "b", order: 1 },
    ],
    properties: [PROPERTY],
  },
];

interface Edit {
  readonly field: string;
  readonly value: Json;
  /** Whether the configuration says otherwise. An undeclared key of filters belongs to others. */
  readonly isDrift: boolean;
}

const other = (old: Json): Json =>
  typeof old === "string"
    ? `${old}x`
    : typeof old === "number"
      ? old + 1
      : Array.isArray(old)
        ? [...old, "x"]
        : { added: 1 };

/** One edit of a free-form value: a key is added, removed or changed, anywhere. */
function freeFormEdit(field: string, declared: JsonObject, choice: number, how: number): Edit {
  const paths = pathsIn(declared);
  const path = paths[choice % paths.length] ?? [];
  const what = (["add", "remove", "change"] as const)[how % 3];
  if (what === "remove") {
    // Filters without a type are a trend.
    const isDrift = !(path.length === 1 && path[0] === "insight" && declared["insight"] === "TRENDS");
    return { field, value: changedAt(declared, path, () => undefined), isDrift };
  }
  if (what === "change") return { field, value: changedAt(declared, path, other), isDrift: true };
  const objects: readonly Path[] = [[], ...paths.filter((one) => isObject(valueAt(declared, one)))];
  const place = objects[choice % objects.length] ?? [];
  const value = changedAt(declared, place, (old) => ({ ...(old as JsonObject), samplingFactor: 0.1 }));
  return { field, value, isDrift: field === "query" };
}

function valueAt(value: Json, path: Path): Json {
  return path.reduce<Json>((at, key) => (at as Readonly<Record<string | number, Json>>)[key] ?? null, value);
}

interface History {
  readonly declared: JsonObject;
  readonly edits: readonly Edit[];
}

const histories: fc.Arbitrary<History> = fc
  .record({
    kind: fc.constantFrom("query", "filters"),
    which: fc.nat(),
    edits: fc.array(fc.record({ type: fc.nat({ max: 7 }), choice: fc.nat(), how: fc.nat() }), {
      minLength: 1,
      maxLength: 2,
    }),
  })
  .map(({ kind, which, edits }): History => {
    const all = kind === "query" ? QUERIES : FILTERS;
    const value = all[which % all.length] ?? {};
    const declared = { name: "I", description: "d", tags: ["a", "b"], [kind]: value };
    return {
      declared,
      edits: edits.map(({ type, choice, how }): Edit => {
        if (type === 0) return { field: "name", value: "Renamed", isDrift: true };
        if (type === 1) return { field: "deleted", value: true, isDrift: true };
        if (type === 2) return { field: "tags", value: ["b", "c"], isDrift: true };
        if (type === 3 && kind === "query")
          return {
            field: "query",
            value: which % 2 === 0 ? SQL : TREND,
            isDrift: JSON.stringify(value) !== JSON.stringify(which % 2 === 0 ? SQL : TREND),
          };
        if (type === 3) return { field: "query", value: SQL, isDrift: true };
        return freeFormEdit(kind, value, choice, how);
      }),
    };
  });

function edit(emulator: Emulator, { field, value }: Edit): void {
  // Filters and a query exclude each other: the web interface empties the filters of an insight that gets a query.
  emulator.edit("insight", ID, field === "query" ? { query: value, filters: {} } : { [field]: value });
}

async function actionOf(space: Workspace, type: "driftline.plan" | "driftline.drift"): Promise<string | undefined> {
  const document = await library.plan(space, type);
  return document.changes.find(({ address }) => address === ADDRESS)?.action;
}

it(`${String(HISTORIES)} histories of edits in the web interface`, async () => {
  const space = await workspace({ dialect: "deployed" });
  const { emulator } = space;
  emulator.insert("insight", { project: 2 }, { id: ID, name: "I" });
  let drifted = 0;
  const property = fc.asyncProperty(histories, async ({ declared, edits }) => {
    emulator.edit("insight", ID, { filters: {}, query: null, deleted: false, ...declared });
    await space.configure(web({ insights: { i: { id: ID, ...declared } } }));
    expect(await actionOf(space, "driftline.plan")).toBe("no_op");
    for (const one of edits) edit(emulator, one);
    // The last edit of a field counts.
    const last = new Map(edits.map((one) => [one.field, one]));
    const isDrift = [...last.values()].some((one) => one.isDrift);
    const action = await actionOf(space, "driftline.drift");
    expect(action !== "no_op", JSON.stringify(edits)).toBe(isDrift);
    drifted += isDrift ? 1 : 0;
    await library.apply(space);
    const [live] = emulator.find("insight");
    // Nothing is sent over an edit that made a query of filters.
    if ("filters" in declared && last.has("query")) {
      expect(live?.["query"]).toEqual(SQL);
      return;
    }
    expect(live).toMatchObject({ name: "I", deleted: false });
    expect(await actionOf(space, "driftline.plan"), JSON.stringify({ edits, live })).toBe("no_op");
    if ("query" in declared) {
      // A query that is declared without the node around it is sent inside of one.
      const forms = [declared["query"], { kind: "InsightVizNode", source: declared["query"] }];
      expect(forms).toContainEqual(live?.["query"]);
    }
  });
  await fc.assert(property, { numRuns: HISTORIES });
  if (isWhole) expect(drifted).toBeGreaterThan(HISTORIES / 2);
});

const S3 = { bucket_name: "b", region: "eu", prefix: "e/", compression: "gzip", deep: { a: [1, { b: true }] } };
const EXPORT = { name: "Nightly", interval: "day", paused: false, destination: { type: "S3", config: S3 } };

const exportEdits = fc
  .record({ type: fc.nat({ max: 5 }), choice: fc.nat(), how: fc.nat() })
  .map(({ type, choice, how }): Edit => {
    if (type === 0) return { field: "interval", value: "week", isDrift: true };
    if (type === 1) return { field: "paused", value: true, isDrift: true };
    if (type === 2) return { field: "model", value: "persons", isDrift: false };
    const { value, isDrift } = freeFormEdit("config", S3, choice, how);
    return { field: "destination", value: { type: "S3", config: value }, isDrift };
  });

it(`${String(EXPORT_HISTORIES)} histories of edits of a batch export`, async () => {
  const space = await workspace({ dialect: "deployed" });
  const { emulator } = space;
  const { id } = emulator.insert("batch_export", { project: 2 }, { name: "Nightly" });
  await space.configure(web({ batch_exports: { i: EXPORT } }));
  const action = async (type: "driftline.plan" | "driftline.drift") =>
    (await library.plan(space, type)).changes.find(({ address }) => address.endsWith("/i"))?.action;
  const property = fc.asyncProperty(exportEdits, async (one) => {
    emulator.edit("batch_export", String(id), { ...EXPORT, model: "events" });
    expect(await action("driftline.plan")).toBe("no_op");
    emulator.edit("batch_export", String(id), { [one.field]: one.value });
    expect(await action("driftline.drift"), JSON.stringify(one)).toBe(one.isDrift ? "update" : "no_op");
    await library.apply(space);
    expect(await action("driftline.plan"), JSON.stringify(one)).toBe("no_op");
  });
  await fc.assert(property, { numRuns: EXPORT_HISTORIES });
});
