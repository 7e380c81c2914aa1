/**
 * Shares one read among all callers that wait for it. A caller never gets the result of a read that began before its
 * call.
 */
export type Coalescer<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/** The pause after a failed read, doubled with each failure in a row. Milliseconds. */
const FIRST_PAUSE = 500;
const LONGEST_PAUSE = 10_000;

/**
 * Lets callers that need the same data share a read. Only one read per key runs at a time. Callers that arrive during
 * it share the next one, which begins after it has ended, or after a pause if it failed. So hundreds of callers cause
 * only a few requests, also during an outage.
 */
export function createCoalescer<T>(pause: (ms: number) => Promise<void>): Coalescer<T> {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<T>>();
  const failures = new Map<string, number>();
  const untilNextAllowed = async (key: string, read: Promise<T>): Promise<void> => {
    const failed = await read.then(
      () => 0,
      () => (failures.get(key) ?? 0) + 1,
    );
    failures.set(key, failed);
    if (failed > 0) await pause(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failed - 1)));
    running.delete(key);
  };
  const begin = (key: string, read: () => Promise<T>): Promise<T> => {
    waiting.delete(key);
    const reading = read();
    running.set(key, untilNextAllowed(key, reading));
    return reading;
  };
  return (key, read) => {
    const before = running.get(key);
    if (before === undefined) return begin(key, read);
    const next = waiting.get(key) ?? before.then(() => begin(key, read));
    waiting.set(key, next);
    return next;
  };
}
