import { throttled } from "../http/errors.ts";
import type { Throttle } from "../http/dispatch.ts";

/** The number of requests that a key may send within a minute. */
export interface RateLimits {
  /** Requests for anything but insights. Deployed servers allow 480. */
  readonly general: number;
  /** Requests for insights of any kind. Deployed servers allow 240. */
  readonly insights: number;
}

/** The limits of deployed servers. */
export const DEPLOYED_LIMITS: RateLimits = { general: 480, insights: 240 };

const WINDOW_MS = 60_000;

/** Allows every request. */
export const unlimited: Throttle = () => undefined;

/** Creates a throttle with two budgets per key over a sliding minute. A refused request does not count. */
export function createThrottle(limits: RateLimits): Throttle {
  const spent = new Map<string, number[]>();
  return ({ key, service, rules: { budget } }) => {
    const now = service.now().getTime();
    const name = `${budget} ${key.key}`;
    const recent = (spent.get(name) ?? []).filter((at) => at > now - WINDOW_MS);
    const [oldest = now] = recent;
    if (recent.length >= limits[budget]) throw throttled(Math.max(1, Math.ceil((oldest + WINDOW_MS - now) / 1000)));
    spent.set(name, [...recent, now]);
  };
}
