/** Creates that are in flight together look once, after the last of them has come. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Clock } from "../../../../src/api/client.ts";
import { ApiError } from "../../../../src/api/errors/errors.ts";
import { createLooks } from "../../../../src/pulumi/provider/looks.ts";
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

it("each create is answered by a look that began after it came, and at most 50 share one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(create, { maxLength: 120 }), async (creates) => {
      const clock = manualClock();
      const looking = createLooks(clock);
      const shared = new Map<number, number>();
      let looks = 0;
      const answered = creates.map(async ({ sending, givesUp }, index) => {
        await clock.sleep(creates.slice(0, index).reduce((sum, { gap }) => sum + gap, 0));
        const [came, { look, leave }] = [clock.now(), looking()];
        const answer = look("list", () => Promise.resolve({ number: (looks += 1), at: clock.now() }));
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

it("if the time of the one that looks is up, the next one looks for the group; any other failure is that of all", async () => {
  const clock = manualClock();
  const looking = createLooks(clock);
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
    looking()
      .look("list", read)
      .catch((error: unknown) => (error as Error).message);
  const late = () => Promise.reject(failing("deadline"));
  const group = Promise.all([ask(() => Promise.resolve("found")), ask(late)]);
  await clock.pass(100);
  expect(await group).toEqual(["found", "found"]);
  const broken = Promise.all([ask(() => Promise.resolve("found")), ask(() => Promise.reject(failing("other")))]);
  await clock.pass(2_000);
  expect(await broken).toEqual(["other", "other"]);
});
