import { describe, expect, test } from "vitest";
import { clock, FOREIGN, ORG, rows, sender, start, UNKNOWN } from "../harness.ts";
import type { EmulatorOptions } from "../../../../src/emulator/index.ts";

const O = `/api/organizations/${ORG}`;
const INSIGHTS = "/api/projects/2/insights/";
const SCOPED = { key: "scoped", scopes: ["*"] };
const LEGACY = { key: "legacy" };
const deployed = (options: EmulatorOptions = {}): ReturnType<typeof start> =>
  start({ dialect: "deployed", keys: [SCOPED, LEGACY], ...options });

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: keys and scopes", () => {
  test.each([
    ["1 no key", "/api/organizations/", null, 401, "not_authenticated"],
    ["2 a wrong key", "/api/organizations/", "wrong", 401, "authentication_failed"],
    ["3 no key on insights", INSIGHTS, null, 403, "not_authenticated"],
    ["4 a wrong key on insights", INSIGHTS, "wrong", 403, "authentication_failed"],
  ])("%s", async (_case, path, key, status, code) => {
    const { send } = await deployed();
    const reply = await send("GET", path, undefined, key);
    expect([reply.status, reply.json["code"]]).toEqual([status, code]);
  });

  test("8 a scoped key is refused if no scope is listed, even with *", async () => {
    const { emulator, send } = await deployed();
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    expect((await send("POST", `${O}/domains/${id}/verify/`, {})).status).toBe(403);
  });

  test("9 a key without scopes is accepted then", async () => {
    const { emulator, send } = await deployed();
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    expect((await send("POST", `${O}/domains/${id}/verify/`, {}, "legacy")).status).toBe(200);
  });

  test.each(["invites", "members"])(
    "59, 68 reading one of %s is 403 for a scoped key, 405 for one without scopes",
    async (list) => {
      const { send } = await deployed();
      const replies = [
        await send("GET", `${O}/${list}/${UNKNOWN}/`),
        await send("GET", `${O}/${list}/${UNKNOWN}/`, undefined, "legacy"),
      ];
      expect(replies.map((reply) => reply.status)).toEqual([403, 405]);
    },
  );

  test("35 a key for some organizations lists only these", async () => {
    const { emulator, send } = await deployed({ keys: [{ key: "one", scopes: ["*"], organizations: [ORG] }, LEGACY] });
    await send("POST", "/api/organizations/", { name: "Second" }, "legacy");
    expect((await send("GET", "/api/organizations/", undefined, "legacy")).json["count"]).toBe(2);
    expect(rows(await send("GET", "/api/organizations/")).map((row) => row["id"])).toEqual([ORG]);
    const second = emulator.find("organization", (row) => row["name"] === "Second")[0];
    expect((await send("GET", `/api/organizations/${second?.id}/domains/`)).status).toBe(403);
  });

  test("pause requires batch_export:write", async () => {
    const { emulator, send } = await deployed({ keys: [{ key: "r", scopes: ["batch_export:read"] }] });
    const { id } = emulator.insert("batch_export", { project: 2 }, { name: "x" });
    const reply = await send("POST", `/api/projects/2/batch_exports/${id}/pause/`, {});
    expect([reply.status, String(reply.json["detail"]).includes("batch_export:write")]).toEqual([403, true]);
  });
});

