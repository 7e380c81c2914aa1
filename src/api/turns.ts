/**
 * Waits until what was just begun is on its way: two turns of the event loop. undici takes a connection back in a turn that it asks
 * for after an answer has ended, and waits for one before it writes to a connection again.
 */
export function nextTurns(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
