import { describe, expect, it, vi } from "vitest";
import { createCoalescer } from "../../../../src/api/lists/coalesce.ts";
import type { Clock } from "../../../../src/api/client.ts";

/** Reads that end when the test ends them. */
function readings() {
  const begun: { readonly end: (value: number) => void; readonly fail: () => void }[] = [];
  const read = (): Promise<number> =>
    new Promise((resolve, reject) => begun.push({ end: resolve, fail: () => reject(new Error("down")) }));
  return { begun, read };
}

/** A clock that moves only during a sleep. */
function pausing(): { readonly clock: Clock; readonly waits: number[] } {
  const waits: number[] = [];
  let time = 1_700_000_000_000;
  const sleep = (ms: number): Promise<void> => {
    waits.push(ms);
    time += ms;
    return Promise.resolve();
  };
  return { waits, clock: { now: () => time, random: () => 0, sleep } };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("shared reads", () => {
  it("run one at a time, and never begin before the call", async () => {
    const { begun, read } = readings();
    const ask = createCoalescer<number>(pausing().clock);
    const first = ask("a", read);
    await turn();
    const during = [ask("a", read), ask("a", read), ask("a", read)];
    await turn();
    expect(begun).toHaveLength(1);
    begun[0]?.end(1);
    expect(await first).toBe(1);
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]?.end(2);
    expect(await Promise.all(during)).toEqual([2, 2, 2]);
    void ask("a", read);
    await turn();
    expect(begun).toHaveLength(3);
  });

  it("serve all callers of one turn", async () => {
    const { begun, read } = readings();
    const ask = createCoalescer<number>(pausing().clock);
    const together = [ask("a", read), Promise.resolve().then(() => ask("a", read))];
    await turn();
    expect(begun).toHaveLength(1);
    begun[0]?.end(1);
    expect(await Promise.all(together)).toEqual([1, 1]);
  });

  it("of different keys do not wait for each other", async () => {
    const { begun, read } = readings();
    const ask = createCoalescer<number>(pausing().clock);
    void ask("a", read);
    void ask("b", read);
    await turn();
    expect(begun).toHaveLength(2);
  });

  it("that fail delay the next one, until one succeeds or the run is interrupted", async () => {
    const { begun, read } = readings();
    const { clock, waits } = pausing();
    const { signal } = new AbortController();
    const sleep = vi.spyOn(clock, "sleep");
    const ask = createCoalescer<number>(clock, signal);
    for (const end of ["fail", "fail", "end", "fail"] as const) {
      const asked = ask("a", read);
      await turn();
      begun.at(-1)?.[end](1);
      await asked.catch(() => undefined);
    }
    // Nobody waits after the last one.
    expect(waits).toEqual([5_000, 5_000]);
    expect(sleep).toHaveBeenLastCalledWith(5_000, signal);
  });
});
