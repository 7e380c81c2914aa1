import { describe, expect, test } from "vitest";
import { clock, idOf, start } from "../harness.ts";

const PATH = "/api/projects/2/insights/";

describe("insights", () => {
  test("create without fields returns the fields and defaults of the document", async () => {
    const { send } = await start({ now: clock().now });
    const reply = await send("POST", PATH, {});
    const at = "2030-01-01T00:00:00Z";
    const author = expect.objectContaining({ email: "owner@example.com" });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.any(Number),
      short_id: expect.stringMatching(/^\w{8}$/),
      name: null,
      derived_name: null,
      filters: {},
      query: null,
      order: null,
      deleted: false,
      dashboards: [],
      dashboard_tiles: [],
      last_refresh: null,
      cache_target_age: null,
      next_allowed_client_refresh: null,
      result: null,
      columns: null,
      created_at: at,
      created_by: author,
      description: null,
      updated_at: at,
      tags: [],
      favorited: false,
      saved: false,
      last_modified_at: at,
      last_modified_by: author,
      is_sample: false,
      effective_restriction_level: 21,
      effective_privilege_level: 37,
      timezone: null,
      is_cached: "false",
      query_status: null,
    });
  });

  test("a patch replaces the whole query and records the author and the time", async () => {
    const time = clock();
    const { send } = await start({ now: time.now });
    const { json } = await send("POST", PATH, { name: "n", query: { kind: "X", a: 1 } });
    time.pass(1000);
    await send("PATCH", `${PATH}${idOf(json)}/`, { query: { kind: "Y" } });
    expect((await send("GET", `${PATH}${idOf(json)}/`)).json).toMatchObject({
      name: "n",
      query: { kind: "Y" },
      last_modified_at: "2030-01-01T00:00:01Z",
      last_modified_by: { email: "owner@example.com" },
    });
  });

  test.each([
    ["tags that are not a list", { tags: "a" }, "not_a_list", "tags"],
    ["a name of another type", { name: {} }, "invalid_input", "name"],
    ["an order that is not an integer", { order: 1.5 }, "invalid_input", "order"],
  ])("create with %s is 400", async (_case, body, code, attr) => {
    const { send } = await start();
    const reply = await send("POST", PATH, body);
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, code, attr]);
  });

  test("a deleted insight is not listed and is 404, but remains in the store", async () => {
    const { emulator, send } = await start();
    const { json } = await send("POST", PATH, { name: "n" });
    const one = `${PATH}${idOf(json)}/`;
    expect((await send("PATCH", one, { deleted: true })).json["deleted"]).toBe(true);
    const replies = [
      await send("GET", one),
      await send("PATCH", one, { name: "q" }),
      await send("PATCH", one, { deleted: true }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([404, 404, 404]);
    expect((await send("GET", PATH)).json["count"]).toBe(0);
    expect(emulator.find("insight")[0]).toMatchObject({ name: "n", deleted: true });
  });
});
