import { setMaxListeners } from "node:events";

/** Time and chance, as parameters, so that tests can hold both. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Waits `ms` milliseconds, or until the signal is aborted. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Evenly distributed from 0 up to, but without, 1. */
  random(): number;
}

/** The clock of the machine. */
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
      // A timer of more than 31 bits would fire at once; nothing here waits for weeks.
      const timer = setTimeout(done, Math.min(Math.max(0, ms), 2_147_483_647));
      // Dozens of requests wait at once for one signal, which Node would take for a leak.
      if (signal !== undefined) setMaxListeners(0, signal);
      signal?.addEventListener("abort", done, { once: true });
    }),
};
