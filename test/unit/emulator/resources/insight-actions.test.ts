import { beforeEach, describe, expect, test } from "vitest";
import { clock, idOf, rows, start } from "../harness.ts";
import { EVENT_SEED } from "../calculations/events.ts";
import type { Body, Send } from "../harness.ts";
import type { JsonObject } from "../../../../src/emulator/json.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const I = "/api/projects/2/insights/";
const KEYS = [{ key: "own" }, { key: "hers", user: "mia@example.com" }, { key: "scoped", scopes: ["*"] }];
const items = (text: string): readonly Body[] => JSON.parse(text) as readonly Body[];
let emulator: Emulator;
let send: Send;

const fill = (count: number): void => {
  for (let index = 0; index < count; index += 1) emulator.insert("insight", { project: 2 }, { name: `i${index + 1}` });
};

describe("document", () => {
  beforeEach(async () => {
    ({ emulator, send } = await start({ keys: KEYS }));
    fill(7);
  });

  test("my_last_viewed has the last five of the caller, the most recent first", async () => {
    for (const id of [1, 2, 3, 4, 5, 6, 2]) await send("POST", `${I}${id}/viewed/`, {});
    await send("POST", `${I}7/viewed/`, {}, "hers");
    emulator.edit("insight", 4, { deleted: true });
    const ids = async (key: string): Promise<unknown[]> =>
      items((await send("GET", `${I}my_last_viewed/`, undefined, key)).text).map((row) => row["id"]);
    expect(await ids("own")).toEqual([2, 6, 5, 3, 1]);
    expect(await ids("hers")).toEqual([7]);
  });

  test("activity tells who changed what: of one insight by itself, of all as the result", async () => {
    await send("PATCH", `${I}3/`, { name: "new", favorited: true });
    const all = await send("GET", `${I}activity/`);
    expect(all.status).toBe(200);
    expect(JSON.parse(String(all.json["result"]))).toMatchObject([
      {
        activity: "updated",
        item_id: "3",
        user: { email: "owner@example.com" },
        detail: {
          changes: [
            { field: "name", before: "i3", after: "new" },
            { field: "favorited", after: true },
          ],
        },
      },
    ]);
    expect((await send("GET", `${I}3/activity/`)).json["name"]).toBe("new");
  });

  test("a change of nothing is no activity", async () => {
    await send("PATCH", `${I}3/`, { name: "i3" });
    expect((await send("GET", `${I}activity/`)).json["result"]).toBe("[]");
  });

  test("sharing is off, and stays as it is", async () => {
    const [one, two] = [await send("GET", `${I}3/sharing/`), await send("GET", `${I}3/sharing/`)];
    expect(one.json).toEqual(two.json);
    expect(one.json["enabled"]).toBe(false);
  });

  test.each(["GET sharing", "GET activity", "POST viewed"])(
    "%s of an insight that is not there is 404",
    async (line) => {
      const [method = "", name = ""] = line.split(" ");
      emulator.edit("insight", 3, { deleted: true });
      const body = method === "POST" ? {} : undefined;
      const statuses = [3, 99, "x"].map(async (id) => (await send(method, `${I}${id}/${name}/`, body)).status);
      expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
    },
  );

  test("from_dashboard adds what the dashboard says to the tile on it", async () => {
    emulator.edit("insight", 3, { dashboards: [1, 2] });
    const { json } = await send("GET", `${I}3/?from_dashboard=2`);
    expect(json["dashboard_tiles"]).toEqual([
      { id: 3000, dashboard_id: 1, deleted: false },
      { id: 3001, dashboard_id: 2, deleted: false, layouts: {}, color: null },
    ]);
    expect((await send("GET", `${I}3/?from_dashboard=x`)).status).toBe(400);
  });

  test("created_by and short_id narrow a list", async () => {
    emulator.edit("insight", 3, { created_by: "mia@example.com" });
    const [hers] = emulator.find("insight", (row) => row.id === 3);
    const author = idOf(hers?.["created_by"] as Body);
    const ids = async (query: string): Promise<unknown[]> =>
      rows(await send("GET", `${I}?${query}`)).map((row) => row["id"]);
    expect(await ids(`created_by=${author}`)).toEqual([3]);
    expect(await ids(`short_id=${String(hers?.["short_id"])}`)).toEqual([3]);
    expect(await ids("short_id=nothing")).toEqual([]);
  });
});

