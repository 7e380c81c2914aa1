import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../limits/clock.ts";
import { PROBE_INTERVAL } from "../limits/retry.ts";

/**
 * Shares one read among all callers that wait for it. A caller never gets the result of a read that began before its
 * call.
 */
export type Coalescer<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/**
 * Lets callers that need the same data share a read. Only one read per key runs at a time. Callers that arrive during
 * it share the next one, which begins after it has ended, or some time later if it failed. So hundreds of callers cause
 * only a few requests, also during an outage. Callers that come in one turn of the event loop share a read as well.
 */
export function createCoalescer<T>(clock: Clock, signal?: AbortSignal): Coalescer<T> {
  /** When the next read may begin. Milliseconds since 1970. */
  const opensAt = new Map<string, Promise<number>>();
  const next = new Map<string, Promise<T>>();
  const begin = async (key: string, read: () => Promise<T>): Promise<T> => {
    await nextTurn();
    const wait = ((await opensAt.get(key)) ?? 0) - clock.now();
    if (wait > 0) await clock.sleep(wait, signal);
    next.delete(key);
    const reading = read();
    opensAt.set(
      key,
      reading.then(
        () => 0,
        () => clock.now() + PROBE_INTERVAL,
      ),
    );
    return reading;
  };
  return (key, read) => {
    const shared = next.get(key) ?? begin(key, read);
    next.set(key, shared);
    return shared;
  };
}
