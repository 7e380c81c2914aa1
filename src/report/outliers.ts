/** Changes that do not fit the group that they would be folded into. */
import { canonicalJson } from "../model/canonical-json.ts";
import type { Json } from "../model/json.ts";
import type { ShownChange } from "../model/plan.ts";
import { entriesOfChange } from "./diff/entries.ts";
import type { Entry } from "./diff/value-diff.ts";

/** So many of the values of a group say what is usual there. */
const USUAL = 0.95;
const FACTOR = 10;

/**
 * The changes with a value that is more than ten times as large (a text: as long) as 95 of 100 in the group, or has none of the words
 * that 95 of 100 have.
 */
export function outliers<T extends ShownChange>(changes: readonly T[]): ReadonlySet<T> {
  const rows = changes.map((change) => ({ change, values: entriesOfChange(change).flatMap(sidesOf) }));
  const tests = rows[0]?.values.map((_, column) =>
    testOf(rows.flatMap(({ values }) => values.slice(column, column + 1))),
  );
  const odd = rows.filter(({ values }) => values.some((value, column) => tests?.[column]?.(value) === true));
  return new Set(odd.map(({ change }) => change));
}

/** Says of a value whether it is not like these. */
function testOf(values: readonly Json[]): (value: Json) => boolean {
  const sizes = values.map((value) => Math.abs(sizeOf(value))).toSorted((a, b) => a - b);
  const last = Math.floor(USUAL * (sizes.length - 1));
  const most = FACTOR * (sizes[last] ?? 0);
  const counts = new Map<string, number>();
  for (const word of values.flatMap(wordsOf)) counts.set(word, (counts.get(word) ?? 0) + 1);
  const usual = new Set([...counts].filter(([, count]) => count > last).map(([word]) => word));
  return (value) =>
    Math.abs(sizeOf(value)) > most || (usual.size > 0 && !wordsOf(value).some((word) => usual.has(word)));
}

/** What an entry takes away, and what it sets. */
export function sidesOf(entry: Entry): readonly Json[] {
  if (entry.type === "set") return [entry.removed, entry.added];
  return entry.type === "list" ? [entry.elements] : [entry.prior ?? "", entry.planned ?? ""];
}

/** A number itself, else the length. */
export function sizeOf(value: Json): number {
  return typeof value === "number" ? value : textOf(value).length;
}

/** Each word once. Short ones, such as "of", say little about a text. */
function wordsOf(value: Json): readonly string[] {
  return [
    ...new Set(
      textOf(value)
        .toLowerCase()
        .match(/\p{L}{4,}/gu),
    ),
  ];
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}
