import { expect, it } from "vitest";
import { createYieldQueue } from "../../../../src/api/http/event-loop.ts";

it("gives each caller its own turn of the event loop", async () => {
  let turn = 0;
  let isOver = false;
  const count = (): void => {
    turn += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const yieldTurns = createYieldQueue();
  const piece = async (): Promise<number> => {
    await yieldTurns();
    return turn;
  };
  const turns = await Promise.all([piece(), piece(), piece()]);
  isOver = true;
  expect(new Set(turns).size).toBe(3);
});
