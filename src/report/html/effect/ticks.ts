/** Round numbers and dates for the ticks of an axis. The bundle loads this file only when a chart is drawn (scripts/bundle.ts). */
import { nice, ticks } from "d3-array";
import { utcTicks } from "d3-time";

/** Round numbers, the first below all values and the last above them. */
export function valueTicks(low: number, high: number, count: number): readonly number[] {
  const [first, last] = nice(low, high, count);
  return ticks(first, last, count);
}

/** Round numbers from the first value to the last one. */
export function numberTicks(first: number, last: number, count: number): readonly number[] {
  return ticks(first, last, count);
}

/** Starts of hours, days, weeks, months or years, in milliseconds. */
export function timeTicks(first: number, last: number, count: number): readonly number[] {
  return utcTicks(new Date(first), new Date(last), count).map((date) => date.getTime());
}
