import { expect, it } from "vitest";
import { createPool } from "../../../../src/apply/schedule/pool.ts";

/** A task that ends when the test ends it. */
function held(): { readonly task: () => Promise<void>; readonly end: () => void; readonly begun: () => boolean } {
  let end = (): void => undefined;
  let begun = false;
  const over = new Promise<void>((resolve) => (end = resolve));
  const task = (): Promise<void> => {
    begun = true;
    return over;
  };
  return { task, end: () => end(), begun: () => begun };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it("runs no more tasks at a time than its size, in the order in which they were added", async () => {
  const pool = createPool(2);
  const tasks = [held(), held(), held(), held()];
  const all = Promise.all(tasks.map(({ task }) => pool.run(task)));
  await turn();
  expect(tasks.map(({ begun }) => begun())).toEqual([true, true, false, false]);
  tasks[1]?.end();
  await turn();
  expect(tasks.map(({ begun }) => begun())).toEqual([true, true, true, false]);
  for (const { end } of tasks) end();
  await all;
});

it("frees the slot of a task that fails", async () => {
  const pool = createPool(1);
  await expect(pool.run(() => Promise.reject(new Error("no")))).rejects.toThrow("no");
  await expect(pool.run(() => Promise.resolve(7))).resolves.toBe(7);
});

it("runs another task while one only waits, and takes the slot back afterwards", async () => {
  const pool = createPool(1);
  const [wait, other, late] = [held(), held(), held()];
  const waiting = pool.run(() => pool.outside(wait.task));
  const running = pool.run(other.task);
  await turn();
  expect(other.begun()).toBe(true);
  wait.end();
  const after = pool.run(late.task);
  await turn();
  expect(late.begun()).toBe(false);
  for (const { end } of [other, late]) end();
  await Promise.all([waiting, running, after]);
});
