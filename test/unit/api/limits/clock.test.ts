import { getEventListeners } from "node:events";
import { expect, it } from "vitest";
import { systemClock } from "../../../../src/api/limits/clock.ts";

it("a sleep ends when the signal is aborted, before or while it lasts, and does not fail", async () => {
  await expect(systemClock.sleep(3_600_000, AbortSignal.abort())).resolves.toBeUndefined();
  const controller = new AbortController();
  const sleeping = systemClock.sleep(3_600_000, controller.signal);
  controller.abort();
  await expect(sleeping).resolves.toBeUndefined();
});

it("a sleep lasts for the given time", async () => {
  const before = performance.now();
  await systemClock.sleep(20);
  expect(performance.now() - before).toBeGreaterThan(15);
});

it("many sleeps can listen to one signal without a warning, and leave no listeners", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => warnings.push(warning);
  process.on("warning", warn);
  const controller = new AbortController();
  await Promise.all(Array.from({ length: 50 }, () => systemClock.sleep(1, controller.signal)));
  await new Promise(setImmediate);
  process.off("warning", warn);
  expect(warnings).toEqual([]);
  expect(getEventListeners(controller.signal, "abort")).toEqual([]);
});
