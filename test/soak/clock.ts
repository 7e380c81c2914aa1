/**
 * A clock that advances when all work is waiting.
 *
 * Premise: what a turn of the event loop can do takes no time; what is slower (a journal that is synced) may take any,
 * so that every order that comes about could have come about in real time.
 * Algorithm: one timer per turn of the loop, the earliest first; time is what that timer was set to.
 */
import { setMaxListeners } from "node:events";
import type { Clock } from "../../src/api/client.ts";

/** A clock on which an hour takes no real time. */
export interface SimulatedClock extends Clock {
  /** Runs `work` after `ms` milliseconds. The returned function cancels it. */
  after(ms: number, work: () => void): () => void;
  /** Advances the time until nothing is due. */
  drain(): Promise<void>;
}

interface Timer {
  readonly at: number;
  readonly work: () => void;
}

/** Creates a clock that starts at a fixed moment. */
export function simulatedClock(random: () => number): SimulatedClock {
  let now = Date.UTC(2030, 0, 1);
  let timers: Timer[] = [];
  let isRunning = false;
  const step = (): void => {
    const [first] = timers;
    isRunning = first !== undefined;
    if (first === undefined) return;
    timers.shift();
    now = Math.max(now, first.at);
    first.work();
    setImmediate(step);
  };
  const after: SimulatedClock["after"] = (ms, work) => {
    const timer = { at: now + Math.max(0, ms), work };
    const behind = timers.findIndex(({ at }) => at > timer.at);
    timers.splice(behind === -1 ? timers.length : behind, 0, timer);
    if (!isRunning) setImmediate(step);
    isRunning = true;
    return () => {
      timers = timers.filter((one) => one !== timer);
    };
  };
  return {
    now: () => now,
    random,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const done = (): void => {
          callOff();
          signal?.removeEventListener("abort", done);
          resolve();
        };
        const callOff = after(ms, done);
        // Dozens of listeners wait for one signal.
        if (signal !== undefined) setMaxListeners(0, signal);
        signal?.addEventListener("abort", done, { once: true });
      }),
    drain: async () => {
      while (timers.length > 0) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
