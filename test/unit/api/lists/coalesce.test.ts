import { describe, expect, it } from "vitest";
import { createCoalescer } from "../../../../src/api/lists/coalesce.ts";

/** Reads that end when the test ends them. */
function readings() {
  const begun: { readonly end: (value: number) => void; readonly fail: () => void }[] = [];
  const read = (): Promise<number> =>
    new Promise((resolve, reject) => begun.push({ end: resolve, fail: () => reject(new Error("down")) }));
  return { begun, read };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("shared reads", () => {
  it("run one at a time, and never begin before the call", async () => {
    const { begun, read } = readings();
    const ask = createCoalescer<number>(() => Promise.resolve());
    const first = ask("a", read);
    const during = [ask("a", read), ask("a", read), ask("a", read)];
    expect(begun).toHaveLength(1);
    begun[0]?.end(1);
    expect(await first).toBe(1);
    await turn();
    expect(begun).toHaveLength(2);
    begun[1]?.end(2);
    expect(await Promise.all(during)).toEqual([2, 2, 2]);
    await turn();
    void ask("a", read);
    expect(begun).toHaveLength(3);
  });

  it("of different keys do not wait for each other", () => {
    const { begun, read } = readings();
    const ask = createCoalescer<number>(() => Promise.resolve());
    void ask("a", read);
    void ask("b", read);
    expect(begun).toHaveLength(2);
  });

  it("that fail delay the next one, longer each time, until one succeeds", async () => {
    const { begun, read } = readings();
    const waits: number[] = [];
    const ask = createCoalescer<number>((ms) => {
      waits.push(ms);
      return Promise.resolve();
    });
    for (let round = 0; round < 7; round += 1) {
      const asked = ask("a", read);
      await turn();
      if (round === 6) begun[round]?.end(1);
      else begun[round]?.fail();
      await asked.catch(() => undefined);
      await turn();
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000]);
    const asked = ask("a", read);
    begun[7]?.fail();
    await asked.catch(() => undefined);
    await turn();
    expect(waits.at(-1)).toBe(500);
  });
});
