/**
 * How long an apply takes because of the rate limits of the service.
 *
 * Premise: a service that limits requests lets through a minute's worth at once, and the next ones a minute later. Its limits count for
 * each budget apart, so the slowest one decides. A self-hosted service may have no limits.
 */
import { operations } from "../../api/operations/index.ts";
import { kinds, scopeType } from "../../kinds/registry.ts";
import { isReady, type Action } from "../../model/change.ts";
import type { ShownChange } from "../../model/plan.ts";
import { scopeOf } from "../../model/resource.ts";

/** The requests of an apply that count against the limit which decides. */
export interface ExpectedRequests {
  readonly count: number;
  readonly perMinute: number;
  readonly perHour: number;
}

/** The limits of deployed servers for each key (server facts, "Rate limits"). */
const LIMITS = {
  insights: { perMinute: 240, perHour: 1200 },
  others: { perMinute: 480, perHour: 4800 },
};

/** Most changes read their object once more before they write. Creates share their reads. */
const REQUESTS: Readonly<Record<Action, number>> = {
  create: 1,
  update: 2,
  delete: 2,
  restore: 2,
  replace: 3,
  no_op: 0,
  unknown: 0,
};

/** @param cap the user's own limit per minute, over all budgets */
export function expectedRequests(changes: readonly ShownChange[], cap = Infinity): ExpectedRequests {
  const counts = { insights: 0, queries: 0, others: 0 };
  for (const { kind, action, address } of changes.filter(isReady)) {
    const [list] = kinds[kind].lists.operations(scopeType(scopeOf(address)));
    counts[list === undefined ? "others" : operations[list].budget] += REQUESTS[action];
  }
  const { insights, queries, others } = counts;
  return [
    { ...LIMITS.insights, count: insights },
    { ...LIMITS.others, count: others },
    { perMinute: cap, perHour: Infinity, count: insights + queries + others },
  ].reduce((slowest, one) => (timeAtLimit(one) > timeAtLimit(slowest) ? one : slowest));
}

/** When the last of the requests can be sent, after the first one. Milliseconds. */
export function timeAtLimit({ count, perMinute, perHour }: ExpectedRequests): number {
  const before = Math.max(0, count - 1);
  const hours = Math.floor(before / perHour);
  return hours * 3_600_000 + Math.floor((before % perHour) / perMinute) * 60_000;
}

/**
 * Estimates how long the rest takes. The limits decide, unless the pace so far is slower, or the service has shown that it has no limits:
 * then the pace does.
 *
 * @param sent requests so far
 * @param elapsed milliseconds since the first one
 */
export function timeLeft(expected: ExpectedRequests, sent: number, elapsed: number): number {
  const pace = sent === 0 ? 0 : (elapsed / sent) * Math.max(0, expected.count - sent);
  // Requests that were refused are among those that were sent, so a minute's worth more proves nothing.
  const isUnlimited = timeAtLimit({ ...expected, count: sent - expected.perMinute }) > elapsed;
  return isUnlimited ? pace : Math.max(pace, timeAtLimit(expected) - elapsed);
}
