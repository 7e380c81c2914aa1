import { describe, expect, it, vi } from "vitest";
import type { ApiErrorFields } from "../../../../src/api/errors/errors.ts";
import type { OperationName } from "../../../../src/api/operations/index.ts";
import { ChangeError } from "../../../../src/apply/change-error.ts";
import { createCircuitBreaker } from "../../../../src/apply/schedule/circuit-breaker.ts";
import { createPool } from "../../../../src/apply/schedule/pool.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, fakeClock } from "../support.ts";

const CREATE = "domains.create";

/** A breaker, and creates through it. `sent` counts those that were sent. */
function given() {
  const clock = fakeClock();
  const breaker = createCircuitBreaker(clock);
  const abort = new AbortController();
  const pool = createPool(8);
  const pauses: string[] = [];
  let sent = 0;
  const request = async (failure: unknown, isThrown: boolean): Promise<{ readonly error: unknown }> => {
    sent += 1;
    const error = await failure;
    if (isThrown) throw error;
    return { error };
  };
  const sender = { pool, signal: abort.signal, onPause: (reason: string) => void pauses.push(reason) };
  /** Returns the refusal; `sent` if there was none. */
  const send = (error?: unknown, operation: OperationName = CREATE, isThrown = false): Promise<ChangeError | "sent"> =>
    pool.run(async () => {
      try {
        await breaker.send(operation, () => request(error, isThrown), sender);
      } catch (thrown) {
        if (thrown instanceof ChangeError) return thrown;
      }
      return "sent";
    });
  const fail = async (times: number, fields: Partial<ApiErrorFields> = {}, isThrown = false): Promise<void> => {
    for (let time = 0; time < times; time += 1) await send(apiError(CREATE, fields), CREATE, isThrown);
  };
  return { clock, breaker, abort, pauses, send, fail, sent: () => sent };
}

describe("creates that fail one after the other", () => {
  it.each<[string, Partial<ApiErrorFields>]>([
    ["503", {}],
    ["504", { status: 504 }],
    ["500", { status: 500, code: "error" }],
    ["a broken connection", { kind: "network", status: null }],
    ["a refused connection", { kind: "network", status: null, tookEffect: "no", code: "ECONNREFUSED" }],
    ["a time-out", { kind: "timeout", status: null }],
    ["half a body", { kind: "protocol", status: 201, code: "invalid_json" }],
  ])("are paused after the fifth with %s, and the next one waits", async (_name, fields) => {
    for (const isThrown of [false, true]) {
      const { clock, fail, send } = given();
      await fail(5, fields, isThrown);
      expect(clock.slept).toEqual([]);
      await send();
      expect(clock.slept).toEqual([5_000]);
    }
  });

  it("are paused by different failures in a row, too: gateways answer now one, now another", async () => {
    const { clock, fail, send } = given();
    for (const status of [502, 503, 504, 502, 503]) await fail(1, { status });
    await send();
    expect(clock.slept).toEqual([5_000]);
  });

  it.each<[string, unknown, OperationName?]>([
    ["is a success", undefined],
    ["is rejected for what it is", apiError(CREATE, { kind: "invalid", status: 400, tookEffect: "no" })],
  ])("count from the start if one between %s", async (_name, between) => {
    const { clock, fail, send } = given();
    await fail(4);
    await send(between);
    await fail(4);
    await send();
    expect(clock.slept).toEqual([]);
  });

  it("go on counting if one between was not sent, because the service has rejected a request before it", async () => {
    const { clock, fail, send } = given();
    await fail(4);
    await send(apiError("domains.delete", { kind: "invalid", status: 400, tookEffect: "no" }), CREATE, true);
    await fail(1);
    await send();
    expect(clock.slept).toEqual([5_000]);
  });

  it.each<[string, unknown, OperationName]>([
    ["may not be sent", apiError(CREATE, { kind: "scope", status: 403, tookEffect: "no" }), CREATE],
    [
      "have no time left of their own",
      apiError(CREATE, { kind: "timeout", status: null, tookEffect: "no", code: "deadline" }),
      CREATE,
    ],
    ["come too fast", apiError(CREATE, { kind: "throttled", status: 429, tookEffect: "no" }), CREATE],
    ["fail because of a request before them", apiError("domains.delete", {}), CREATE],
    ["fail by a defect of driftline", new Error("a defect"), CREATE],
    [
      "always fail on deployed servers",
      apiError("batch_exports.create", { status: 500, code: "error" }),
      "batch_exports.create",
    ],
  ])("are not paused if they %s", async (_name, error, operation) => {
    const { clock, send } = given();
    for (let time = 0; time < 20; time += 1) await send(error, operation, true);
    expect(clock.slept).toEqual([]);
  });

  it("do not hold up creates of another family", async () => {
    const { clock, fail, send } = given();
    await fail(5);
    await send(undefined, "invites.create");
    expect(clock.slept).toEqual([]);
  });
});

