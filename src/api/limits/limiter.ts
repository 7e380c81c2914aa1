/**
 * How fast requests may go out.
 *
 * Terms: a budget is a rate limit of the service, and the requests that count against it; a burst is the requests of one
 * budget that were under way when the service first said that it is too much.
 * Premise: services count per minute and tell how long to wait, but not how much is left.
 * Algorithm: each budget has as many slots as may be under way at once. A burst halves them and closes the budget for the time
 * that the service asks for; as many successes as there are slots give one back. What window.ts learns from it keeps the next
 * minutes from ending the same way. A cap on requests per minute, over all budgets, spaces the starts evenly, which keeps every
 * minute under it, wherever one starts to count.
 */
import type { Clock } from "./clock.ts";
import type { Operation } from "../operations/index.ts";
import { createLearnedRateWindow, type LearnedRateWindow } from "./learned-rate-window.ts";

/**
 * Requests under way at once per budget, where the service never complained: as many as the pages of a list of 10,000, so that
 * it takes one wait beyond the first page's.
 */
export const DEFAULT_CONCURRENCY = 20;

export type Budget = Operation["budget"];

export interface LimiterOptions {
  readonly clock: Clock;
  readonly maxRequestsPerMinute?: number | undefined;
  readonly concurrency?: number | undefined;
  /** A wait for the service that would end later is not begun. Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
}

/** The permission to send one request. */
export interface Slot {
  /** Tells the service's complaint. True for the first of a burst. */
  throttled(waitMs: number): boolean;
  succeeded(): void;
  /** Gives the slot back, whatever came of the request; once. */
  release(): void;
}

/** Why a request may not be sent. */
export type Refusal = "interrupted" | { readonly waitMs: number };

export interface Limiter {
  /** Waits until one request of the budget may go out. */
  enter(budget: Budget): Promise<{ readonly slot: Slot } | { readonly refused: Refusal }>;
}

interface Lane {
  limit: number;
  active: number;
  successes: number;
  /** Which burst it is: complaints of requests that started before the last one count no more. */
  burst: number;
  /** Closed until then. Milliseconds since the epoch. */
  opensAt: number;
  readonly window: LearnedRateWindow;
  readonly queue: (() => void)[];
}

/** A limiter for one service and run. */
export function createLimiter(options: LimiterOptions): Limiter {
  const cap = options.concurrency ?? DEFAULT_CONCURRENCY;
  const lane = (): Lane => ({
    limit: cap,
    active: 0,
    successes: 0,
    burst: 0,
    opensAt: 0,
    window: createLearnedRateWindow(),
    queue: [],
  });
  const lanes: Readonly<Record<Budget, Lane>> = { insights: lane(), others: lane() };
  const pace = createPace(options);
  return {
    enter: async (budget) => {
      const entered = lanes[budget];
      await takeSlot(entered);
      const refused = await opening(entered, pace, options);
      if (refused === undefined) return { slot: slotOf(entered, cap, options.clock) };
      leave(entered);
      return { refused };
    },
  };
}

function takeSlot(lane: Lane): Promise<void> | void {
  if (lane.active < lane.limit && lane.queue.length === 0) {
    lane.active += 1;
    return;
  }
  return new Promise((resolve) => lane.queue.push(resolve));
}

function leave(lane: Lane): void {
  lane.active -= 1;
  while (lane.active < lane.limit) {
    const next = lane.queue.shift();
    if (next === undefined) return;
    lane.active += 1;
    next();
  }
}

/** Waits until the lane is open and the pace allows a start; takes the start in the same tick. */
async function opening(
  lane: Lane,
  pace: Pace,
  { clock, signal, deadline }: LimiterOptions,
): Promise<Refusal | undefined> {
  for (;;) {
    if (signal?.aborted === true) return "interrupted";
    const now = clock.now();
    if (lane.opensAt > now && lane.opensAt > deadline) return { waitMs: lane.opensAt - now };
    const wait = Math.max(lane.opensAt, lane.window.opensAt(now), pace.next()) - now;
    if (wait <= 0) {
      pace.take(now);
      return undefined;
    }
    await clock.sleep(wait, signal);
  }
}

interface Pace {
  /** When the next request may start. */
  next(): number;
  take(now: number): void;
}

/** By how much more than a minute the requests of a minute are spread: not all take equally long to arrive. Milliseconds. */
const HEADROOM = 300;
/** How much of a late start the next ones make up for; less than the headroom. Milliseconds. */
const CATCH_UP = 200;

function createPace({ maxRequestsPerMinute }: LimiterOptions): Pace {
  const capped = maxRequestsPerMinute !== undefined && Number.isFinite(maxRequestsPerMinute);
  const interval = capped ? (60_000 + HEADROOM) / Math.max(1, maxRequestsPerMinute) : 0;
  let next = 0;
  return {
    next: () => next,
    take: (now) => {
      next = (now - next > CATCH_UP ? now : next) + interval;
    },
  };
}

function slotOf(lane: Lane, cap: number, clock: Clock): Slot {
  const { burst, window } = lane;
  const start = window.take(clock.now());
  let isHeld = true;
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
      if (lane.successes < lane.limit || lane.limit >= cap) return;
      lane.limit += 1;
      lane.successes = 0;
    },
    release: () => {
      if (isHeld) leave(lane);
      isHeld = false;
    },
  };
}
