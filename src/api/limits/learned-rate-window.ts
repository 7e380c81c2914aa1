/**
 * Learns from 429 answers how many requests of one budget the service accepts per minute.
 *
 * Terms: the window holds the requests that the service accepted, or may still accept, during the last minute.
 * Premise: a service with a sliding window asks for a wait until the oldest request leaves the window. A wait of
 * another length comes from another rule or from other clients, and says nothing about the limit.
 * Algorithm: if a 429 asks for a wait until the oldest request leaves, the size of the window is the limit. From then
 * on a request starts only if the window holds fewer. When that many requests have succeeded in a row, the limit grows,
 * because other clients may have used a part of it.
 */

/** Milliseconds. */
const MINUTE = 60_000;
/** The requested wait may differ by this: services round to seconds, and an answer takes time. Milliseconds. */
const TOLERANCE = 1_500;
const GROWTH = 1.25;

/** A request in the window. */
export interface Start {
  readonly startedAt: number;
  /** When its answer came; until then, when it started. The service counted it somewhere between the two. */
  countedAt: number;
}

export interface LearnedRateWindow {
  /** The earliest start of the next request. Milliseconds since the epoch. */
  opensAt(now: number): number;
  take(now: number): Start;
  succeeded(start: Start, now: number): void;
  throttled(start: Start, waitMs: number, now: number): void;
  /** Requests per minute; undefined as long as nothing is known. */
  limit(): number | undefined;
}

/** Creates an empty window without a known limit. */
export function createLearnedRateWindow(): LearnedRateWindow {
  let requests: Start[] = [];
  let limit: number | undefined;
  let successes = 0;
  const expire = (now: number): void => {
    requests = requests.filter(({ countedAt }) => countedAt + MINUTE > now);
  };
  return {
    limit: () => limit,
    opensAt: (now) => {
      if (limit === undefined || requests.length < limit) return now;
      expire(now);
      if (requests.length < limit) return now;
      const byAge = requests.map(({ countedAt }) => countedAt).toSorted((a, b) => a - b);
      return (byAge[requests.length - limit] ?? now) + MINUTE;
    },
    take: (now) => {
      const start = { startedAt: now, countedAt: now };
      // Not on every request, because expiring filters the whole list.
      if (requests.length % 64 === 0) expire(now);
      requests.push(start);
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
      requests = requests.filter((one) => one !== start);
      if (endsWithOldest(requests, waitMs, now)) limit = Math.max(1, Math.min(limit ?? Infinity, requests.length));
    },
  };
}

/** Whether a wait ends when the oldest request leaves the window. */
function endsWithOldest(requests: readonly Start[], waitMs: number, now: number): boolean {
  const startedAt = Math.min(...requests.map((one) => one.startedAt));
  const countedAt = Math.min(...requests.map((one) => one.countedAt));
  const until = now + waitMs - MINUTE;
  return requests.length > 0 && until >= startedAt - TOLERANCE && until <= countedAt + TOLERANCE;
}
