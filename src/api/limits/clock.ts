import { setMaxListeners } from "node:events";
import { setTimeout } from "node:timers/promises";

/** Time and randomness, passed as parameters so that tests can control both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits `ms` milliseconds, or until the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Uniformly distributed, at least 0 and less than 1. */
  random(): number;
}

/** The clock of this machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: async (ms, signal) => {
    // Dozens of requests listen to one signal. Node would warn about a leak.
    if (signal !== undefined) setMaxListeners(0, signal);
    // A longer timer would fire at once. No wait lasts for weeks.
    const delay = Math.min(Math.max(0, ms), 2_147_483_647);
    await setTimeout(delay, undefined, { signal }).catch(() => undefined);
  },
};
