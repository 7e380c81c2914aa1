import { Agent, get, type IncomingMessage } from "node:http";
import { beforeEach, describe, expect, test } from "vitest";
import { ORG, start, type Body } from "./harness.ts";
import { raw, type RawAnswer } from "./raw.ts";
import type { Emulator, Fault } from "../../../src/emulator/index.ts";

const D = `/api/organizations/${ORG}/domains/`;
let emulator: Emulator;

beforeEach(async () => {
  ({ emulator } = await start());
  for (const letter of "abcd") emulator.insert("domain", { organization: ORG }, { domain: `${letter}.example` });
});

const json = ({ body }: RawAnswer): Body => JSON.parse(body) as Body;
const names = (answer: RawAnswer): unknown[] =>
  (json(answer)["results"] as unknown as readonly Body[]).map((row) => row["domain"]);

/** The bytes that a raw socket receives for a read or a create of domains under a fault. */
async function under(fault: Fault, query = ""): Promise<{ readonly read: RawAnswer; readonly made: RawAnswer }> {
  emulator.faults.add({ fault });
  return {
    read: await raw(emulator, "GET", D + query),
    made: await raw(emulator, "POST", D, { domain: "new.example" }),
  };
}

const count = (): number => emulator.find("domain").length;

/** Every type of fault as bytes, which do not depend on any HTTP client. */
const WIRE: { readonly [Type in Fault["type"]]: () => Promise<void> } = {
  "drop-before": async () => {
    const { read, made } = await under({ type: "drop-before" });
    expect([read.reset, read.text, made.reset, made.text, count()]).toEqual([true, "", true, "", 4]);
    expect(emulator.requests.map((request) => request.status)).toEqual([null, null]);
  },
  "process-then-drop": async () => {
    const { read, made } = await under({ type: "process-then-drop" });
    expect([read.reset, read.text, made.reset, made.text, count()]).toEqual([true, "", true, "", 5]);
    expect(emulator.requests.map((request) => request.status)).toEqual([200, 201]);
  },
  "delay-before": async () => {
    let open = (): void => undefined;
    emulator.faults.add({ fault: { type: "delay-before", until: new Promise<void>((resolve) => (open = resolve)) } });
    const answer = raw(emulator, "POST", D, { domain: "new.example" });
    await expect.poll(() => emulator.requests.length).toBe(1);
    expect(count()).toBe(4);
    open();
    expect((await answer).head).toContain("201 Created");
  },
  "delay-after": async () => {
    let open = (): void => undefined;
    emulator.faults.add({ fault: { type: "delay-after", until: new Promise<void>((resolve) => (open = resolve)) } });
    const answer = raw(emulator, "POST", D, { domain: "new.example" });
    await expect.poll(count).toBe(5);
    open();
    expect((await answer).head).toContain("201 Created");
  },
  "half-body": async () => {
    const { read, made } = await under({ type: "half-body" });
    for (const answer of [read, made]) {
      const [, length] = /content-length: (\d+)/i.exec(answer.head) ?? [];
      expect(answer.body.length).toBe(Math.floor(Number(length) / 2));
      expect(() => json(answer)).toThrow("JSON");
    }
    expect(count()).toBe(5);
  },
  "half-headers": async () => {
    const { read, made } = await under({ type: "half-headers" });
    for (const answer of [read, made]) expect(answer.text).toMatch(/^HTTP\/1\.1 20\d OK\r\nContent-Ty$/);
    expect(count()).toBe(5);
  },
  "headers-only": async () => {
    const { read, made } = await under({ type: "headers-only" });
    expect([read.head, read.body]).toEqual([expect.stringMatching(/^HTTP\/1\.1 200 [\s\S]*content-length: \d\d/i), ""]);
    expect([made.body, count()]).toEqual(["", 5]);
  },
  "half-chunked": async () => {
    const { read } = await under({ type: "half-chunked" });
    expect(read.head).toMatch(/transfer-encoding: chunked/i);
    expect([read.body.includes('"count"'), read.body.endsWith("0\r\n\r\n"), count()]).toEqual([true, false, 5]);
  },
  bytes: async () => {
    const { read, made } = await under({ type: "bytes", text: "SSH-2.0\r\n\u0000\u0001" });
    for (const answer of [read, made]) expect(answer.text).toBe("SSH-2.0\r\n\u0000\u0001");
    expect(count()).toBe(5);
  },
  "hang-up": async () => {
    emulator.faults.add({ nth: 1, fault: { type: "hang-up" } });
    const headers = { authorization: `Bearer ${emulator.key}` };
    const ask = (agent: Agent): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => get(emulator.url + D, { agent, headers }, resolve).on("error", reject));
    const agent = new Agent({ keepAlive: true });
    const answer = await ask(agent);
    expect([answer.statusCode, answer.headers.connection]).toEqual([200, "keep-alive"]);
    const ended = new Promise((resolve) => answer.socket.once("close", resolve));
    answer.resume();
    await ended;
    agent.destroy();
  },
  answer: async () => {
    const { read, made } = await under({ type: "answer", status: 200, text: "<p>hello</p>", contentType: "text/html" });
    expect([read.body, made.body, count()]).toEqual(["<p>hello</p>", "<p>hello</p>", 4]);
    expect(read.head).toMatch(/^HTTP\/1\.1 200 [\s\S]*content-type: text\/html/i);
  },
  redirect: async () => {
    const { read } = await under({ type: "redirect", location: "http://evil.example/" });
    expect(read.head).toMatch(/^HTTP\/1\.1 307 [\s\S]*location: http:\/\/evil\.example\//i);
    expect(count()).toBe(4);
  },
  "content-type": async () => {
    const { read } = await under({ type: "content-type", value: "text/plain" });
    expect(read.head).toMatch(/content-type: text\/plain/i);
    expect(json(read)["count"]).toBe(4);
  },
  "duplicate-row": async () => {
    const { read } = await under({ type: "duplicate-row" }, "?limit=2");
    expect([names(read), json(read)["count"]]).toEqual([["a.example", "b.example", "b.example"], 4]);
  },
  "short-page": async () => {
    const { read } = await under({ type: "short-page" });
    expect([names(read), json(read)["count"]]).toEqual([["a.example", "b.example", "c.example"], 4]);
  },
  "slow-drip": async () => {
    const { read } = await under({ type: "slow-drip", bytes: 200, ms: 5 });
    expect(json(read)["count"]).toBe(4);
    expect(read.pieces).toBeGreaterThan(2);
  },
  "html-502": async () => {
    const { read, made } = await under({ type: "html-502" });
    expect(read.head).toMatch(/^HTTP\/1\.1 502 [\s\S]*content-type: text\/html/i);
    expect([made.body.startsWith("<html>"), count()]).toEqual([true, 4]);
  },
  "process-first": async () => {
    emulator.faults.add({ fault: { type: "process-first" } });
    const { read, made } = await under({ type: "html-502" });
    expect([read.head, made.head]).toEqual([expect.stringContaining("502"), expect.stringContaining("502")]);
    expect(count()).toBe(5);
  },
  status: async () => {
    const { read, made } = await under({ type: "status", status: 503 });
    expect([read.head, made.head]).toEqual([expect.stringContaining("503"), expect.stringContaining("503")]);
    expect([json(read)["code"], count()]).toEqual(["error", 4]);
  },
  throttle: async () => {
    const { read } = await under({ type: "throttle", retryAfter: 7 });
    expect(read.head).toMatch(/^HTTP\/1\.1 429 [\s\S]*retry-after: 7(\r\n|$)/i);
    expect(count()).toBe(4);
  },
  "wrong-next-host": async () => {
    const { read } = await under({ type: "wrong-next-host", origin: "http://evil.example" }, "?limit=1&offset=1");
    expect(read.body).toContain(`"next":"http://evil.example${D}?limit=1&offset=2"`);
    expect(read.body).toContain(`"previous":"http://evil.example${D}?limit=1"`);
    expect(read.body).not.toContain("127.0.0.1");
  },
  "clamp-limit": async () => {
    const { read } = await under({ type: "clamp-limit", limit: 2 }, "?limit=100");
    expect([names(read), json(read)["next"]]).toEqual([
      ["a.example", "b.example"],
      expect.stringContaining("limit=2&offset=2"),
    ]);
  },
  "move-row": async () => {
    const first = await raw(emulator, "GET", `${D}?limit=2`);
    const { read } = await under({ type: "move-row" }, "?limit=2&offset=2");
    expect([names(first), names(read)]).toEqual([
      ["a.example", "b.example"],
      ["b.example", "d.example"],
    ]);
  },
  "lying-count": async () => {
    const { read } = await under({ type: "lying-count", by: 3 });
    expect([json(read)["count"], names(read).length]).toEqual([7, 4]);
  },
  "stale-read": async () => {
    await under({ type: "stale-read" });
    expect(names(await raw(emulator, "GET", D))).not.toContain("new.example");
    emulator.faults.clear();
    expect(names(await raw(emulator, "GET", D))).toContain("new.example");
  },
  "ignore-field": async () => {
    const { made } = await under({ type: "ignore-field", field: "domain" });
    expect([made.head, json(made)["attr"]]).toEqual([expect.stringContaining("400"), "domain"]);
  },
  "drop-field": async () => {
    const { read, made } = await under({ type: "drop-field", field: "verification_challenge" });
    expect([read.body, made.body].map((body) => body.includes("verification_challenge"))).toEqual([false, false]);
  },
  "mask-field": async () => {
    const { made } = await under({ type: "mask-field", field: "verification_challenge" });
    expect(made.body).toContain('"verification_challenge":"********"');
  },
  "duplicate-create": async () => {
    emulator.faults.add({ fault: { type: "duplicate-create" } });
    const answer = await raw(emulator, "POST", "/api/projects/2/insights/", { name: "n" });
    expect([json(answer)["id"], emulator.find("insight").length]).toEqual([1, 2]);
  },
};

describe("every fault is visible on the wire", () => {
  test.each(Object.entries(WIRE))("%s", async (_type, check) => check());

  test("403 and 404 for one list do not affect the others", async () => {
    emulator.faults.add({ path: /\/domains\/$/, fault: { type: "status", status: 403 } });
    emulator.faults.add({ path: /\/invites\/$/, fault: { type: "status", status: 404 } });
    const heads = ["domains", "invites", "members"].map(async (name) =>
      (await raw(emulator, "GET", `/api/organizations/${ORG}/${name}/`)).head.slice(9, 12),
    );
    expect(await Promise.all(heads)).toEqual(["403", "404", "200"]);
  });
});
