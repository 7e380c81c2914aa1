import { describe, expect, test } from "vitest";
import { ORG, start, UNKNOWN } from "../harness.ts";

const DOMAINS = `/api/organizations/${ORG}/domains`;

describe("transport", () => {
  test("a trailing slash is ignored and not redirected", async () => {
    const { send } = await start();
    const [plain, slashed] = [await send("GET", DOMAINS), await send("GET", `${DOMAINS}/`)];
    expect([plain.status, plain.text]).toEqual([slashed.status, slashed.text]);
  });

  test("an unknown route is 404", async () => {
    const { send } = await start();
    const reply = await send("GET", "/api/nothing/");
    expect([reply.status, reply.json["code"]]).toEqual([404, "not_found"]);
  });

  test("a method that a route does not have is 405", async () => {
    const { send } = await start();
    expect((await send("GET", `/api/organizations/${ORG}/invites/${UNKNOWN}/`)).status).toBe(405);
  });

  test("a missing key is 401 not_authenticated", async () => {
    const { send } = await start();
    const reply = await send("GET", "/api/organizations/", undefined, null);
    expect([reply.status, reply.json["code"]]).toEqual([401, "not_authenticated"]);
  });

  test("an unknown key is 401 authentication_failed, on insights too", async () => {
    const { send } = await start();
    const reply = await send("GET", "/api/projects/2/insights/", undefined, "wrong");
    expect([reply.status, reply.json["code"]]).toEqual([401, "authentication_failed"]);
  });

  test("a key without the scope of an operation is 403, and the answer names the scope", async () => {
    const { send } = await start({ keys: [{ key: "k", scopes: ["organization:read"] }] });
    const reply = await send("POST", DOMAINS, { domain: "a.example" });
    expect(reply.status).toBe(403);
    expect(String(reply.json["detail"])).toContain("organization:write");
  });

  test("a write scope includes the read scope", async () => {
    const { send } = await start({ keys: [{ key: "k", scopes: ["organization:write"] }] });
    expect((await send("GET", DOMAINS)).status).toBe(200);
  });

  test("an operation without a listed scope is open to every key", async () => {
    const { emulator, send } = await start({ keys: [{ key: "k", scopes: ["plugin:read"] }] });
    const { id } = emulator.insert("batch_export", { project: 2 }, { name: "x" });
    expect((await send("POST", `/api/projects/2/batch_exports/${id}/pause/`)).status).toBe(200);
  });

  test("an error body has exactly type, code, detail and attr", async () => {
    const { send } = await start();
    const reply = await send("POST", DOMAINS, {});
    expect(Object.keys(reply.json).toSorted()).toEqual(["attr", "code", "detail", "type"]);
  });

  test("a body that is not JSON is 400 parse_error", async () => {
    const { send } = await start();
    const reply = await send("POST", DOMAINS, "{bad");
    expect([reply.status, reply.json["code"]]).toEqual([400, "parse_error"]);
  });

  test("an array instead of an object is 400 without attr", async () => {
    const { send } = await start();
    const reply = await send("POST", DOMAINS, [1]);
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, "invalid_input", null]);
  });

  test("a foreign organization is refused", async () => {
    const { emulator, send } = await start();
    const [foreign] = emulator.find("organization", (row) => row["name"] === "Elsewhere");
    expect((await send("GET", `/api/organizations/${foreign?.id}/domains/`)).status).toBe(403);
  });

  test("an unknown organization and an unknown project are 404", async () => {
    const { send } = await start();
    const replies = [
      await send("GET", `/api/organizations/${UNKNOWN}/domains/`),
      await send("GET", "/api/projects/77/insights/"),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([404, 404]);
  });

  test("the log lists method, path, query, body and status of each request in order", async () => {
    const { emulator, send } = await start({ now: () => new Date("2030-01-01T00:00:00Z") });
    await send("GET", `${DOMAINS}/?limit=5`);
    await send("POST", `${DOMAINS}/`, { domain: "" });
    const at = "2030-01-01T00:00:00Z";
    expect(emulator.requests).toEqual([
      { method: "GET", path: `${DOMAINS}/`, query: { limit: "5" }, body: undefined, status: 200, at },
      { method: "POST", path: `${DOMAINS}/`, query: {}, body: { domain: "" }, status: 400, at },
    ]);
  });

  test("a cleared log is empty", async () => {
    const { emulator, send } = await start();
    await send("GET", DOMAINS);
    emulator.clearRequests();
    expect(emulator.requests).toEqual([]);
  });

  test("a closed emulator refuses connections", async () => {
    const { emulator, send } = await start();
    await send("GET", DOMAINS);
    await emulator.close();
    await expect(send("GET", DOMAINS)).rejects.toThrow("fetch failed");
  });
});
