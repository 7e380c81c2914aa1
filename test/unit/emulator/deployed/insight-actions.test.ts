import { beforeEach, describe, expect, test } from "vitest";
import { rows, start, type Body, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const I = "/api/projects/2/insights/";
const KEYS = [{ key: "own" }, { key: "hers", user: "mia@example.com" }, { key: "scoped", scopes: ["*"] }];
const items = (text: string): readonly Body[] => JSON.parse(text) as readonly Body[];
let emulator: Emulator;
let send: Send;

const fill = (count: number): void => {
  for (let index = 0; index < count; index += 1) emulator.insert("insight", { project: 2 }, { name: `i${index + 1}` });
};

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: actions of insights", () => {
  beforeEach(async () => {
    ({ emulator, send } = await start({ dialect: "deployed", keys: KEYS }));
    fill(12);
  });

  test("96 viewed, timing and cancel are 201 without a body", async () => {
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

  test("96 cancel requires client_query_id", async () => {
    const { status, json } = await send("POST", `${I}cancel/`, {});
    expect([status, json["attr"]]).toEqual([400, "client_query_id"]);
  });

  test("96 sharing has a new token in every answer, and its 404 names the insight", async () => {
    const [one, two] = [await send("GET", `${I}3/sharing/`), await send("GET", `${I}3/sharing/`)];
    expect(one.json["access_token"]).not.toBe(two.json["access_token"]);
    expect(Object.keys(one.json)).toEqual(["created_at", "enabled", "access_token", "settings"]);
    expect((await send("GET", `${I}99/sharing/`)).json["detail"]).toBe("Insight not found.");
  });

  test("96 the activity of an unknown insight is 404 without a body", async () => {
    const { status, text } = await send("GET", `${I}99/activity/`);
    expect([status, text]).toEqual([404, ""]);
  });

  test("activity has numbered pages of ten", async () => {
    for (let id = 1; id <= 12; id += 1) await send("PATCH", `${I}${id}/`, { description: "d" });
    const first = await send("GET", `${I}activity/`);
    expect([first.json["total_count"], first.json["previous"], rows(first).length]).toEqual([12, null, 10]);
    expect(rows(first)[0]).toMatchObject({ item_id: "12", scope: "Insight", detail: { name: "i12" } });
    const second = await send("GET", String(first.json["next"]));
    expect([rows(second).length, second.json["next"]]).toEqual([2, null]);
    expect(second.json["previous"]).toContain("page=1");
    expect((await send("GET", `${I}4/activity/`)).json["total_count"]).toBe(1);
  });

  test("a create is an activity without changes, and a cleared field is a deletion", async () => {
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

  test("a list as CSV is 500, and errors are also CSV", async () => {
    const reply = await send("GET", `${I}?format=csv`);
    expect([reply.status, reply.headers.get("content-type")]).toEqual([500, "text/csv; charset=utf-8"]);
    expect(reply.text).toBe("attr,code,detail,type\r\n,error,A server error occurred.,server_error\r\n");
    expect((await send("GET", `${I}3/?format=csv`)).status).toBe(200);
    expect((await send("GET", `${I}3/?format=xml`)).status).toBe(404);
  });

  test("saved and search filter a list", async () => {
    emulator.edit("insight", 2, { saved: true });
    emulator.edit("insight", 4, { dashboards: [1] });
    emulator.edit("insight", 5, { tags: ["needle"] });
    const ids = async (query: string): Promise<unknown[]> =>
      rows(await send("GET", `${I}?order=id&${query}`)).map((row) => row["id"]);
    expect(await ids("saved=true")).toEqual([2, 4]);
    expect(await ids("search=NEEDLE")).toEqual([5]);
  });
});
