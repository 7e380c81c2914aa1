import { firstValue, type Headers } from "./exchange.ts";

/**
 * Reads `Retry-After`, which is a number of seconds or an HTTP date. Milliseconds from `now`, or null if absent or
 * unreadable. What is waited is decided in ../limits.
 */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = firstValue(headers["retry-after"])?.trim();
  if (value === undefined || value === "") return null;
  if (/^\d+(\.\d+)?$/u.test(value)) return Math.min(Math.ceil(Number(value) * 1000), LONGEST_WAIT);
  // Date.parse accepts nearly anything, for example "-5" and "99 bottles".
  const date = DATE.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? null : Math.min(date - now, LONGEST_WAIT);
}

/** An HTTP date or an ISO date. */
const DATE = /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? |\d{4}-\d\d-\d\dT)/iu;
/** Longer than any run, and still a number that a date can be counted with. Milliseconds. */
const LONGEST_WAIT = 10 ** 12;
