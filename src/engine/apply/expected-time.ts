/**
 * How long an apply takes because of the rate limits of the service, else at the pace of this run.
 *
 * Premise: a service that limits requests lets through a minute's worth at once, and the next ones a minute later. Its limits count for
 * each budget apart, so the slowest one decides. Of a service that is not PostHog Cloud, only limits that it has shown are known: the
 * limits that PostHog has by default are then said as well.
 */
import type { Pace } from "../../api/client.ts";
import { operations } from "../../api/operations/index.ts";
import { kinds, scopeType } from "../../kinds/registry.ts";
import { isReady, type Action } from "../../model/change.ts";
import type { ShownChange } from "../../model/plan.ts";
import { scopeOf } from "../../model/resource.ts";
import { aboutTime, plural } from "../../model/text/plural.ts";
import { isCloud } from "../../model/known-services.ts";
import { CONCURRENCY } from "../../apply/schedule/pool.ts";

interface Limit {
  readonly perMinute: number;
  readonly perHour: number;
  /** What decides, after "at". */
  readonly at: string;
}

/** The requests of an apply that count against the limit which decides. */
export interface ExpectedRequests extends Limit {
  readonly count: number;
  /** All requests of the apply. */
  readonly total: number;
}

export interface KnownLimits extends Pick<Pace, "seenLimits"> {
  readonly url: string;
  /** The user's own limit per minute, over all budgets. */
  readonly cap: number | undefined;
  /** Whether to assume PostHog's default limits for a service that has shown no limit. */
  readonly assumesDefaults?: boolean;
}

const NO_LIMIT: Limit = { perMinute: Infinity, perHour: Infinity, at: "the pace of this run" };

/** The limits of deployed servers for each key (server facts, "Rate limits"). */
const LIMITS = { insights: { perMinute: 240, perHour: 1200 }, others: { perMinute: 480, perHour: 4800 } };

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

/** Of the limits that are known, the one that decides: the user's own, those that the service has shown, and those of PostHog Cloud. */
export function expectedRequests(
  changes: readonly ShownChange[],
  { url, cap, seenLimits, assumesDefaults = false }: KnownLimits,
): ExpectedRequests {
  const counts = { insights: 0, queries: 0, others: 0 };
  for (const { kind, action, address } of changes.filter(isReady)) {
    const [list] = kinds[kind].lists.operations(scopeType(scopeOf(address)));
    counts[list === undefined ? "others" : operations[list].budget] += REQUESTS[action];
  }
  const total = counts.insights + counts.queries + counts.others;
  const limitOf = (documented: (typeof LIMITS)["others"], seen: number | undefined): Limit => {
    if (seen !== undefined) return { ...NO_LIMIT, perMinute: seen, at: "the limit that the service has shown" };
    return isCloud(url) || assumesDefaults ? { ...documented, at: "PostHog Cloud's documented limit" } : NO_LIMIT;
  };
  const own = cap === undefined ? NO_LIMIT : { ...NO_LIMIT, perMinute: cap, at: `${String(cap)} requests per minute` };
  return [
    { ...limitOf(LIMITS.insights, seenLimits.insights), count: counts.insights, total },
    { ...limitOf(LIMITS.others, seenLimits.others), count: counts.others, total },
    { ...own, count: total, total },
  ].reduce((slowest, one) => (timeAtLimit(one) > timeAtLimit(slowest) ? one : slowest));
}

/** When the last of the requests can be sent, after the first one. Milliseconds. */
export function timeAtLimit({ count, perMinute, perHour }: ExpectedRequests): number {
  const before = Math.max(0, count - 1);
  const hours = Math.floor(before / perHour);
  return hours * 3_600_000 + Math.floor((before % perHour) / perMinute) * 60_000;
}

/** With more changes the time is always said. */
const MANY_CHANGES = 50;

/**
 * `500 changes, about 1000 requests: about 4 minutes at 60 requests per minute`, before the first write; undefined for few changes
 * that take less than a minute.
 */
export function expectedTimeText(
  changes: readonly ShownChange[],
  known: KnownLimits & Pick<Pace, "perRequest">,
): string | undefined {
  const expected = expectedRequests(changes, known);
  const [atLimit, atPace] = [timeAtLimit(expected), (expected.total * known.perRequest) / CONCURRENCY];
  const time = aboutTime(Math.max(atLimit, atPace));
  const count = changes.filter(isReady).length;
  if (time === undefined && count <= MANY_CHANGES) return undefined;
  const byDefault = expectedRequests(changes, { ...known, assumesDefaults: true });
  const worst = timeAtLimit(byDefault) > Math.max(atLimit, atPace) ? aboutTime(timeAtLimit(byDefault)) : undefined;
  const { perMinute, perHour } = byDefault;
  const limit = byDefault.count > perHour ? `${String(perHour)} an hour` : `${String(perMinute)} a minute`;
  return [
    `${plural(count, "change")}, about ${plural(expected.total, "request")}: ${time ?? "less than a minute"} `,
    `at ${atLimit <= atPace ? NO_LIMIT.at : expected.at}`,
    worst === undefined || worst === time ? "." : `, ${worst} if the service has PostHog's default limit (${limit}).`,
  ].join("");
}

/**
 * Estimates how long the rest takes. The limits decide, unless the pace so far is slower, or the service has shown that it has no limits:
 * then the pace does.
 *
 * @param sent requests so far
 * @param elapsed milliseconds since the first one
 */
export function timeLeft(expected: ExpectedRequests, sent: number, elapsed: number): number {
  const pace = sent === 0 ? 0 : (elapsed / sent) * Math.max(0, expected.total - sent);
  // Requests that were refused are among those that were sent, so a minute's worth more proves nothing.
  const isUnlimited = timeAtLimit({ ...expected, count: sent - expected.perMinute }) > elapsed;
  return isUnlimited ? pace : Math.max(pace, timeAtLimit(expected) - elapsed);
}
