/**
 * Decides when a request may be sent.
 *
 * Terms: a budget is a rate limit of the service together with the requests that count against it. A slot is the
 * permission to have one request in flight. A burst is the set of requests that were in flight when the service first
 * answered 429.
 * Premise: the service counts requests per minute. A 429 says how long to wait, but no answer says how many requests
 * are left.
 * Algorithm: each budget starts with a fixed number of slots. The first 429 of a burst halves the slots, and every 429
 * closes the budget for the time that the service asks for. When as many requests have succeeded as there are slots,
 * one slot is added. learned-rate-window.ts learns the limit per minute from the 429s, so that the next minute does not
 * run into it again. An optional cap on requests per minute covers all budgets. It spaces requests evenly, so that no
 * period of 60 seconds exceeds it, wherever that period starts.
 */
import type { Clock } from "./clock.ts";
import type { Operation } from "../operations/index.ts";
import { createLearnedRateWindow, type LearnedRateWindow } from "./learned-rate-window.ts";

/**
 * Requests in flight per budget as long as the service has not answered 429. A list of 10,000 rows has 20 pages, so all
 * pages after the first are read in one round trip.
 */
export const DEFAULT_CONCURRENCY = 20;

/** Longer waits are reported. Milliseconds. */
const LONG_WAIT = 5_000;

export type Budget = Operation["budget"];

export interface LimiterOptions {
  readonly clock: Clock;
  readonly maxRequestsPerMinute?: number | undefined;
  /** A request is refused if the service asks for a wait that ends later. Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

/** The permission to send one request. */
export interface Slot {
  /** Reports a 429. Returns true for the first one of a burst. */
  throttled(waitMs: number): boolean;
  succeeded(): void;
  /** Gives the slot back. Further calls do nothing. */
  release(): void;
}

/** Why a request may not be sent. */
export type SendRefusal = "interrupted" | "too late" | { readonly waitMs: number };

export interface Limiter {
  /**
   * Waits until one request of the budget may go out.
   *
   * @param onWait called with the milliseconds of a long wait that no 429 has announced, once for all requests that wait for
   *   the same moment
   * @param deadline when it may go out at the latest, if that is earlier. Milliseconds since the epoch
   */
  enter(
    budget: Budget,
    onWait?: (waitMs: number) => void,
    deadline?: number,
  ): Promise<{ readonly slot: Slot } | { readonly refused: SendRefusal }>;
  /** The requests per minute that the service was seen to accept. */
  seenLimits(): Readonly<Record<Budget, number | undefined>>;
}

/** The state of one budget. */
interface Lane {
  /** How many slots there are. */
  limit: number;
  active: number;
  /** Since the last 429, or since the last slot was added. */
  successes: number;
  /** Number of the current burst. A 429 for a request of an earlier burst does not halve the slots again. */
  burst: number;
  /** The budget is closed until then. Milliseconds since the epoch. */
  opensAt: number;
  /** The end of the last wait that was reported. Milliseconds since the epoch. */
  reported: number;
  readonly window: LearnedRateWindow;
  readonly queue: (() => void)[];
}

export function createLimiter(options: LimiterOptions): Limiter {
  const lane = (): Lane => ({
    limit: DEFAULT_CONCURRENCY,
    active: 0,
    successes: 0,
    burst: 0,
    opensAt: 0,
    reported: 0,
    window: createLearnedRateWindow(),
    queue: [],
  });
  const lanes: Readonly<Record<Budget, Lane>> = { insights: lane(), queries: lane(), others: lane() };
  const pace = createPace(options);
  return {
    enter: async (budget, onWait, deadline) => {
      const entered = lanes[budget];
      await takeSlot(entered);
      const refused = await waitForStart(entered, pace, { ...options, own: deadline ?? Infinity }, onWait);
      if (refused === undefined) return { slot: createSlot(entered, options.clock) };
      releaseSlot(entered);
      return { refused };
    },
    seenLimits: () => ({
      insights: lanes.insights.window.limit(),
      queries: lanes.queries.window.limit(),
      others: lanes.others.window.limit(),
    }),
  };
}

function takeSlot(lane: Lane): Promise<void> | void {
  if (lane.active < lane.limit && lane.queue.length === 0) {
    lane.active += 1;
    return;
  }
  return new Promise((resolve) => lane.queue.push(resolve));
}

function releaseSlot(lane: Lane): void {
  lane.active -= 1;
  while (lane.active < lane.limit) {
    const next = lane.queue.shift();
    if (next === undefined) return;
    lane.active += 1;
    next();
  }
}

/**
 * Waits until the lane is open and the pace allows a start. Takes the start at once, so no other request can take it.
 */
async function waitForStart(
  lane: Lane,
  pace: Pace,
  { clock, signal, deadline, own }: LimiterOptions & { readonly own: number },
  onWait: ((waitMs: number) => void) | undefined,
): Promise<SendRefusal | undefined> {
  for (;;) {
    if (signal?.aborted === true) return "interrupted";
    const now = clock.now();
    if (now >= own) return "too late";
    if (lane.opensAt > now && lane.opensAt > Math.min(deadline, own)) return { waitMs: lane.opensAt - now };
    const wait = Math.max(lane.opensAt, lane.window.opensAt(now), pace.next()) - now;
    if (wait <= 0) {
      pace.take(now);
      return undefined;
    }
    const until = now + wait;
    if (wait > LONG_WAIT && until > Math.max(lane.opensAt, lane.reported)) {
      lane.reported = until;
      onWait?.(wait);
    }
    await clock.sleep(Math.min(wait, own - now), signal);
  }
}

/** Spaces the starts of requests evenly. */
interface Pace {
  /** When the next request may start. */
  next(): number;
  take(now: number): void;
}

/**
 * Requests of one minute are spread over this much more than a minute, as they take different times to arrive.
 * Milliseconds.
 */
const HEADROOM = 300;
/** A request that starts up to this late does not delay the next ones. Less than the headroom. Milliseconds. */
const CATCH_UP = 200;

function createPace({ maxRequestsPerMinute }: LimiterOptions): Pace {
  const isCapped = maxRequestsPerMinute !== undefined && Number.isFinite(maxRequestsPerMinute);
  const interval = isCapped ? (60_000 + HEADROOM) / Math.max(1, maxRequestsPerMinute) : 0;
  let next = 0;
  return {
    next: () => next,
    take: (now) => {
      next = (now - next > CATCH_UP ? now : next) + interval;
    },
  };
}

function createSlot(lane: Lane, clock: Clock): Slot {
  const { burst, window } = lane;
  const start = window.take(clock.now());
  let isReleased = false;
  return {
    throttled: (waitMs) => {
      window.throttled(start, waitMs, clock.now());
      lane.opensAt = Math.max(lane.opensAt, clock.now() + waitMs);
      lane.successes = 0;
      if (burst !== lane.burst) return false;
      lane.burst += 1;
      lane.limit = Math.max(1, Math.floor(lane.limit / 2));
      return true;
    },
    succeeded: () => {
      window.succeeded(start, clock.now());
      lane.successes += 1;
      if (lane.successes < lane.limit || lane.limit >= DEFAULT_CONCURRENCY) return;
      lane.limit += 1;
      lane.successes = 0;
    },
    release: () => {
      if (!isReleased) releaseSlot(lane);
      isReleased = true;
    },
  };
}
