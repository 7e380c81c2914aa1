import type { LiveObject } from "../../model/live.ts";

/** Sorts objects by their age, the oldest first: every run has to find the same one. Without a time, or at the same time, the id decides. */
export function inOrderOfAge(objects: readonly LiveObject[]): readonly LiveObject[] {
  return objects.toSorted((a, b) => compareTimes(a.createdAt, b.createdAt) || compareIds(a.id, b.id));
}

function compareTimes(a = "", b = ""): number {
  const difference = Date.parse(a) - Date.parse(b);
  if (Number.isNaN(difference)) return 0;
  return difference || compareTexts(fractionOf(a), fractionOf(b));
}

/** Services write microseconds, which a date does not have. */
function fractionOf(time: string): string {
  return (/\.(\d+)/.exec(time)?.[1] ?? "").padEnd(9, "0");
}

function compareIds(a: string, b: string): number {
  return Number(a) - Number(b) || compareTexts(a, b);
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
