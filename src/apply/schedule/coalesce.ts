/** Reads for everybody who asks meanwhile, but never with an answer from before they asked. */
export type Coalescer<T> = (key: string, read: () => Promise<T>) => Promise<T>;

/** How long a reading that failed holds the next one back, doubled each time. Milliseconds. */
const BACK_OFF = 500;
const LONGEST = 10_000;

/**
 * Lets many that need the same reading share it: one is under way at a time, and whoever asks during it gets the next one,
 * which is begun once that is over; after a failure not at once. In an outage hundreds that look for the same thing cost a few
 * requests.
 */
export function createCoalescer<T>(pause: (ms: number) => Promise<void>): Coalescer<T> {
  const running = new Map<string, Promise<void>>();
  const waiting = new Map<string, Promise<T>>();
  const failures = new Map<string, number>();
  const over = async (key: string, reading: Promise<T>): Promise<void> => {
    const failed = await reading.then(
      () => 0,
      () => (failures.get(key) ?? 0) + 1,
    );
    failures.set(key, failed);
    if (failed > 0) await pause(Math.min(LONGEST, BACK_OFF * 2 ** (failed - 1)));
    running.delete(key);
  };
  const begin = (key: string, read: () => Promise<T>): Promise<T> => {
    waiting.delete(key);
    const reading = read();
    running.set(key, over(key, reading));
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
