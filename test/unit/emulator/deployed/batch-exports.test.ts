import { beforeEach, describe, expect, test } from "vitest";
import { clock, idOf, ORG, start, type Body, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const B = `/api/organizations/${ORG}/batch_exports/`;
const PB = "/api/projects/2/batch_exports/";
const S3 = {
  bucket_name: "b",
  region: "r",
  prefix: "p/",
  aws_access_key_id: "AK",
  aws_secret_access_key: "SK",
  extra: 7,
  flag: true,
};
const BODY = { name: "  Nightly ", interval: "day", destination: { type: "S3", config: S3 } };
let emulator: Emulator;
let send: Send;
let time: ReturnType<typeof clock>;

beforeEach(async () => {
  time = clock();
  ({ emulator, send } = await start({ dialect: "deployed", now: time.now, keys: [{ key: "k", scopes: ["*"] }] }));
});

const config = (json: Body): unknown => json["destination"]?.["config"];
const make = async (): Promise<string> => `${PB}${idOf((await send("POST", PB, BODY)).json)}/`;

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: batch exports", () => {
  test("77 writes on the organization's route are 500, but all other requests succeed", async () => {
    const path = (await make()).replace(PB, B);
    const writes = [
      await send("POST", B, BODY),
      await send("PATCH", path, { name: "x" }),
      await send("POST", `${path}backfill/`, {}),
    ];
    const others = [await send("GET", path), await send("POST", `${path}pause/`, {}), await send("DELETE", path)];
    expect([...writes, ...others].map((reply) => reply.status)).toEqual([500, 500, 500, 200, 200, 204]);
  });

  test.each([
    ["no name", {}, 400, "required", "name"],
    ["an unknown interval", { ...BODY, interval: "minute" }, 400, "invalid_choice", "interval"],
    [
      "an unknown type",
      { ...BODY, destination: { type: "GCS", config: {} } },
      400,
      "invalid_choice",
      "destination__type",
    ],
    ["no type", { ...BODY, destination: { config: {} } }, 400, "required", "destination__type"],
    ["an interval that only some teams have", { ...BODY, interval: "every 5 minutes" }, 403, "permission_denied", null],
    ["a model that only some teams have", { ...BODY, model: "sessions" }, 403, "permission_denied", null],
    ["a blank query", { ...BODY, hogql_query: "" }, 400, "blank", "hogql_query"],
    ["80 no config", { ...BODY, destination: { type: "S3" } }, 500, "error", null],
  ])("78 create with %s", async (_case, body, status, code, attr) => {
    const reply = await send("POST", PB, body);
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([status, code, attr]);
    expect(emulator.find("batch_export")).toEqual([]);
  });

  test("79 create trims the name, hides secrets and the query, and shows what it made of the query", async () => {
    const { json } = await send("POST", PB, { ...BODY, hogql_query: "SELECT 1" });
    expect([json["name"], config(json)]).toEqual([
      "Nightly",
      { bucket_name: "b", region: "r", prefix: "p/", extra: 7, flag: true },
    ]);
    expect(Object.keys(json)).not.toContain("hogql_query");
    expect(json["schema"]).toMatchObject({ hogql_query: "SELECT 1" });
  });

  test("scalars of the config are text after they are stored", async () => {
    const { json } = await send("GET", await make());
    expect(config(json)).toEqual({ bucket_name: "b", region: "r", prefix: "p/", extra: "7", flag: "True" });
  });

  test("keys of the config are returned in another order", async () => {
    const { json } = await send("GET", await make());
    expect(Object.keys(config(json) as object)).toEqual(["flag", "extra", "prefix", "region", "bucket_name"]);
  });

  test("81 Snowflake without a password and a compression that the format does not support are refused", async () => {
    const snowflake = { account: "a", user: "u", database: "d", warehouse: "w", schema: "s" };
    const replies = [
      await send("POST", PB, { ...BODY, destination: { type: "Snowflake", config: snowflake } }),
      await send("POST", PB, { ...BODY, destination: { type: "S3", config: { ...S3, compression: "zstd" } } }),
    ];
    expect(replies.map((reply) => [reply.status, reply.json["attr"]])).toEqual([
      [400, "destination"],
      [400, "destination"],
    ]);
  });

  test("82 a patch merges the config and keeps old secrets", async () => {
    const path = await make();
    const { json } = await send("PATCH", path, { destination: { type: "S3", config: { bucket_name: "b2" } } });
    expect(config(json)).toEqual({ bucket_name: "b2", region: "r", prefix: "p/", extra: "7", flag: "True" });
    expect(emulator.find("batch_export")[0]?.["destination"]).toMatchObject({
      config: { aws_secret_access_key: "SK" },
    });
  });

  test("83 null sets null", async () => {
    const path = await make();
    await send("PATCH", path, { destination: { type: "S3", config: { extra: null } } });
    expect(config((await send("GET", path)).json)).toMatchObject({ extra: null });
  });

  test("84 a new type keeps the old keys and shows the secrets of the old type", async () => {
    const path = await make();
    const postgres = { type: "Postgres", config: { user: "u", password: "p", host: "h", database: "d" } };
    const { json } = await send("PATCH", path, { destination: postgres });
    expect(config(json)).toMatchObject({ host: "h", bucket_name: "b", aws_secret_access_key: "SK" });
    expect(Object.keys(config(json) as object)).not.toContain("password");
  });

  test("a destination without a type is 500", async () => {
    expect((await send("PATCH", await make(), { destination: { config: { a: 1 } } })).status).toBe(500);
  });

  test("86 null clears a date", async () => {
    const path = await make();
    await send("PATCH", path, { start_at: "2024-01-01T00:00:00Z" });
    expect((await send("PATCH", path, { start_at: null })).json["start_at"]).toBeNull();
  });

  test("87 pause returns only `paused`, and a second pause changes nothing", async () => {
    const path = await make();
    time.pass(1000);
    const first = await send("POST", `${path}pause/`, {});
    time.pass(1000);
    const second = await send("POST", `${path}pause/`, {});
    expect([first.json, second.json]).toEqual([{ paused: true }, { paused: true }]);
    const at = "2030-01-01T00:00:01Z";
    expect((await send("GET", path)).json).toMatchObject({ last_paused_at: at, last_updated_at: at });
    expect((await send("POST", `${path}unpause/`, {})).json).toEqual({ paused: false });
  });

  test("111 unpause keeps last_paused_at, and only the next pause changes it", async () => {
    const path = await make();
    await send("POST", `${path}pause/`, {});
    time.pass(1000);
    await send("POST", `${path}unpause/`, {});
    const first = "2030-01-01T00:00:00Z";
    expect((await send("GET", path)).json).toMatchObject({ paused: false, last_paused_at: first });
    time.pass(1000);
    await send("POST", `${path}pause/`, {});
    expect((await send("GET", path)).json).toMatchObject({ paused: true, last_paused_at: "2030-01-01T00:00:02Z" });
  });

  test("87 a patch of paused does not set last_paused_at", async () => {
    expect((await send("PATCH", await make(), { paused: true })).json).toMatchObject({
      paused: true,
      last_paused_at: null,
    });
  });

  test.each(["pause", "unpause", "backfill"])("112 the scope batch_export:write is enough for %s", async (action) => {
    const keys = [
      { key: "k", scopes: ["batch_export:write"] },
      { key: "reader", scopes: ["batch_export:read"] },
    ];
    ({ emulator, send } = await start({ dialect: "deployed", now: time.now, keys }));
    const path = await make();
    expect((await send("POST", `${path}${action}/`, {})).status).toBe(200);
    expect((await send("POST", `${path}${action}/`, {}, "reader")).status).toBe(403);
  });

  test.each([
    ["a naive date", "2024-01-01", "2024-01-02T00:00:00Z"],
    ["a start after its end", "2024-01-03T00:00:00Z", "2024-01-02T00:00:00Z"],
  ])("88 backfill with %s is 400", async (_case, start_at, end_at) => {
    expect((await send("POST", `${await make()}backfill/`, { start_at, end_at })).status).toBe(400);
  });

  test("88 backfill returns an id made of export, start and end", async () => {
    const path = await make();
    const body = { start_at: "2024-01-01T00:00:00Z", end_at: "2024-01-02T00:00:00Z" };
    const { json } = await send("POST", `${path}backfill/`, body);
    expect(Object.keys(json)).toEqual(["backfill_id"]);
    expect(json["backfill_id"]).toMatch(/^[0-9a-f-]{36}-Backfill-2024-01-01T00:00:00Z-2024-01-02T00:00:00Z$/);
  });
});
