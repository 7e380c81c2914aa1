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

/** The bytes that a raw socket receives for a read or a create of domains under a fault. */
async function under(fault: Fault): Promise<{ readonly read: RawAnswer; readonly made: RawAnswer }> {
  emulator.faults.add({ fault });
  return { read: await raw(emulator, "GET", D), made: await raw(emulator, "POST", D, { domain: "new.example" }) };
}

const count = (): number => emulator.find("domain").length;

/** The types that any client can see: they are in test/contract/rows/document/faults.rows. */
type InRows =
  | "answer"
  | "clamp-limit"
  | "content-type"
  | "drop-field"
  | "duplicate-create"
  | "duplicate-row"
  | "html-502"
  | "ignore-field"
  | "lying-count"
  | "mask-field"
  | "move-row"
  | "process-first"
  | "redirect"
  | "short-page"
  | "stale-read"
  | "status"
  | "throttle"
  | "wrong-next-host";

/** Every other type as bytes, which do not depend on any HTTP client. */
const WIRE: Readonly<Record<Exclude<Fault["type"], InRows>, () => Promise<void>>> = {
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
  "slow-drip": async () => {
    const { read } = await under({ type: "slow-drip", bytes: 200, ms: 5 });
    expect(json(read)["count"]).toBe(4);
    expect(read.pieces).toBeGreaterThan(2);
  },
};

describe("every fault is visible on the wire", () => {
  test.each(Object.entries(WIRE))("%s", async (_type, check) => check());
});