describe("CSV", () => {
  beforeEach(async () => {
    ({ emulator, send } = await start());
  });

  test("has a column for every value at any depth, and quotes what needs it", async () => {
    emulator.insert("insight", { project: 2 }, { name: 'a "b", c\nd', tags: ["x", "y"] });
    const reply = await send("GET", `${I}1/?format=csv`);
    const [header = "", ...lines] = reply.text.split("\r\n");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(header.split(",")).toEqual(expect.arrayContaining(["id", "created_by.email", "tags.0", "tags.1"]));
    expect(header.split(",")).toEqual(header.split(",").toSorted());
    expect(lines.join()).toContain('"a ""b"", c\nd"');
  });

  test("of a list has a line for each row", async () => {
    fill(3);
    const { text } = await send("GET", `${I}?format=csv&limit=2`);
    expect(text.trimEnd().split("\r\n").length).toBe(3);
  });

  test("is not what sharing or another format gives", async () => {
    fill(1);
    expect((await send("GET", `${I}1/sharing/?format=csv`)).headers.get("content-type")).toBe("application/json");
    expect((await send("GET", `${I}1/?format=json`)).json["id"]).toBe(1);
    const refused = await send("GET", `${I}1/?format=xml`);
    expect([refused.status, refused.json["attr"]]).toEqual([400, "format"]);
  });
});

describe("refresh", () => {
  const filters = { insight: "TRENDS", events: [{ id: "view" }], date_from: "2030-01-03", date_to: "2030-01-04" };
  const time = clock("2030-01-10T00:00:00Z");
  const state = ({ json }: { readonly json: Body }): unknown[] => [json["is_cached"], json["last_refresh"]];
  const data = ({ json }: { readonly json: Body }): unknown =>
    (JSON.parse(String(json["result"])) as readonly Body[])[0]?.["data"];

  test("calculates what is stale, and is_cached tells whether it did", async () => {
    ({ emulator, send } = await start({ seed: EVENT_SEED, now: time.now }));
    emulator.insert("insight", { project: 2 }, { filters });
    const read = async (query = ""): ReturnType<Send> => send("GET", `${I}1/${query}`);
    expect(state(await read())).toEqual(["false", null]);
    const first = await read("?refresh=true");
    expect([...state(first), data(first)]).toEqual(["false", "2030-01-10T00:00:00Z", [2, 1]]);
    time.pass(60_000);
    expect(state(await read("?refresh=true"))).toEqual(["true", "2030-01-10T00:00:00Z"]);
    expect(state(await read())).toEqual(["true", "2030-01-10T00:00:00Z"]);
    time.pass(120_000);
    expect(state(await read("?refresh=true"))).toEqual(["false", "2030-01-10T00:03:00Z"]);
  });

  test("a change makes a result stale at once", async () => {
    ({ emulator, send } = await start({ seed: EVENT_SEED, now: time.now }));
    emulator.insert("insight", { project: 2 }, { filters });
    await send("GET", `${I}1/?refresh=true`);
    time.pass(1000);
    await send("PATCH", `${I}1/`, { filters: { ...filters, events: [{ id: "signup" }] } });
    const again = await send("GET", `${I}1/?refresh=true`);
    expect([again.json["is_cached"], data(again)]).toEqual(["false", [0, 1]]);
  });

  test.each<[string, JsonObject, unknown]>([
    [
      "a query of trends",
      {
        kind: "TrendsQuery",
        series: [{ kind: "EventsNode", event: "view" }],
        dateRange: { date_from: "2030-01-04", date_to: "2030-01-05" },
      },
      [{ data: [1, 2] }],
    ],
    [
      "a query of funnels",
      {
        kind: "FunnelsQuery",
        series: [
          { kind: "EventsNode", event: "view" },
          { kind: "ActionsNode", id: 5 },
        ],
        dateRange: { date_from: "2030-01-03", date_to: "2030-01-09" },
      },
      [{ count: 3 }, { count: 3 }],
    ],
    ["a query of another kind", { kind: "PathsQuery" }, null],
    [
      "what cannot be counted",
      { kind: "TrendsQuery", series: [{ kind: "EventsNode", event: "view", math: "p99" }] },
      null,
    ],
  ])("deployed: the result of %s", async (_name, source, expected) => {
    ({ emulator, send } = await start({ seed: EVENT_SEED, now: time.now, dialect: "deployed" }));
    emulator.insert("insight", { project: 2 }, { query: { kind: "InsightVizNode", source } });
    const { json } = await send("GET", `${I}1/?refresh=true`);
    expect(json["is_cached"]).toBe(false);
    if (expected === null) expect(json["result"]).toBe(null);
    else expect(json["result"]).toMatchObject(expected as object);
    const basic = await send("GET", `${I}1/?basic=true`);
    expect([basic.json["last_refresh"], "result" in basic.json]).toEqual([json["last_refresh"], false]);
  });
});

