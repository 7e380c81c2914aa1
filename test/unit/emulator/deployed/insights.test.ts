import { beforeEach, describe, expect, test } from "vitest";
import { idOf, rows, start, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const I = "/api/projects/2/insights/";
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ dialect: "deployed", keys: [{ key: "k", scopes: ["*"] }] }));
});

const allPages = async (query: string): Promise<unknown[]> => {
  const ids: unknown[] = [];
  for (let offset = 0; offset < 70; offset += 7) {
    ids.push(...rows(await send("GET", `${I}?limit=7&offset=${offset}&${query}`)).map((row) => row["id"]));
  }
  return ids;
};

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: insights", () => {
  test("94 create without fields makes an empty trend", async () => {
    const { status, json } = await send("POST", I, {});
    expect([status, json["filters"], json["saved"], json["is_cached"]]).toEqual([
      201,
      { insight: "TRENDS" },
      false,
      false,
    ]);
  });

  test("94 tags are trimmed, converted to lower case and deduplicated", async () => {
    const { json } = await send("POST", I, { tags: [" B ", "a", "a", "C"] });
    expect((json["tags"] as unknown as string[]).toSorted()).toEqual(["a", "b", "c"]);
  });

  test("94 the order of tags is not preserved", async () => {
    const { json } = await send("POST", I, { tags: ["a", "b", "c", "d", "e"] });
    const orders = new Set<string>();
    for (let index = 0; index < 8; index += 1)
      orders.add(String((await send("GET", `${I}${idOf(json)}/`)).json["tags"]));
    expect(orders.size).toBeGreaterThan(1);
  });

  test("strings are trimmed", async () => {
    expect((await send("POST", I, { name: " n ", description: " d " })).json).toMatchObject({
      name: "n",
      description: "d",
    });
  });

  test("keys of free-form values are returned in another order, with the same structure", async () => {
    const query = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ event: "e", id: 1 }] } };
    const { text, json } = await send("POST", I, { query });
    expect(json["query"]).toEqual(query);
    expect(text).toContain('"series":[{"id":1,"event":"e"}]');
  });

  test.each([
    ["a query of an unknown kind", { query: { kind: "Nope" } }, 400, "parse_error"],
    ["a query without a source", { query: { kind: "InsightVizNode" } }, 400, "parse_error"],
    ["a query that is not an object", { query: "x" }, 400, "parse_error"],
    ["a name of 401 characters", { name: "x".repeat(401) }, 400, "max_length"],
    ["tags that are not a list", { tags: "a" }, 400, "not_a_list"],
    ["a dashboard that does not exist", { dashboards: [404] }, 400, "does_not_exist"],
    ["filters as a list", { filters: [1] }, 500, "error"],
    ["a tag that is not a text", { tags: [1] }, 500, "error"],
  ])("94 create with %s", async (_case, body, status, code) => {
    const reply = await send("POST", I, body);
    expect([reply.status, reply.json["code"], emulator.find("insight")]).toEqual([status, code, []]);
  });

  test("a restored insight does not return to its dashboards", async () => {
    const { json } = await send("POST", I, { dashboards: [1, 2] });
    await send("PATCH", `${I}${idOf(json)}/`, { deleted: true });
    expect((await send("PATCH", `${I}${idOf(json)}/`, { deleted: false })).json["dashboards"]).toEqual([]);
  });

  test("95 DELETE is 405 without a body for an unknown id too", async () => {
    const reply = await send("DELETE", `${I}99999/`);
    expect([reply.status, reply.text]).toEqual([405, ""]);
  });

  test("basic=true omits order and deleted and adds refreshing", async () => {
    await send("POST", I, {});
    const [row] = rows(await send("GET", `${I}?basic=true`));
    const keys = Object.keys(row ?? {});
    expect(keys).toEqual(expect.arrayContaining(["id", "filters", "query", "tags", "refreshing"]));
    expect(keys.filter((key) => ["order", "deleted", "last_modified_by", "timezone"].includes(key))).toEqual([]);
  });

  test("108 the full view has order", async () => {
    await send("POST", I, { order: 3 });
    expect(rows(await send("GET", I))[0]).toMatchObject({ order: 3 });
  });

  test("108 only the full view shows a result that was planted", async () => {
    emulator.insert("insight", { project: 2 }, { name: "n", result: [1], order: 3, is_sample: true, extra: "kept" });
    const [basic] = rows(await send("GET", `${I}?basic=true`));
    const [full] = rows(await send("GET", I));
    expect(full).toMatchObject({ result: [1], order: 3, is_sample: true, extra: "kept" });
    expect(basic).toMatchObject({ name: "n", extra: "kept" });
    expect(Object.keys(basic ?? {}).filter((key) => ["result", "order", "is_sample"].includes(key))).toEqual([]);
  });

  test("97 pages in the default order miss rows", async () => {
    for (let index = 0; index < 70; index += 1) emulator.insert("insight", { project: 2 }, { name: `n${index}` });
    const ids = await allPages("");
    expect(ids.length).toBe(70);
    expect(new Set(ids).size).toBeLessThan(70);
  });

  test("97 pages with order=id are complete", async () => {
    for (let index = 0; index < 70; index += 1) emulator.insert("insight", { project: 2 }, { name: `n${index}` });
    expect(new Set(await allPages("order=id")).size).toBe(70);
  });

  test.each([
    ["order=-name", ["b", "a"]],
    ["order=name", ["a", "b"]],
  ])("97 %s sorts by that column", async (query, names) => {
    for (const name of ["a", "b"]) emulator.insert("insight", { project: 2 }, { name });
    expect(rows(await send("GET", `${I}?${query}`)).map((row) => row["name"])).toEqual(names);
  });

  test.each([
    ["created_by=999", 400],
    ["order=bogus", 500],
    ["format=xml", 404],
  ])("97 %s is %i", async (query, status) => {
    expect((await send("GET", `${I}?${query}`)).status).toBe(status);
  });

  test("a short id is not accepted in a path", async () => {
    const { json } = await send("POST", I, {});
    expect((await send("GET", `${I}${json["short_id"]}/`)).status).toBe(404);
  });

  test.each<[string, object, object, object]>([
    ["nothing", {}, {}, { insight: "TRENDS" }],
    ["empty filters", { filters: {} }, {}, { insight: "TRENDS" }],
    ["filters without a type", { filters: { events: [] } }, { events: [] }, { events: [], insight: "TRENDS" }],
    ["filters with a type", { filters: { insight: "PATHS" } }, { insight: "PATHS" }, { insight: "PATHS" }],
    ["a query", { query: { kind: "PathsQuery", pathsFilter: {} } }, {}, {}],
  ])("98 with %s the filters in the basic view may differ from every other view", async (_case, body, basic, full) => {
    const { json } = await send("POST", I, body);
    const at = `${I}${idOf(json)}/`;
    expect(json["filters"]).toEqual(full);
    expect((await send("PATCH", at, { saved: true })).json["filters"]).toEqual(full);
    for (const [query, filters] of [
      ["", full],
      ["?basic=true", basic],
    ]) {
      expect((await send("GET", `${at}${String(query)}`)).json["filters"]).toEqual(filters);
      expect(rows(await send("GET", `${I}${String(query)}`))[0]?.["filters"]).toEqual(filters);
    }
  });

  test("101 a deleted insight is restored by its number only", async () => {
    const { json } = await send("POST", I, {});
    await send("PATCH", `${I}${idOf(json)}/`, { deleted: true });
    expect((await send("PATCH", `${I}${json["short_id"]}/`, { deleted: false })).status).toBe(404);
    expect((await send("PATCH", `${I}${idOf(json)}/`, { deleted: false })).status).toBe(200);
  });

  test("110 the dashboard of another project is refused", async () => {
    emulator.editProject(3, { dashboards: [7] });
    const { status, json } = await send("POST", I, { dashboards: [7] });
    expect([status, json["code"], json["detail"], json["attr"]]).toEqual([
      400,
      "invalid_input",
      "Dashboard not found",
      null,
    ]);
    expect((await send("POST", "/api/projects/3/insights/", { dashboards: [7] })).status).toBe(201);
  });
});
