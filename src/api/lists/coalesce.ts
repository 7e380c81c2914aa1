import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../limits/clock.ts";

/**
 * Shares one read among all callers that wait for it. A caller never gets the result of a read that began before its
 * call.
 */
export type Coalescer<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/** The pause after a failed read, doubled with each failure in a row. Milliseconds. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/** How the last read ended: how many have failed in a row, and when the next one may begin. */
interface Ended {
  readonly failed: number;
  /** Milliseconds since 1970. */
  readonly nextAt: number;
}

/**
 * Lets callers that need the same data share a read. Only one read per key runs at a time. Callers that arrive during
 * it share the next one, which begins after it has ended, or after a pause if it failed. So hundreds of callers cause
 * only a few requests, also during an outage. Callers that come in one turn of the event loop share a read as well.
 */
export function createCoalescer<T>(clock: Clock, signal?: AbortSignal): Coalescer<T> {
  const last = new Map<string, Promise<Ended>>();
  const next = new Map<string, Promise<T>>();
  const begin = async (key: string, read: () => Promise<T>): Promise<T> => {
    await nextTurn();
    const { failed, nextAt } = (await last.get(key)) ?? { failed: 0, nextAt: 0 };
    const wait = nextAt - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    next.delete(key);
    const reading = read();
    const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** failed);
    const ended = reading.then(
      () => ({ failed: 0, nextAt: 0 }),
      () => ({ failed: failed + 1, nextAt: clock.now() + pause }),
    );
    last.set(key, ended);
    return reading;
  };
  return (key, read) => {
    const shared = next.get(key) ?? begin(key, read);
    next.set(key, shared);
    return shared;
  };
}
