import { compareText } from "../../model/compare-text.ts";
import type { LiveObject } from "../../model/live.ts";

/**
 * Sorts objects by their age, the oldest first. Those without a time come first. Of two with the same time, the id
 * decides: every run has to find the same one.
 */
export function inOrderOfAge(objects: readonly LiveObject[]): readonly LiveObject[] {
  return objects.toSorted((a, b) => compareTimes(a.createdAt, b.createdAt) || compareIds(a.id, b.id));
}

function compareTimes(a = "", b = ""): number {
  return millisecondsOf(a) - millisecondsOf(b) || compareText(fractionOf(a), fractionOf(b));
}

function millisecondsOf(time: string): number {
  return Date.parse(time) || 0;
}

/** Services write microseconds, which a date does not have. */
function fractionOf(time: string): string {
  return (/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0");
}

function compareIds(a: string, b: string): number {
  return Number(a) - Number(b) || compareText(a, b);
}
