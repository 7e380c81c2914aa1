/** Where values, times and names stand in a chart. */
import type { Aligned } from "../../effect/align.ts";
import { compactNumber } from "../../effect/numbers.ts";
import { cut } from "../../../model/text/quote.ts";
import { numberTicks, timeTicks, valueTicks } from "./ticks.ts";

export interface Axis {
  /** The place of a value, from 0 to 1. */
  readonly placeOf: (value: number) => number;
  readonly ticks: readonly { readonly place: number; readonly label: string }[];
}

/** How many ticks are asked for, and as many as fit on a telephone beside each other. */
const [TICKS, MAX_TICKS] = [4, 5];
/** Beyond this the length of an axis would be no number any more. */
const LIMIT = 1e307;

/** An axis that has zero on it. If all values are zero, it ends at 1. */
export function valueAxis(values: readonly (number | null | undefined)[]): Axis {
  const [low, high] = rangeOf(values);
  const ticks = high - low < Number.MIN_VALUE * 1e20 ? [0, 0.5, 1] : valueTicks(low, high, TICKS);
  const placeOf = placing(Math.min(low, ticks[0] ?? 0), Math.max(high, ticks.at(-1) ?? 1));
  return { placeOf, ticks: ticks.map((value) => ({ place: placeOf(value), label: compactNumber(value) })) };
}

/** The same without ticks. It ends where the values end. */
export function barAxis(values: readonly (number | null | undefined)[]): Axis["placeOf"] {
  const [low, high] = rangeOf(values);
  return placing(low, high === low ? 1 : high);
}

function rangeOf(values: readonly (number | null | undefined)[]): readonly [number, number] {
  let [low, high] = [0, 0];
  for (const value of values)
    if (typeof value === "number") [low, high] = [Math.min(low, value), Math.max(high, value)];
  return [Math.max(-LIMIT, low), Math.min(LIMIT, high)];
}

export function positionAxis({ axis, rows }: Aligned): Axis {
  const [first, last] = [rows[0]?.position ?? 0, rows.at(-1)?.position ?? 0];
  const placeOf = placing(first, last);
  const ticks = ticksOf(axis, rows, [first, last]);
  const every = Math.ceil(ticks.length / MAX_TICKS);
  const shown = ticks.filter((_, index) => index % every === 0);
  return { placeOf, ticks: shown.map(({ position, label }) => ({ place: placeOf(position), label })) };
}

function placing(first: number, last: number): (value: number) => number {
  return (value) => (first === last ? 0.5 : Math.min(1, Math.max(0, (value - first) / (last - first))));
}

interface Tick {
  readonly position: number;
  readonly label: string;
}

/** Longer names of a tick are cut. Characters. */
const MAX_NAME = 12;

function ticksOf(
  axis: Aligned["axis"],
  rows: Aligned["rows"],
  [first, last]: readonly [number, number],
): readonly Tick[] {
  if (axis === "time") return dateTicks(timeTicks(first, last, TICKS));
  if (axis === "number")
    return numberTicks(first, last, TICKS).map((position) => ({ position, label: compactNumber(position) }));
  const step = Math.ceil(rows.length / TICKS);
  return rows
    .filter((_, index) => index % step === 0)
    .map(({ position, at }) => ({ position, label: cut(at, MAX_NAME) }));
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Each tick says no more than what differs: the year, the month, the day or the hour. */
function dateTicks(positions: readonly number[]): readonly Tick[] {
  const texts = positions.map((position) => new Date(position).toISOString());
  const endIn = (end: string): boolean => texts.every((text) => text.endsWith(end));
  const labelOf = (text: string): string => {
    const month = MONTHS[Number(text.slice(5, 7)) - 1] ?? "";
    if (endIn("-01-01T00:00:00.000Z")) return text.slice(0, 4);
    if (endIn("-01T00:00:00.000Z")) return `${month} ${text.slice(0, 4)}`;
    return text.endsWith("T00:00:00.000Z") ? `${month} ${String(Number(text.slice(8, 10)))}` : text.slice(11, 16);
  };
  return positions.map((position, index) => ({ position, label: labelOf(texts[index] ?? "") }));
}
