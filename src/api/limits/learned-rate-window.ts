/**
 * How many requests of one budget a service takes within a minute, learned from its complaints.
 *
 * Terms: what is kept are the requests that the service has taken, or may still take, each for a minute.
 * Premise: a service that counts the minute that has just passed asks to wait until the oldest request of it leaves. A wait of
 * another length follows another rule, or other people's requests: from that nothing can be learned but to wait.
 * Algorithm: a complaint that asks to wait for the oldest teaches that what is kept is the limit; from then on a request
 * starts only once fewer are kept. As many successes in a row raise the limit again, as it may have been shared.
 */

/** Milliseconds. */
const MINUTE = 60_000;
/** How far the wait that a service asks for may be off: whole seconds, and the time that an answer takes. Milliseconds. */
const TOLERANCE = 1_500;
const GROWTH = 1.25;

/** A request that was let go. */
export interface Start {
  readonly startedAt: number;
  /** Until the answer is there: when it was started. Services count it somewhere in between. */
  countedAt: number;
}

export interface LearnedRateWindow {
  /** When the next request may start: not before this. Milliseconds since the epoch. */
  opensAt(now: number): number;
  take(now: number): Start;
  succeeded(start: Start, now: number): void;
  throttled(start: Start, waitMs: number, now: number): void;
}

/** A window of which no limit is known yet. */
export function createLearnedRateWindow(): LearnedRateWindow {
  let kept: Start[] = [];
  let limit: number | undefined;
  let successes = 0;
  const expire = (now: number): void => {
    kept = kept.filter(({ countedAt }) => countedAt + MINUTE > now);
  };
  return {
    opensAt: (now) => {
      if (limit === undefined || kept.length < limit) return now;
      expire(now);
      if (kept.length < limit) return now;
      const byAge = kept.map(({ countedAt }) => countedAt).toSorted((a, b) => a - b);
      return (byAge[kept.length - limit] ?? now) + MINUTE;
    },
    take: (now) => {
      const start = { startedAt: now, countedAt: now };
      // Expired now and then only: a list is filtered, and requests are many.
      if (kept.length % 64 === 0) expire(now);
      kept.push(start);
      return start;
    },
    succeeded: (start, now) => {
      start.countedAt = now;
      successes += 1;
      if (limit === undefined || successes < limit) return;
      limit = Math.ceil(limit * GROWTH);
      successes = 0;
    },
    throttled: (start, waitMs, now) => {
      successes = 0;
      expire(now);
      kept = kept.filter((one) => one !== start);
      if (isForOldest(kept, waitMs, now)) limit = Math.max(1, Math.min(limit ?? Infinity, kept.length));
    },
  };
}

/** Whether a wait is until the oldest request leaves the minute. */
function isForOldest(kept: readonly Start[], waitMs: number, now: number): boolean {
  const startedAt = Math.min(...kept.map((one) => one.startedAt));
  const countedAt = Math.min(...kept.map((one) => one.countedAt));
  const until = now + waitMs - MINUTE;
  return kept.length > 0 && until >= startedAt - TOLERANCE && until <= countedAt + TOLERANCE;
}
