import { describe, expect, test } from "vitest";
import { clock, idOf, ORG, start } from "../harness.ts";

const ON_ORGANIZATION = `/api/organizations/${ORG}/batch_exports/`;
const ON_PROJECT = "/api/projects/2/batch_exports/";
const BODY = {
  name: "Nightly",
  interval: "day",
  destination: { type: "S3", config: { bucket_name: "b", port: 7, aws_secret_access_key: "s" } },
};

describe("batch exports", () => {
  test.each([ON_ORGANIZATION, ON_PROJECT])(
    "create on %s returns the fields and defaults of the document",
    async (path) => {
      const { send } = await start({ now: clock().now });
      const reply = await send("POST", path, BODY);
      expect(reply.status).toBe(201);
      expect(reply.json).toEqual({
        ...BODY,
        id: expect.any(String),
        team_id: 2,
        model: "events",
        paused: false,
        created_at: "2030-01-01T00:00:00Z",
        last_updated_at: "2030-01-01T00:00:00Z",
        last_paused_at: null,
        start_at: null,
        end_at: null,
        latest_runs: [],
        hogql_query: null,
        schema: null,
      });
    },
  );

  test("an export of a project is visible on the project and its organization, not on another project", async () => {
    const { send } = await start();
    await send("POST", ON_PROJECT, BODY);
    const counts = [ON_PROJECT, ON_ORGANIZATION, "/api/projects/3/batch_exports/"].map((path) => send("GET", path));
    expect((await Promise.all(counts)).map(({ json }) => json["count"])).toEqual([1, 1, 0]);
  });

  test("an export of the organization is visible only on the organization", async () => {
    const { send } = await start();
    const { json } = await send("POST", ON_ORGANIZATION, BODY);
    const replies = [
      await send("GET", `${ON_ORGANIZATION}${idOf(json)}/`),
      await send("GET", `${ON_PROJECT}${idOf(json)}/`),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 404]);
  });

  test("a patch replaces the whole destination", async () => {
    const { send } = await start();
    const { json } = await send("POST", ON_PROJECT, BODY);
    const destination = { type: "S3", config: { prefix: "p/" } };
    await send("PATCH", `${ON_PROJECT}${idOf(json)}/`, { destination });
    expect((await send("GET", `${ON_PROJECT}${idOf(json)}/`)).json["destination"]).toEqual(destination);
  });

  test("dates are stored in UTC", async () => {
    const { send } = await start();
    const { json } = await send("POST", ON_PROJECT, {
      ...BODY,
      start_at: "2024-01-01T00:00:00+02:00",
      end_at: "2030-01-01T00:00:00.12Z",
    });
    expect([json["start_at"], json["end_at"]]).toEqual(["2023-12-31T22:00:00Z", "2030-01-01T00:00:00.120000Z"]);
  });

  test.each([
    ["no name", { ...BODY, name: undefined }, "required", "name"],
    ["no destination", { ...BODY, destination: undefined }, "required", "destination"],
    ["no type of destination", { ...BODY, destination: { config: {} } }, "required", "destination__type"],
    [
      "a config that is not an object",
      { ...BODY, destination: { type: "S3", config: [] } },
      "invalid_input",
      "destination__config",
    ],
    ["no interval", { ...BODY, interval: undefined }, "required", "interval"],
    ["an unknown model", { ...BODY, model: "groups" }, "invalid_choice", "model"],
    ["an invalid date", { ...BODY, start_at: "yesterday" }, "invalid_input", "start_at"],
  ])("create with %s is 400", async (_case, body, code, attr) => {
    const { send } = await start();
    const reply = await send("POST", ON_PROJECT, body);
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, code, attr]);
  });

  test("pause and unpause return the export, and pause records the time", async () => {
    const time = clock();
    const { send } = await start({ now: time.now });
    const { json } = await send("POST", ON_ORGANIZATION, BODY);
    time.pass(1000);
    const paused = await send("POST", `${ON_ORGANIZATION}${idOf(json)}/pause/`, {});
    time.pass(1000);
    const resumed = await send("POST", `${ON_ORGANIZATION}${idOf(json)}/unpause/`);
    expect(paused.json).toMatchObject({ id: json["id"], paused: true, last_paused_at: "2030-01-01T00:00:01Z" });
    expect(resumed.status).toBe(200);
    expect(resumed.json).toMatchObject({ paused: false, last_paused_at: "2030-01-01T00:00:01Z" });
  });

  test("backfill returns the export with a run for the range", async () => {
    const { send } = await start();
    const { json } = await send("POST", ON_PROJECT, BODY);
    const range = { start_at: "2024-01-01T00:00:00Z", end_at: "2024-01-02T00:00:00Z" };
    const reply = await send("POST", `${ON_PROJECT}${idOf(json)}/backfill/`, range);
    expect(reply.json).toMatchObject({
      id: json["id"],
      latest_runs: [{ batch_export: json["id"], data_interval_start: range.start_at, data_interval_end: range.end_at }],
    });
  });
});