describe("deployed", () => {
  beforeEach(async () => {
    ({ emulator, send } = await start({ dialect: "deployed", keys: KEYS }));
    fill(12);
  });

  test("96 viewed is 201 without a body, timing and cancel too", async () => {
    const replies = [
      await send("POST", `${I}3/viewed/`, {}, "scoped"),
      await send("POST", `${I}timing/`, {}),
      await send("POST", `${I}cancel/`, { client_query_id: "q" }),
    ];
    expect(replies.map(({ status, text }) => [status, text])).toEqual([
      [201, ""],
      [201, ""],
      [201, ""],
    ]);
  });

  test("96 cancel needs client_query_id", async () => {
    const { status, json } = await send("POST", `${I}cancel/`, {});
    expect([status, json["attr"]]).toEqual([400, "client_query_id"]);
  });

  test("96 sharing has another token every time, and says what is not found", async () => {
    const [one, two] = [await send("GET", `${I}3/sharing/`), await send("GET", `${I}3/sharing/`)];
    expect(one.json["access_token"]).not.toBe(two.json["access_token"]);
    expect(Object.keys(one.json)).toEqual(["created_at", "enabled", "access_token", "settings"]);
    expect((await send("GET", `${I}99/sharing/`)).json["detail"]).toBe("Insight not found.");
  });

  test("96 the activity of an unknown insight is 404 without a body", async () => {
    const { status, text } = await send("GET", `${I}99/activity/`);
    expect([status, text]).toEqual([404, ""]);
  });

  test("activity comes ten at a time, by page", async () => {
    for (let id = 1; id <= 12; id += 1) await send("PATCH", `${I}${id}/`, { description: "d" });
    const first = await send("GET", `${I}activity/`);
    expect([first.json["total_count"], first.json["previous"], rows(first).length]).toEqual([12, null, 10]);
    expect(rows(first)[0]).toMatchObject({ item_id: "12", scope: "Insight", detail: { name: "i12" } });
    const second = await send("GET", String(first.json["next"]));
    expect([rows(second).length, second.json["next"]]).toEqual([2, null]);
    expect(second.json["previous"]).toContain("page=1");
    expect((await send("GET", `${I}4/activity/`)).json["total_count"]).toBe(1);
  });

  test("a create is an activity without changes, a cleared field a deletion", async () => {
    const { json } = await send("POST", I, { name: "n" });
    await send("PATCH", `${I}${String(json["id"])}/`, { name: null });
    const found = rows(await send("GET", `${I}activity/?limit=2`)).map((row) => [
      row["activity"],
      row["detail"]?.["changes"],
    ]);
    expect(found).toEqual([
      ["updated", [{ type: "Insight", action: "deleted", field: "name", before: "n", after: null }]],
      ["created", null],
    ]);
  });

  test("my_last_viewed shows the basic fields, without tags", async () => {
    await send("PATCH", `${I}3/`, { tags: ["a"] });
    await send("POST", `${I}3/viewed/`, {});
    const [row] = items((await send("GET", `${I}my_last_viewed/`)).text);
    expect(row).toMatchObject({ id: 3, tags: [], user_access_level: null });
    expect(row).not.toHaveProperty("result");
  });

  test("a list as CSV is 500, and errors are CSV too", async () => {
    const reply = await send("GET", `${I}?format=csv`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([500, "text/csv; charset=utf-8"]);
    expect(reply.text).toBe("attr,code,detail,type\r\n,error,A server error occurred.,server_error\r\n");
    expect((await send("GET", `${I}3/?format=csv`)).status).toBe(200);
    expect((await send("GET", `${I}3/?format=xml`)).status).toBe(404);
  });

  test("saved and search narrow a list", async () => {
    emulator.edit("insight", 2, { saved: true });
    emulator.edit("insight", 4, { dashboards: [1] });
    emulator.edit("insight", 5, { tags: ["needle"] });
    const ids = async (query: string): Promise<unknown[]> =>
      rows(await send("GET", `${I}?order=id&${query}`)).map((row) => row["id"]);
    expect(await ids("saved=true")).toEqual([2, 4]);
    expect(await ids("search=NEEDLE")).toEqual([5]);
  });
});

test("a list follows every change, however often it was read before", async () => {
  for (const dialect of ["document", "deployed"] as const) {
    ({ emulator, send } = await start({ dialect }));
    fill(3);
    const ids = async (): Promise<unknown[]> => rows(await send("GET", `${I}?order=id`)).map((row) => row["id"]);
    expect(await ids()).toEqual([1, 2, 3]);
    await send("POST", I, { name: "x" });
    await send("PATCH", `${I}2/`, { deleted: true });
    expect(await ids()).toEqual([1, 3, 4]);
    await send("PATCH", `${I}2/`, { deleted: false });
    emulator.remove("insight", 1);
    expect(new Set(await ids())).toEqual(new Set([2, 3, 4]));
  }
});
