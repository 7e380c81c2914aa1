import { beforeEach, describe, expect, test } from "vitest";
import { idOf, ORG, rows, start, type Send } from "../harness.ts";
import { raw } from "./raw.ts";
import type { Emulator, Fault, FaultRule } from "../../../../src/emulator/index.ts";

const D = `/api/organizations/${ORG}/domains/`;
const I = "/api/projects/2/insights/";
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start());
});

const set = (fault: Fault, rule: Omit<FaultRule, "fault"> = {}): ReturnType<Emulator["faults"]["add"]> =>
  emulator.faults.add({ ...rule, fault });

/** A promise that the test resolves. */
function makeGate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

describe("faults on the wire", () => {
  test("drop-before resets the connection and does not process the request", async () => {
    set({ type: "drop-before" });
    const answer = await raw(emulator, "POST", D, { domain: "a.example" });
    expect([answer.reset, answer.text]).toEqual([true, ""]);
    expect([emulator.find("domain"), emulator.requests[0]?.status]).toEqual([[], null]);
  });

  test("process-then-drop processes the request, then resets the connection", async () => {
    set({ type: "process-then-drop" });
    const answer = await raw(emulator, "POST", D, { domain: "a.example" });
    expect([answer.reset, answer.text]).toEqual([true, ""]);
    expect([emulator.find("domain").length, emulator.requests[0]?.status]).toEqual([1, 201]);
  });

  test("half-body sends all headers and half of the body, then closes the connection", async () => {
    set({ type: "half-body" });
    const { head, body } = await raw(emulator, "GET", `/api/organizations/${ORG}/`);
    const [, length] = /content-length: (\d+)/i.exec(head) ?? [];
    expect(head).toContain("200 OK");
    expect(body.length).toBe(Math.floor(Number(length) / 2));
  });

  test("slow-drip sends the body in delayed pieces", async () => {
    const waits: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
    ({ emulator, send } = await start({ sleep }));
    set({ type: "slow-drip", bytes: 50, ms: 9 });
    const reply = await send("GET", `/api/organizations/${ORG}/`);
    expect(reply.json["name"]).toBe("Acme");
    expect(waits).toEqual(Array.from({ length: Math.ceil(reply.text.length / 50) }, () => 9));
  });

  test("html-502 answers with an HTML page and does not process the request", async () => {
    set({ type: "html-502" });
    const reply = await send("POST", D, { domain: "a.example" });
    expect([reply.status, reply.headers.get("content-type")]).toEqual([502, "text/html"]);
    expect([reply.text.startsWith("<html>"), emulator.find("domain")]).toEqual([true, []]);
  });

  test.each([403, 404, 500, 503, 504] as const)(
    "status %i comes with an error body, and nothing happens",
    async (status) => {
      set({ type: "status", status });
      const reply = await send("POST", D, { domain: "a.example" });
      expect([reply.status, Object.keys(reply.json).length, emulator.find("domain")]).toEqual([status, 4, []]);
    },
  );

  test.each([
    [7, "7"],
    [new Date("2030-01-01T00:00:00Z"), "Tue, 01 Jan 2030 00:00:00 GMT"],
    [null, null],
  ])("throttle with %s is 429 with that Retry-After", async (retryAfter, header) => {
    set({ type: "throttle", retryAfter });
    const reply = await send("GET", D);
    expect([reply.status, reply.json["code"], reply.headers.get("retry-after")]).toEqual([429, "throttled", header]);
  });
});

describe("delays", () => {
  test("delay-before delays a request before it is processed", async () => {
    const gate = makeGate();
    const handle = set({ type: "delay-before", until: gate.opened });
    const reply = send("POST", D, { domain: "a.example" });
    await expect.poll(() => handle.hits).toBe(1);
    expect(emulator.find("domain")).toEqual([]);
    gate.open();
    expect((await reply).status).toBe(201);
  });

  test("delay-after delays the answer after the request is processed", async () => {
    const gate = makeGate();
    set({ type: "delay-after", until: gate.opened });
    let answered = false;
    const reply = send("POST", D, { domain: "a.example" }).finally(() => (answered = true));
    await expect.poll(() => emulator.find("domain").length).toBe(1);
    expect(answered).toBe(false);
    gate.open();
    expect((await reply).status).toBe(201);
  });

  test("a delay in milliseconds uses the injected sleep", async () => {
    const waits: number[] = [];
    ({ emulator, send } = await start({ sleep: (ms) => Promise.resolve(waits.push(ms)) }));
    set({ type: "delay-before", ms: 30 });
    set({ type: "delay-after", ms: 40 });
    await send("GET", D);
    expect(waits).toEqual([30, 40]);
  });
});

