import { beforeEach, describe, expect, test } from "vitest";
import { idOf, rows, start, type Body, type Send } from "../harness.ts";
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

  test("my_last_viewed lists the last five insights of the caller, the most recent first", async () => {
    for (const id of [1, 2, 3, 4, 5, 6, 2]) await send("POST", `${I}${id}/viewed/`, {});
    await send("POST", `${I}7/viewed/`, {}, "hers");
    emulator.edit("insight", 4, { deleted: true });
    const ids = async (key: string): Promise<unknown[]> =>
      items((await send("GET", `${I}my_last_viewed/`, undefined, key)).text).map((row) => row["id"]);
    expect(await ids("own")).toEqual([2, 6, 5, 3, 1]);
    expect(await ids("hers")).toEqual([7]);
  });

  test("the activity of all insights is in `result`, that of one insight is the insight itself", async () => {
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

  test("an update without changes is not an activity", async () => {
    await send("PATCH", `${I}3/`, { name: "i3" });
    expect((await send("GET", `${I}activity/`)).json["result"]).toBe("[]");
  });

  test("sharing is disabled, and its answer does not change", async () => {
    const [one, two] = [await send("GET", `${I}3/sharing/`), await send("GET", `${I}3/sharing/`)];
    expect(one.json).toEqual(two.json);
    expect(one.json["enabled"]).toBe(false);
  });

  test.each(["GET sharing", "GET activity", "POST viewed"])(
    "%s of an insight that does not exist is 404",
    async (line) => {
      const [method = "", name = ""] = line.split(" ");
      emulator.edit("insight", 3, { deleted: true });
      const body = method === "POST" ? {} : undefined;
      const statuses = [3, 99, "x"].map(async (id) => (await send(method, `${I}${id}/${name}/`, body)).status);
      expect(await Promise.all(statuses)).toEqual([404, 404, 404]);
    },
  );

  test("from_dashboard adds the layout and color to the tile on that dashboard", async () => {
    emulator.edit("insight", 3, { dashboards: [1, 2] });
    const { json } = await send("GET", `${I}3/?from_dashboard=2`);
    expect(json["dashboard_tiles"]).toEqual([
      { id: 3000, dashboard_id: 1, deleted: false },
      { id: 3001, dashboard_id: 2, deleted: false, layouts: {}, color: null },
    ]);
    expect((await send("GET", `${I}3/?from_dashboard=x`)).status).toBe(400);
  });

  test("created_by and short_id filter a list", async () => {
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

  test("has a column for every value at any depth, and quotes special characters", async () => {
    emulator.insert("insight", { project: 2 }, { name: 'a "b", c\nd', tags: ["x", "y"] });
    const reply = await send("GET", `${I}1/?format=csv`);
    const [header = "", ...lines] = reply.text.split("\r\n");
    expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
    expect(header.split(",")).toEqual(expect.arrayContaining(["id", "created_by.email", "tags.0", "tags.1"]));
    expect(header.split(",")).toEqual(header.split(",").toSorted());
    expect(lines.join()).toContain('"a ""b"", c\nd"');
  });

  test("has a line for each row of a list", async () => {
    fill(3);
    const { text } = await send("GET", `${I}?format=csv&limit=2`);
    expect(text.trimEnd().split("\r\n").length).toBe(3);
  });

  test("is not used for sharing or other formats", async () => {
    fill(1);
    expect((await send("GET", `${I}1/sharing/?format=csv`)).headers.get("content-type")).toBe("application/json");
    expect((await send("GET", `${I}1/?format=json`)).json["id"]).toBe(1);
    const refused = await send("GET", `${I}1/?format=xml`);
    expect([refused.status, refused.json["attr"]]).toEqual([400, "format"]);
  });
});

test("a list shows every change, even if it was read before", async () => {
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
