/**
 * Waits until what was just begun is on its way: two turns of the event loop. undici takes a connection back in a turn that it asks
 * for after an answer has ended, and waits for one before it writes to a connection again.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/**
 * The same for pieces of work of which many may be due at once. Each waits for turns of its own: run in one turn, they would keep
 * everything that follows the first of them from being sent until the last is done.
 */
export function createYieldQueue(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(yieldToEventLoop));
}