describe("deployed: requests", () => {
  test("13 a form is accepted for domains and refused for insights", async () => {
    const { emulator } = await deployed();
    const post = (path: string, body: string): Promise<Response> =>
      fetch(new URL(path, emulator.url), {
        method: "POST",
        body,
        headers: { authorization: `Bearer ${emulator.key}`, "content-type": "application/x-www-form-urlencoded" },
      });
    expect((await post(`${O}/domains/`, "domain=form.example")).status).toBe(201);
    expect((await post(INSIGHTS, "name=x")).status).toBe(415);
    expect(emulator.find("domain")).toMatchObject([{ domain: "form.example" }]);
  });

  test("18 Allow lists the methods of the route", async () => {
    const { send } = await deployed();
    expect((await send("GET", `${O}/invites/${UNKNOWN}/`)).headers.get("allow")).toBe("DELETE, OPTIONS");
  });

  test("38 a malformed organization id is 500, 36 an unknown one 404, 37 a foreign one 403", async () => {
    const { send } = await deployed();
    const statuses = ["not-a-uuid", UNKNOWN, FOREIGN].map(
      async (id) => (await send("GET", `/api/organizations/${id}/domains/`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([500, 404, 403]);
  });

  test("27, 28, 29 the organization's own route: unknown and foreign ids are 404, malformed ids are 500", async () => {
    const { send } = await deployed();
    const statuses = [UNKNOWN, FOREIGN, "not-a-uuid"].map(
      async (id) => (await send("GET", `/api/organizations/${id}/`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 500]);
  });

  test("90 a project: unknown and malformed ids are 404, foreign ids are 403", async () => {
    const { send } = await deployed();
    const statuses = ["9999", "abc", "9"].map(
      async (id) => (await send("GET", `/api/projects/${id}/batch_exports/`)).status,
    );
    expect(await Promise.all(statuses)).toEqual([404, 404, 403]);
  });

  test("the order of checks is scope, parent, method", async () => {
    const { send } = await deployed({ keys: [{ key: "r", scopes: ["organization:read"] }, LEGACY] });
    const scopeFirst = await send("POST", `/api/organizations/${UNKNOWN}/domains/`, {});
    const parentFirst = await send("PUT", `/api/organizations/${UNKNOWN}/invites/${UNKNOWN}/`, {}, "legacy");
    expect([scopeFirst.status, parentFirst.status]).toEqual([403, 404]);
  });

  test("PUT needs the required fields", async () => {
    const { emulator, send } = await deployed();
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const reply = await send("PUT", `${O}/domains/${id}/`, { saml_entity_id: "e" });
    expect([reply.status, reply.json["attr"]]).toEqual([400, "domain"]);
  });
});

describe("deployed: rate limits", () => {
  const limits = { general: 3, insights: 2 };
  const status = async (send: ReturnType<typeof sender>, path: string, key = "scoped"): Promise<number> =>
    (await send("GET", path, undefined, key)).status;

  test("16 a request beyond the budget is 429 throttled with whole seconds to wait", async () => {
    const time = clock();
    const { send } = await deployed({ rateLimits: limits, now: time.now });
    for (let index = 0; index < 3; index += 1) await send("GET", "/api/organizations/");
    time.pass(8_000);
    const reply = await send("GET", "/api/organizations/");
    expect([reply.status, reply.json["code"], reply.headers.get("retry-after")]).toEqual([429, "throttled", "52"]);
  });

  test("17 insights have their own budget, and so has every key", async () => {
    const { send } = await deployed({ rateLimits: limits, now: clock().now });
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push(await status(send, INSIGHTS));
    expect([...statuses, await status(send, "/api/organizations/"), await status(send, INSIGHTS, "legacy")]).toEqual([
      200, 200, 429, 200, 200,
    ]);
  });

  test("the budget is restored after a minute, and refused calls do not use it", async () => {
    const time = clock();
    const { send } = await deployed({ rateLimits: limits, now: time.now });
    for (let index = 0; index < 6; index += 1) await send("GET", INSIGHTS);
    time.pass(60_000);
    expect([await status(send, INSIGHTS), await status(send, INSIGHTS)]).toEqual([200, 200]);
  });

  test("true means 480 requests a minute, and 240 for insights", async () => {
    const { send } = await deployed({ rateLimits: true, now: clock().now });
    for (let index = 0; index < 240; index += 1) await send("GET", `${INSIGHTS}1/`);
    expect([await status(send, INSIGHTS), await status(send, "/api/organizations/")]).toEqual([429, 200]);
  });

  test("without the option there is no limit", async () => {
    const { send } = await deployed({ now: clock().now });
    for (let index = 0; index < 240; index += 1) await send("GET", `${INSIGHTS}1/`);
    expect(await status(send, INSIGHTS)).toBe(200);
  });
});