describe("a pause", () => {
  it("sends one create after the other, and ends with the first success", async () => {
    const { clock, fail, send, pauses } = given();
    await fail(5);
    const error = apiError(CREATE, {});
    const results = await Promise.all([send(error), send(error), send(), ...Array.from({ length: 50 }, () => send())]);
    expect(new Set(results)).toEqual(new Set(["sent"]));
    expect(clock.slept).toEqual([5_000, 5_000, 5_000]);
    expect(pauses).toHaveLength(1);
    expect(sentencesOf({ message: pauses[0] })).toMatchSnapshot();
  });

  it("names the family in words", async () => {
    const { pauses, send } = given();
    const operation = "pipeline_destinations.create";
    for (let time = 0; time < 6; time += 1) await send(apiError(operation, {}), operation);
    expect(pauses).toEqual([expect.stringContaining("pipeline destinations")]);
  });

  it("ends if a create that had failed has created its object after all", async () => {
    const { clock, breaker, fail, send } = given();
    await fail(5);
    breaker.succeeded(CREATE);
    await send();
    expect(clock.slept).toEqual([]);
  });

  it("ends at once with an interruption: the client then refuses what is sent", async () => {
    const { clock, abort, fail, send } = given();
    await fail(5);
    abort.abort();
    await send();
    expect(clock.slept).toEqual([]);
  });

  it("of a minute stops the family: all others are refused for one and the same reason", async () => {
    const { clock, fail, send, sent } = given();
    await fail(5);
    const results = await Promise.all(Array.from({ length: 195 }, () => send(apiError(CREATE, {}))));
    expect(clock.slept).toEqual(Array.from({ length: 12 }, () => 5_000));
    expect(sent()).toBe(5 + 12);
    const refusals = results.filter((result) => result !== "sent");
    expect(refusals).toHaveLength(195 - 12);
    expect(new Set(refusals).size).toBe(1);
    expect(refusals[0]).toMatchObject({ code: "family_stopped" });
    expect(sentencesOf(refusals[0])).toMatchSnapshot();
    expect(await send()).toBe(refusals[0]);
    expect(await send(undefined, "invites.create")).toBe("sent");
  });

  it("that has stopped the family is not followed by another one if creates that were sent before fail later", async () => {
    const { clock, fail, send } = given();
    const late: (() => void)[] = [];
    const held = [0, 1].map(() => send(new Promise((resolve) => late.push(() => resolve(apiError(CREATE, {}))))));
    await fail(5);
    await Promise.all(Array.from({ length: 12 }, () => send(apiError(CREATE, {}))));
    const refusal = await send();
    expect(refusal).toMatchObject({ code: "family_stopped" });
    for (const [index, end] of late.entries()) {
      end();
      await held[index];
      clock.time += 60_000;
      expect(await send()).toBe(refusal);
    }
  });
});

describe("a read before a write", () => {
  const READ = "domains.get";
  const down = (): Error => apiError(READ, {});

  it("that fails is sent once more, later", async () => {
    const { clock, send, sent } = given();
    await send(down(), READ, true);
    expect([sent(), clock.slept]).toEqual([2, [5_000]]);
  });

  it("is sent again as long as its circuit is paused, and not after that", async () => {
    const { clock, send, sent } = given();
    for (let time = 0; time < 2; time += 1) expect(await send(down(), READ, true)).toBe("sent");
    const start = clock.time;
    expect(await send(down(), READ, true)).toMatchObject({ status: "skipped", code: "family_stopped" });
    expect(sent()).toBeLessThanOrEqual(5 + 12);
    expect(clock.time - start).toBeLessThanOrEqual(65_000);
  });

  it.each([
    ["the service has answered", apiError(READ, { kind: "not_found", status: 404, tookEffect: "no" })],
    ["driftline has a defect", new Error("a defect")],
  ])("is not sent again if %s", async (_name, error) => {
    const { clock, send, sent } = given();
    await send(error, READ, true);
    expect([sent(), clock.slept]).toEqual([1, []]);
  });

  it("waits no longer once the run is interrupted", async () => {
    const { abort, clock, send } = given();
    const sleep = vi.spyOn(clock, "sleep");
    await send(down(), READ, true);
    expect(sleep).toHaveBeenCalledExactlyOnceWith(5_000, abort.signal);
  });
});

describe("a family of operations that the key may not use", () => {
  const MISSING = "API key missing required scope 'organization:write'";
  const denied = (operation: OperationName, missingPermission?: string) =>
    apiError(operation, { kind: "scope", status: 403, tookEffect: "no", missingPermission, message: MISSING });

  /** `operation` was refused once: returns whether others are sent after that. */
  async function after(operation: OperationName, error: Error) {
    const { send } = given();
    expect(await send(error, operation, true)).toBe("sent");
    return (other: OperationName) => send(undefined, other);
  }

  it("sends nothing more once the service has named the scope that is missing", async () => {
    const send = await after(CREATE, denied(CREATE, "organization:write"));
    const refusal = await send("domains.update");
    expect(refusal).toMatchObject({ status: "failed", code: "missing_scope" });
    expect(sentencesOf(refusal)).toMatchSnapshot();
  });

  it("still sends what belongs to other families or has no listed scope", async () => {
    const send = await after("batch_exports.create", denied("batch_exports.create", "organization:write"));
    expect(await send("batch_exports.unpause")).toBe("sent");
    expect(await send(CREATE)).toBe("sent");
  });

  it("reads nothing for a write that would be refused", async () => {
    const send = await after(CREATE, denied(CREATE, "organization:write"));
    expect(await send("domains.get")).toMatchObject({ code: "missing_scope" });
    expect(await send("insights.get")).toBe("sent");
  });

  it("still sends what belongs to a family whose name begins in the same way", async () => {
    const send = await after("invites.create", denied("invites.create", "organization_member:write"));
    expect(await send("insights.create")).toBe("sent");
  });

  it.each<[string, OperationName, Error]>([
    ["names no scope", CREATE, denied(CREATE)],
    ["is another one that mentions it", CREATE, apiError(CREATE, { message: MISSING })],
    ["is about a request before it", CREATE, denied("domains.delete", "organization:write")],
    ["is not one of the service", CREATE, new Error(MISSING)],
    ["is about a read", "domains.get", denied("domains.get", "organization:write")],
  ])("goes on if the error %s", async (_name, operation, error) => {
    const send = await after(operation, error);
    expect(await send(CREATE)).toBe("sent");
  });
});
