import { describe, expect, it } from "vitest";
import { createLimiter, DEFAULT_CONCURRENCY, type Limiter, type Slot } from "../../../../src/api/limits/limiter.ts";
import {
  complaint,
  connect,
  failureOf,
  fakeClock,
  gate,
  json,
  ORGANIZATION,
  read,
  serve,
  type FakeClock,
} from "../support.ts";

const FAR = Number.MAX_SAFE_INTEGER;

function limiterOf(clock: FakeClock, options: Partial<Parameters<typeof createLimiter>[0]> = {}): Limiter {
  return createLimiter({ clock, deadline: FAR, ...options });
}

async function enter(limiter: Limiter, budget: "insights" | "others" = "others"): Promise<Slot> {
  const entered = await limiter.enter(budget);
  if ("refused" in entered) throw new Error("refused");
  return entered.slot;
}

/** Takes every slot. Returns the first one. */
async function takeAll(limiter: Limiter): Promise<Slot> {
  const first = await enter(limiter);
  for (let taken = 1; taken < DEFAULT_CONCURRENCY; taken += 1) await enter(limiter);
  return first;
}

/** How many of `wanted` requests get a slot before one is released. All are released afterwards. */
async function admitted(limiter: Limiter, wanted: number): Promise<number> {
  const slots: Slot[] = [];
  const all = Array.from({ length: wanted }, async () => slots.push(await enter(limiter)));
  await Promise.resolve();
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  const first = slots.length;
  for (let index = 0; index < wanted; index += 1) {
    slots[index]?.release();
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
  await Promise.all(all);
  return first;
}

describe("requests in flight", () => {
  it("are limited per budget", async () => {
    expect(await admitted(limiterOf(fakeClock()), 2 * DEFAULT_CONCURRENCY)).toBe(DEFAULT_CONCURRENCY);
  });

  it("are halved once by a burst, and grow again with successes", async () => {
    const limiter = limiterOf(fakeClock());
    const slots = await Promise.all(Array.from({ length: DEFAULT_CONCURRENCY }, () => enter(limiter)));
    expect(slots.map((slot) => slot.throttled(1_000))).toEqual(slots.map((_slot, index) => index === 0));
    for (const slot of slots) slot.release();
    const half = DEFAULT_CONCURRENCY / 2;
    expect(await admitted(limiter, 20)).toBe(half);
    for (let success = 0; success < half; success += 1) {
      const slot = await enter(limiter);
      slot.succeeded();
      slot.release();
    }
    expect(await admitted(limiter, 20)).toBe(half + 1);
  });

  it("are never less than one", async () => {
    const limiter = limiterOf(fakeClock());
    for (let burst = 0; burst < 6; burst += 1) {
      const slot = await enter(limiter);
      slot.throttled(1);
      slot.release();
    }
    expect(await admitted(limiter, 3)).toBe(1);
  });

  it("never grow beyond the cap", async () => {
    const limiter = limiterOf(fakeClock());
    for (let success = 0; success < 100; success += 1) {
      const slot = await enter(limiter);
      slot.succeeded();
      slot.release();
    }
    expect(await admitted(limiter, 2 * DEFAULT_CONCURRENCY)).toBe(DEFAULT_CONCURRENCY);
  });
});

describe("a 429", () => {
  it("closes only its own budget, for the requested time", async () => {
    const clock = fakeClock();
    const limiter = limiterOf(clock);
    (await enter(limiter, "insights")).throttled(52_000);
    await enter(limiter, "others");
    expect(clock.sleeps).toEqual([]);
    await enter(limiter, "insights");
    expect(clock.sleeps).toEqual([52_000]);
  });

  it("whose wait would pass the deadline refuses requests that have not started", async () => {
    const clock = fakeClock();
    const limiter = limiterOf(clock, { deadline: clock.now() + 10_000 });
    (await enter(limiter)).throttled(10_001);
    expect(await limiter.enter("others")).toEqual({ refused: { waitMs: 10_001 } });
    expect(clock.sleeps).toEqual([]);
  });

  it("reaches each request in flight once, and no request that has not started", async () => {
    const clock = fakeClock();
    let open = false;
    const held: (() => void)[] = [];
    const all = gate();
    const server = await serve((_seen, response) => {
      if (open) return json(response, 200, {});
      held.push(() => json(response, 429, complaint("throttled"), { "retry-after": "30" }));
      if (held.length === DEFAULT_CONCURRENCY) all.open();
    });
    const client = connect(server.url, { clock });
    const work = Promise.all(Array.from({ length: 100 }, () => read(client)));
    await all.opened;
    open = true;
    for (const answer of held) answer();
    await work;
    expect(server.seen).toHaveLength(100 + DEFAULT_CONCURRENCY);
    expect(clock.sleeps[0]).toBe(30_000);
  });

  it("slows its requests down until enough of them have succeeded", async () => {
    let busy = 0;
    let most = 0;
    const server = await serve(async (_seen, response, index) => {
      if (index === 0) return json(response, 429, complaint("throttled"), { "retry-after": "1" });
      most = Math.max(most, ++busy);
      // The other requests in flight arrive within a few turns of the event loop.
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      busy -= 1;
      return json(response, 200, {});
    });
    const client = connect(server.url);
    const many = (number: number) => Promise.all(Array.from({ length: number }, () => read(client)));
    await read(client);
    await many(4);
    expect(most).toBeLessThanOrEqual(DEFAULT_CONCURRENCY / 2);
    // Each added slot takes as many successes as there are slots.
    await many(10 * DEFAULT_CONCURRENCY);
    expect(most).toBe(DEFAULT_CONCURRENCY);
  });

  it("for insights does not slow down other requests", async () => {
    const clock = fakeClock();
    const server = await serve(({ path }, response) => {
      if (path.includes("insights")) return json(response, 429, complaint("throttled"), { "retry-after": "9999" });
      json(response, 200, {});
    });
    const client = connect(server.url, { clock });
    await failureOf(client.request("insights.get", { path: { project_id: "2", id: "7" } }));
    await read(client);
    expect(clock.sleeps).toEqual([]);
  });
});

describe("a cap on requests per minute", () => {
  it("spreads the requests of all budgets, so that no minute exceeds it", async () => {
    const { clock, run } = virtualClock();
    const limiter = createLimiter({ clock, deadline: FAR, maxRequestsPerMinute: 7 });
    const starts: number[] = [];
    const one = async (_: unknown, index: number): Promise<void> => {
      const slot = await enter(limiter, index % 2 === 0 ? "others" : "insights");
      starts.push(clock.now());
      await clock.sleep(100);
      slot.release();
    };
    await run(Promise.all(Array.from({ length: 40 }, one)));
    expect(starts).toHaveLength(40);
    for (const start of starts)
      expect(starts.filter((other) => other >= start && other < start + 60_000).length).toBeLessThanOrEqual(7);
    expect(Math.max(...starts)).toBeLessThan(40 * (60_300 / 7 + 1));
  });

  it("counts retries and requests after a 429 as well", async () => {
    const clock = fakeClock(() => 0);
    const starts: number[] = [];
    const server = await serve((_seen, response, index) => {
      starts.push(clock.now());
      json(response, index < 3 ? 503 : 200, {});
    });
    await read(connect(server.url, { clock, maxRequestsPerMinute: 60 }));
    expect(starts.map((start) => start - (starts[0] ?? 0))).toEqual([0, 1_005, 2_010, 3_015]);
  });
});

it("releasing a slot twice frees one slot", async () => {
  const limiter = limiterOf(fakeClock());
  const first = await takeAll(limiter);
  first.release();
  first.release();
  expect(await admitted(limiter, 2)).toBe(1);
});

it("a request that waits for a slot is sent before the answer that released the slot is parsed", async () => {
  const order: string[] = [];
  const server = await serve((_seen, response) => json(response, 200, {}));
  const onEvent = (): unknown => order.push("parsed");
  const client = connect(server.url, { onEvent });
  const send = () =>
    client.request("organizations.get", { path: { id: ORGANIZATION }, onRequest: () => order.push("sent") });
  await Promise.all(Array.from({ length: DEFAULT_CONCURRENCY + 1 }, send));
  expect(order.lastIndexOf("sent")).toBeLessThan(order.indexOf("parsed"));
});

it("an interrupted run passes its slots on, so that no request waits forever", async () => {
  const controller = new AbortController();
  const limiter = limiterOf(fakeClock(), { signal: controller.signal });
  const first = await takeAll(limiter);
  const waiting = [limiter.enter("others"), limiter.enter("others")];
  controller.abort();
  first.release();
  expect(await Promise.all(waiting)).toEqual([{ refused: "interrupted" }, { refused: "interrupted" }]);
});

it("a request that is rejected for its path takes no slot", async () => {
  const server = await serve((_seen, response) => json(response, 200, {}));
  const client = connect(server.url);
  for (let sent = 0; sent < 20; sent += 1)
    await failureOf(client.request("domains.get", { path: { organization_id: ORGANIZATION, id: "no" } }));
  await expect(read(client)).resolves.toMatchObject({ status: 200 });
});

/** A clock that jumps to the next timer when no other work is left. */
function virtualClock() {
  let now = 0;
  const timers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number) => new Promise<void>((wake) => timers.push({ at: now + ms, wake }));
  const run = async (work: Promise<unknown>): Promise<void> => {
    for (;;) {
      await new Promise(setImmediate);
      const next = timers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      timers.splice(timers.indexOf(next), 1);
      now = next.at;
      next.wake();
    }
    await work;
  };
  return { clock: { now: () => now, sleep, random: () => 0.5 }, run };
}