describe("faults in lists", () => {
  beforeEach(() => {
    for (const letter of "abcd") emulator.insert("domain", { organization: ORG }, { domain: `${letter}.example` });
  });
  const names = async (query: string): Promise<unknown[]> =>
    rows(await send("GET", `${D}${query}`)).map((row) => row["domain"]);

  test("wrong-next-host changes the origin of links, but not their path and query", async () => {
    set({ type: "wrong-next-host", origin: "http://evil.example" });
    const { json } = await send("GET", `${D}?limit=1&offset=1`);
    expect(json["next"]).toBe(`http://evil.example${D}?limit=1&offset=2`);
    expect(json["previous"]).toBe(`http://evil.example${D}?limit=1`);
  });

  test("clamp-limit makes pages smaller than requested, and next continues after them", async () => {
    set({ type: "clamp-limit", limit: 3 });
    const reply = await send("GET", `${D}?limit=100`);
    expect([rows(reply).length, reply.json["count"]]).toEqual([3, 4]);
    expect(reply.json["next"]).toContain("limit=3&offset=3");
  });

  test("move-row shows one row twice and hides another", async () => {
    const first = await names("?limit=2");
    set({ type: "move-row" });
    expect([first, await names("?limit=2&offset=2")]).toEqual([
      ["a.example", "b.example"],
      ["b.example", "d.example"],
    ]);
  });

  test("lying-count changes the count, but not the rows", async () => {
    set({ type: "lying-count", by: -1 });
    const reply = await send("GET", D);
    expect([reply.json["count"], rows(reply).length]).toEqual([3, 4]);
  });

  test("stale-read answers as before the last write, until it is removed", async () => {
    await send("POST", D, { domain: "new.example" });
    const handle = set({ type: "stale-read" });
    expect(await names("")).not.toContain("new.example");
    handle.remove();
    expect(await names("")).toContain("new.example");
  });

  test("stale-read shows rows that the last write deleted or changed", async () => {
    const [domain] = emulator.find("domain");
    const one = `${D}${domain?.id}/`;
    set({ type: "stale-read" });
    await send("PATCH", one, { sso_enforcement: "saml" });
    expect((await send("GET", one)).json["sso_enforcement"]).toBe("");
    await send("DELETE", one);
    expect((await send("GET", one)).json["sso_enforcement"]).toBe("saml");
  });
});

describe("faults in values", () => {
  test("ignore-field silently drops a field of the body", async () => {
    set({ type: "ignore-field", field: "description" }, { method: "PATCH" });
    const { json } = await send("POST", I, { name: "a", description: "b" });
    const reply = await send("PATCH", `${I}${idOf(json)}/`, { name: "c", description: "d" });
    expect([reply.status, reply.json["name"], reply.json["description"]]).toEqual([200, "c", "b"]);
  });

  test("drop-field and mask-field work at every depth of an answer and do not change the store", async () => {
    const config = { bucket_name: "b", aws_access_key_id: "AK", aws_secret_access_key: "SK" };
    const { id } = emulator.insert("batch_export", { project: 2 }, { name: "x", destination: { type: "S3", config } });
    set({ type: "drop-field", field: "aws_access_key_id" });
    set({ type: "mask-field", field: "aws_secret_access_key" });
    const { json } = await send("GET", `/api/projects/2/batch_exports/${id}/`);
    expect(json["destination"]?.["config"]).toEqual({ bucket_name: "b", aws_secret_access_key: "********" });
    expect(emulator.find("batch_export")[0]?.["destination"]).toEqual({ type: "S3", config });
  });

  test("duplicate-create creates two objects and returns the first", async () => {
    set({ type: "duplicate-create" });
    const reply = await send("POST", I, { name: "a" });
    expect([reply.status, reply.json["id"], emulator.find("insight").map((row) => row.id)]).toEqual([201, 1, [1, 2]]);
  });
});

describe("rules", () => {
  const statuses = async (count: number): Promise<number[]> => {
    const list: number[] = [];
    for (let index = 0; index < count; index += 1) list.push((await send("GET", D)).status);
    return list;
  };

  test.each([
    ["every request, without nth and times,", {}, [500, 500, 500, 500]],
    ["only the nth request", { nth: 2 }, [200, 500, 200, 200]],
    ["only the first `times` requests", { times: 2 }, [500, 500, 200, 200]],
    ["`times` requests from the nth on, with both,", { nth: 2, times: 2 }, [200, 500, 500, 200]],
  ])("%s fails", async (_case, rule, expected) => {
    set({ type: "status", status: 500 }, rule);
    expect(await statuses(4)).toEqual(expected);
  });

  test.each([
    ["another method", { method: "POST" }, 200],
    ["another path", { path: "/invites" }, 200],
    ["a part of the path", { path: "/domains" }, 500],
    ["a pattern", { path: /\/domains\/$/g }, 500],
    ["a pattern that does not match", { path: /^domains/ }, 200],
  ])("a rule for %s", async (_case, rule, status) => {
    set({ type: "status", status: 500 }, rule);
    expect(await statuses(2)).toEqual([status, status]);
  });

  test("a rule counts its matches and hits until it is removed", async () => {
    const handle = set({ type: "status", status: 500 }, { nth: 2 });
    await statuses(3);
    expect([handle.matches, handle.hits]).toEqual([3, 1]);
    handle.remove();
    await statuses(1);
    expect(handle.matches).toBe(3);
  });

  test("clear removes all rules", async () => {
    set({ type: "status", status: 500 });
    emulator.faults.clear();
    expect(await statuses(1)).toEqual([200]);
  });
});
