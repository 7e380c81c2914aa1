import { setMaxListeners } from "node:events";

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
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted === true) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      // A longer timer would fire at once. No wait lasts for weeks.
      const timer = setTimeout(done, Math.min(Math.max(0, ms), 2_147_483_647));
      // Dozens of requests listen to one signal. Node would warn about a leak.
      if (signal !== undefined) setMaxListeners(0, signal);
      signal?.addEventListener("abort", done, { once: true });
    }),
};
