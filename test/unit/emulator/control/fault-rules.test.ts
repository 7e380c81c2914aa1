import { beforeEach, describe, expect, test } from "vitest";
import { controlSender, type ControlSend } from "./client.ts";
import { ORG, start, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

let emulator: Emulator;
let send: Send;
let control: ControlSend;

beforeEach(async () => {
  ({ emulator, send } = await start({ controlPort: 0 }));
  control = controlSender(emulator);
});

const DOMAINS = `/api/organizations/${ORG}/domains/`;

describe("faults over the control interface", () => {
  test("are added, listed with their hits, and removed", async () => {
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

  test("a date is sent as text", async () => {
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
    { type: "bytes", text: "\u0000" },
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
  ])("%j is added unchanged", async (fault) => {
    expect((await control("POST", "/faults", { path: "/x", fault })).json["fault"]).toEqual(fault);
  });

  test.each<[string, unknown, string]>([
    ["no fault", {}, '"fault" is an object whose "type" is one of'],
    ["an unknown type", { fault: { type: "toString" } }, '"fault" is an object whose "type" is one of'],
    ["an unknown key of a rule", { times: 1, when: 1, fault: { type: "move-row" } }, 'A rule has no "when"'],
    ["an unknown field of a fault", { fault: { type: "move-row", ms: 1 } }, 'The fault move-row has no "ms".'],
    ["a missing field", { fault: { type: "clamp-limit" } }, '"limit" of a fault has to be a number.'],
    [
      "a status that is not an error",
      { fault: { type: "status", status: 304 } },
      "has to be a status from 400 to 599.",
    ],
    ["an invalid date", { fault: { type: "throttle", retryAfter: "soon" } }, "has to be seconds, a date, or null."],
    ["a count of 0", { nth: 0, fault: { type: "move-row" } }, '"nth" has to be a whole number above 0.'],
    ["a method that is not a text", { method: 1, fault: { type: "move-row" } }, '"method" has to be a text.'],
    ["a path that is a number", { path: 1, fault: { type: "move-row" } }, '"path" has to be a part of the path'],
    ["an invalid pattern", { path: { pattern: "(" }, fault: { type: "move-row" } }, "Invalid regular expression"],
    ["a list", [], "A rule is an object."],
  ])("%s is refused", async (_name, rule, message) => {
    const { status, json } = await control("POST", "/faults", rule);
    expect([status, json["error"]]).toEqual([400, expect.stringContaining(message)]);
  });
});
