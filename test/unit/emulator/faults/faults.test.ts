import { beforeEach, describe, expect, test } from "vitest";
import { idOf, ORG, start, type Send } from "../harness.ts";
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

// That each type of fault does what it says is in wire.test.ts.
describe("faults with numbers", () => {
  test("slow-drip sends the body in delayed pieces", async () => {
    const waits: number[] = [];
    const sleep = (ms: number): Promise<void> => Promise.resolve(void waits.push(ms));
    ({ emulator, send } = await start({ sleep }));
    set({ type: "slow-drip", bytes: 50, ms: 9 });
    const reply = await send("GET", `/api/organizations/${ORG}/`);
    expect(reply.json["name"]).toBe("Acme");
    expect(waits).toEqual(Array.from({ length: Math.ceil(reply.text.length / 50) }, () => 9));
  });

  test.each([
    [7, "7"],
    [new Date("2030-01-01T00:00:00Z"), "Tue, 01 Jan 2030 00:00:00 GMT"],
    [null, null],
  ])("throttle with %s is 429 with that Retry-After", async (retryAfter, header) => {
    set({ type: "throttle", retryAfter });
    const reply = await send("GET", D);
    expect([reply.status, reply.json["code"], reply.headers.get("retry-after")]).toEqual([429, "throttled", header]);
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

describe("faults in values", () => {
  test("stale-read shows rows that the last write deleted or changed", async () => {
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    const one = `${D}${String(id)}/`;
    set({ type: "stale-read" });
    await send("PATCH", one, { sso_enforcement: "saml" });
    expect((await send("GET", one)).json["sso_enforcement"]).toBe("");
    await send("DELETE", one);
    expect((await send("GET", one)).json["sso_enforcement"]).toBe("saml");
  });

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
