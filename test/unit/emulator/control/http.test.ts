import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { beforeEach, describe, expect, test } from "vitest";
import { ORG, start } from "../harness.ts";
import { loadSeed, startEmulator } from "../../../../src/emulator/index.ts";
import type { Body, Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

interface ControlReply {
  readonly status: number;
  readonly json: Body;
}

let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ controlPort: 0 }));
});

async function control(method: string, path: string, body?: unknown, type = "application/json"): Promise<ControlReply> {
  const response = await fetch(`${emulator.controlUrl}${path}`, {
    method,
    headers: { "content-type": type },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, json: (text === "" ? {} : JSON.parse(text)) as Body };
}

const DOMAINS = `/api/organizations/${ORG}/domains/`;

describe("the control interface", () => {
  test("is not there unless it is asked for", async () => {
    const { emulator: other } = await start();
    expect(other.controlUrl).toBeUndefined();
  });

  test("listens on the loopback address alone, wherever the service does", async () => {
    const other = await startEmulator({ host: "0.0.0.0", controlPort: 0 });
    expect(new URL(other.controlUrl ?? "").hostname).toBe("127.0.0.1");
    const outside = Object.values(networkInterfaces())
      .flatMap((list) => list ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal);
    const reaches = (url: string, host: string): Promise<boolean> =>
      new Promise((resolve) => {
        const socket = connect(Number(new URL(url).port), host, () => resolve(true));
        socket.on("error", () => resolve(false));
        socket.on("connect", () => socket.destroy());
      });
    if (outside !== undefined) {
      expect(await reaches(other.controlUrl ?? "", outside.address)).toBe(false);
      expect(await reaches(other.url, outside.address)).toBe(true);
    }
    await other.close();
  });

  test("a port that is taken ends the service too", async () => {
    const taken = Number(new URL(emulator.url).port);
    await expect(startEmulator({ controlPort: taken })).rejects.toMatchObject({ code: "EADDRINUSE" });
  });

  test("inserts, finds, edits and removes objects", async () => {
    const made = await control("POST", "/objects/domain", {
      scope: { organization: ORG },
      values: { domain: "a.example" },
    });
    expect([made.status, made.json["domain"]]).toEqual([201, "a.example"]);
    const one = `/objects/domain/${String(made.json["id"])}`;
    expect((await control("PATCH", one, { is_verified: true })).json["is_verified"]).toBe(true);
    expect((await control("GET", "/objects/domain?is_verified=true")).json[0]?.["domain"]).toBe("a.example");
    expect((await control("GET", "/objects/domain?domain=b.example")).json).toEqual([]);
    expect((await control("DELETE", one)).status).toBe(204);
    expect((await send("GET", DOMAINS)).json["count"]).toBe(0);
  });

  test("an insight is in a project and has a number, or its short id", async () => {
    const { json } = await control("POST", "/objects/insight", { scope: { project: 2 }, values: { name: "n" } });
    await control("PATCH", `/objects/insight/${String(json["short_id"])}`, { name: "m" });
    expect((await send("GET", "/api/projects/2/insights/1/")).json["name"]).toBe("m");
  });

  test("adds what a seed holds", async () => {
    const id = "33333333-3333-4333-8333-333333333333";
    expect((await control("POST", "/seed", { organizations: [{ id, name: "More" }] })).status).toBe(204);
    expect((await send("GET", `/api/organizations/${id}/`)).json).toMatchObject({ name: "More", membership_level: 15 });
    const refused = await control("POST", "/seed", { organizations: [{}] });
    expect([refused.status, refused.json["error"]]).toEqual([400, "/organizations/0/name: a text is needed here."]);
  });

  test("adds and changes projects, and adds events to them", async () => {
    const { json } = await control("POST", "/projects", { organization: ORG, name: "New" });
    await control("PATCH", `/projects/${String(json["id"])}`, { name: "Newer" });
    const events = [{ event: "view", distinct_id: "a", timestamp: "2030-01-01T00:00:00Z", properties: { x: 1 } }];
    expect((await control("POST", `/projects/${String(json["id"])}/events`, events)).json).toEqual({ events: 1 });
    const dump = (await control("GET", "/dump")).json;
    expect(dump["event"]).toMatchObject([{ event: "view", team_id: json["id"] }]);
    expect(dump["project"]).toMatchObject([{ name: "Web" }, { name: "App" }, { name: "Theirs" }, { name: "Newer" }]);
  });

  test("lets people accept an invite, and time pass over one", async () => {
    const invite = async (address: string): Promise<string> => {
      const body = { scope: { organization: ORG }, values: { target_email: address, level: 8 } };
      return String((await control("POST", "/objects/invite", body)).json["id"]);
    };
    expect((await control("POST", `/invites/${await invite("a@x.example")}/accept`)).json["level"]).toBe(8);
    await control("POST", `/invites/${await invite("b@x.example")}/expire`);
    const { json } = await send("GET", `/api/organizations/${ORG}/invites/`);
    expect(json["results"]).toMatchObject([{ target_email: "b@x.example", is_expired: true }]);
  });

  test("tells what was requested, and forgets it", async () => {
    await send("POST", DOMAINS, { domain: "a.example" });
    await send("GET", DOMAINS);
    expect((await control("GET", "/requests?method=post&path=/domains")).json).toMatchObject([
      { method: "POST", path: DOMAINS, body: { domain: "a.example" }, status: 201 },
    ]);
    expect((await control("DELETE", "/requests")).status).toBe(204);
    expect((await control("GET", "/requests")).json).toEqual([]);
  });

  test.each<[string, string, unknown, string]>([
    ["POST", "/objects/nothing", {}, 'There is no kind "nothing".'],
    ["POST", "/objects/domain", { scope: { organization: "x" }, values: {} }, 'There is no organization "x".'],
    ["POST", "/objects/domain", [], "An object is expected in the body."],
    ["PATCH", "/objects/domain/x", {}, 'no domain "x"'],
    ["POST", "/invites/x/accept", undefined, 'There is no invite "x".'],
    ["PATCH", "/projects/99", {}, 'There is no project "99".'],
    ["POST", "/projects", { organization: "x", name: "y" }, 'There is no organization "x".'],
    ["POST", "/projects/2/events", {}, "A list of events is expected."],
    ["POST", "/projects/2/events", [{ event: "x" }], 'Event 0 needs the texts "event" and "distinct_id"'],
    ["POST", "/projects/2/events", [{ event: "x", distinct_id: "y", timestamp: "z" }], '"z" is no date and time.'],
    ["POST", "/faults", "{", "The body is not JSON."],
    ["DELETE", "/faults/7", undefined, 'There is no fault "7".'],
  ])("%s %s with %j is refused", async (method, path, body, message) => {
    const { status, json } = await control(method, path, body);
    expect([status, json["error"]]).toEqual([400, expect.stringContaining(message)]);
  });

  test("a path that is not there is 404, and a body that does not say that it is JSON is refused", async () => {
    expect((await control("GET", "/nothing")).status).toBe(404);
    expect((await control("POST", "/faults", { fault: { type: "html-502" } }, "text/plain")).status).toBe(400);
    expect(emulator.faults.list()).toEqual([]);
  });
});

describe("faults over the control interface", () => {
  test("are set, listed with what they did, and removed", async () => {
    const rule = {
      method: "GET",
      path: { pattern: "/DOMAINS/$", flags: "i" },
      nth: 2,
      fault: { type: "status", status: 503 },
    };
    const { status, json } = await control("POST", "/faults", rule);
    expect([status, json]).toEqual([201, { id: 1, ...rule, hits: 0, matches: 0 }]);
    expect([(await send("GET", DOMAINS)).status, (await send("GET", DOMAINS)).status]).toEqual([200, 503]);
    expect((await control("GET", "/faults")).json).toMatchObject([{ id: 1, hits: 1, matches: 2 }]);
    await control("DELETE", "/faults/1");
    expect((await control("GET", "/faults")).json).toEqual([]);
    await control("POST", "/faults", rule);
    await control("DELETE", "/faults");
    expect(emulator.faults.list()).toEqual([]);
  });

  test("a date is a text", async () => {
    await control("POST", "/faults", { fault: { type: "throttle", retryAfter: "2030-01-01T00:00:00Z" } });
    const { status, headers } = await send("GET", DOMAINS);
    expect([status, headers.get("retry-after")]).toEqual([429, "Tue, 01 Jan 2030 00:00:00 GMT"]);
    expect((await control("GET", "/faults")).json[0]?.["fault"]?.["retryAfter"]).toBe("2030-01-01T00:00:00.000Z");
  });

  test.each([
    { type: "drop-before" },
    { type: "process-then-drop" },
    { type: "delay-before", ms: 1 },
    { type: "delay-after", ms: 1 },
    { type: "half-body" },
    { type: "slow-drip", bytes: 10 },
    { type: "html-502" },
    { type: "process-first" },
    { type: "throttle", retryAfter: null },
    { type: "throttle", retryAfter: 3 },
    { type: "wrong-next-host", origin: "http://x.example" },
    { type: "clamp-limit", limit: 1 },
    { type: "move-row" },
    { type: "lying-count", by: -1 },
    { type: "stale-read" },
    { type: "ignore-field", field: "f" },
    { type: "drop-field", field: "f" },
    { type: "mask-field", field: "f", mask: "m" },
    { type: "duplicate-create" },
  ])("%j is set as it is", async (fault) => {
    expect((await control("POST", "/faults", { path: "/x", fault })).json["fault"]).toEqual(fault);
  });

  test.each<[string, unknown, string]>([
    ["no fault", {}, '"fault" is an object whose "type" is one of'],
    ["an unknown type", { fault: { type: "toString" } }, '"fault" is an object whose "type" is one of'],
    ["an unknown key of a rule", { times: 1, when: 1, fault: { type: "move-row" } }, 'A rule has no "when"'],
    ["an unknown field of a fault", { fault: { type: "move-row", ms: 1 } }, 'The fault move-row has no "ms".'],
    ["a field that is missing", { fault: { type: "clamp-limit" } }, '"limit" of a fault has to be a number.'],
    ["a status that is no error", { fault: { type: "status", status: 304 } }, "has to be a status from 400 to 599."],
    ["a date that is none", { fault: { type: "throttle", retryAfter: "soon" } }, "has to be seconds, a date, or null."],
    ["a count of nothing", { nth: 0, fault: { type: "move-row" } }, '"nth" has to be a whole number above 0.'],
    ["a method that is no text", { method: 1, fault: { type: "move-row" } }, '"method" has to be a text.'],
    ["a path that is a number", { path: 1, fault: { type: "move-row" } }, '"path" has to be a part of the path'],
    ["a pattern that is none", { path: { pattern: "(" }, fault: { type: "move-row" } }, "Invalid regular expression"],
    ["a list", [], "A rule is an object."],
  ])("%s is refused", async (_name, rule, message) => {
    const { status, json } = await control("POST", "/faults", rule);
    expect([status, json["error"]]).toEqual([400, expect.stringContaining(message)]);
  });
});

describe("the log of requests", () => {
  test("keeps the last ones only, in the same array", async () => {
    const { emulator: small, send: ask } = await start({ maxRequests: 3 });
    const { requests } = small;
    for (let index = 0; index < 5; index += 1) await ask("GET", `${DOMAINS}?offset=${index}`);
    expect(requests.map(({ query }) => query["offset"])).toEqual(["2", "3", "4"]);
    small.clearRequests();
    expect(requests).toEqual([]);
  });

  test("forgets sooner where bodies are large", async () => {
    const { emulator: big, send: ask } = await start();
    const description = "x".repeat(12 * 1024 * 1024);
    for (let index = 0; index < 3; index += 1)
      await ask("POST", "/api/projects/2/insights/", { name: `${index}`, description });
    expect(big.requests.length).toBe(2);
  });
});

describe("the README", () => {
  const readme = readFileSync(new URL("../../../../src/emulator/README.md", import.meta.url), "utf8");

  test("shows a seed that can be planted", () => {
    const [, seed = ""] = /```json\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(loadSeed(seed).organizations.length).toBe(2);
  });

  test("shows rules that can be set", async () => {
    const bodies = [...readme.matchAll(/CONTROL\/faults" -H "\$JSON" \\\n\s+-d '(.*)'/g)].map(([, body]) => body);
    expect(bodies.length).toBe(2);
    for (const body of bodies) expect((await control("POST", "/faults", body)).status).toBe(201);
  });

  test("names every fault, and every call of the control interface", async () => {
    for (const type of ["drop-before", "duplicate-create", "mask-field"]) expect(readme).toContain(`\`${type}\``);
    const calls = [...readme.matchAll(/`(GET|POST|PATCH|DELETE) (\/[a-z]+)/g)];
    for (const [, method = "", path = ""] of calls) expect((await control(method, path)).status).toBeLessThan(500);
    expect(new Set(calls.map(([, , path]) => path)).size).toBeGreaterThanOrEqual(7);
  });
});
