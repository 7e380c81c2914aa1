/** Creates that are in flight together share one read, after the last of them has come. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Clock } from "../../../../src/api/client.ts";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { createSharedReads } from "../../../../src/apply/other-runs/shared-reads.ts";
import { budget } from "../../../support/budget.ts";

/** A clock on which time passes by `pass` only. */
function manualClock(): Clock & { readonly pass: (ms: number) => Promise<void>; readonly waits: () => boolean } {
  let now = 0;
  let timers: readonly { readonly at: number; readonly wake: () => void }[] = [];
  return {
    waits: () => timers.length > 0,
    now: () => now,
    random: () => 0.5,
    sleep: (ms) => new Promise((wake) => (timers = [...timers, { at: now + ms, wake }])),
    pass: async (ms) => {
      now += ms;
      const due = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { wake } of due) wake();
      await new Promise(setImmediate);
    },
  };
}

/** A create comes, its sending takes so long, and the next comes so much later. Milliseconds. */
const create = fc.record({ sending: fc.nat(5_000), gap: fc.nat(500), givesUp: fc.boolean() });

it("each create is answered by a read that began after it came, and at most 50 share one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(create, { maxLength: 120 }), async (creates) => {
      const clock = manualClock();
      const beginCreate = createSharedReads(clock);
      const shared = new Map<number, number>();
      let reads = 0;
      const answered = creates.map(async ({ sending, givesUp }, index) => {
        await clock.sleep(creates.slice(0, index).reduce((sum, { gap }) => sum + gap, 0));
        const [came, { readBefore, leave }] = [clock.now(), beginCreate()];
        const answer = readBefore("list", () => Promise.resolve({ number: (reads += 1), at: clock.now() }));
        // Its time is up, whether it waits or not.
        if (givesUp) void clock.sleep(50).then(leave);
        const { number, at } = await (givesUp ? Promise.race([answer, clock.sleep(60)]) : answer).then(
          (one) => one ?? { number: 0, at: came },
        );
        expect(at).toBeGreaterThanOrEqual(came);
        if (number > 0) shared.set(number, (shared.get(number) ?? 0) + 1);
        await clock.sleep(sending);
        leave();
      });
      for (let rounds = 0; rounds < 20_000 && clock.waits(); rounds += 1) await clock.pass(25);
      await Promise.all(answered);
      expect(Math.max(0, ...shared.values())).toBeLessThanOrEqual(50);
    }),
    { numRuns: budget(50) },
  );
});

it("if the time of the one that reads is up, the next one reads for the group; any other failure is that of all", async () => {
  const clock = manualClock();
  const beginCreate = createSharedReads(clock);
  const failing = (code: string): ApiError =>
    new ApiError({
      kind: "timeout",
      operation: "",
      method: "GET",
      path: "",
      code,
      tookEffect: "no",
      message: code,
      hint: "",
    });
  const ask = async (read: () => Promise<string>): Promise<string> =>
    beginCreate()
      .readBefore("list", read)
      .catch((error: unknown) => (error as Error).message);
  const late = () => Promise.reject(failing("deadline"));
  const group = Promise.all([ask(() => Promise.resolve("found")), ask(late)]);
  while (clock.waits()) await clock.pass(10);
  expect(await group).toEqual(["found", "found"]);
  const broken = Promise.all([ask(() => Promise.resolve("found")), ask(() => Promise.reject(failing("other")))]);
  while (clock.waits()) await clock.pass(10);
  expect(await broken).toEqual(["other", "other"]);
});

it("creates that come one by one after some at once wait for no other, but for the first of them", async () => {
  const clock = manualClock();
  const beginCreate = createSharedReads(clock);
  const createOne = async (): Promise<void> => {
    const { readBefore, leave } = beginCreate();
    await readBefore("list", () => Promise.resolve());
    leave();
  };
  const waited = async (creates: number): Promise<number> => {
    const began = clock.now();
    const all = Promise.all(Array.from({ length: creates }, createOne));
    while (clock.waits()) await clock.pass(10);
    await all;
    return clock.now() - began;
  };
  expect([await waited(5), await waited(1), await waited(1), await waited(1)]).toEqual([100, 2_000, 100, 100]);
});

/** An engine with some calls in flight. It writes its state after each create, one write at a time, and then begins the next one. */
async function readsOf(engine: {
  readonly creates: number;
  readonly inFlight: number;
  readonly writeMs: (number: number) => number;
  readonly sendMs?: (number: number) => number;
}): Promise<{ readonly reads: number; readonly ms: number }> {
  const clock = manualClock();
  const beginCreate = createSharedReads(clock);
  let [reads, begun, written] = [0, 0, Promise.resolve()];
  const slot = async (): Promise<void> => {
    while (begun < engine.creates) {
      const number = (begun += 1);
      const { readBefore, leave } = beginCreate();
      await readBefore("list", () => Promise.resolve((reads += 1)));
      await clock.sleep(engine.sendMs?.(number) ?? 50);
      leave();
      await (written = written.then(() => clock.sleep(engine.writeMs(number))));
    }
  };
  const slots = Promise.all(Array.from({ length: engine.inFlight }, slot));
  while (clock.waits()) await clock.pass(10);
  await slots;
  return { reads, ms: clock.now() };
}

it("an engine that writes its state for longer and longer has one read for each 50 creates", async () => {
  // Each seventh write takes four times as long.
  const writeMs = (number: number): number => Math.round(number / 4) * (number % 7 === 0 ? 4 : 1);
  expect((await readsOf({ creates: 1_000, inFlight: 50, writeMs })).reads).toBeLessThanOrEqual(22);
});

it("creates that take unevenly long to be sent have one read for each group in flight", async () => {
  const sendMs = (number: number): number => 50 + ((number * 37) % 40) * 200;
  expect((await readsOf({ creates: 1_000, inFlight: 50, writeMs: () => 5, sendMs })).reads).toBeLessThanOrEqual(22);
});

it("creates that depend on each other wait for no other, even if the engine is slow", async () => {
  const { reads, ms } = await readsOf({ creates: 10, inFlight: 1, writeMs: () => 1_000 });
  expect({ reads, waited: ms - 10 * 1_050 }).toEqual({ reads: 10, waited: 10 * 100 });
});

it("a process that is busy between two creates has one read for both", async () => {
  const clock = manualClock();
  const beginCreate = createSharedReads(clock);
  let reads = 0;
  const ask = (): Promise<number> => beginCreate().readBefore("list", () => Promise.resolve((reads += 1)));
  const first = ask();
  // The timer fires late, because the process plans the next create.
  await clock.pass(1_000);
  const second = ask();
  while (clock.waits()) await clock.pass(1_000);
  expect(await Promise.all([first, second])).toEqual([1, 1]);
});
