/**
 * Updates that change the same fields of many objects, each to a value of its own. A terminal says how many values there are and which
 * option shows them. The other formats hold all of them.
 *
 * Premise: only texts in projects are folded. What stands in an organization says who gets in, and a number or a switch may stop
 * something, so each of those is seen.
 */
import type { Json } from "../model/json.ts";
import type { ShownChange } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { sanitize } from "../model/quote.ts";
import { entriesOfChange, type FieldRow, fieldRows } from "./diff/entries.ts";
import type { DiffWork } from "./diff/text-diff.ts";
import type { Entry } from "./diff/value-diff.ts";
import type { ReportType } from "./marks.ts";

/** Fewer values are read as quickly as the line that counts them. */
export const MIN_FOLDED = 10;

/** What an update does to each field, without the values: `description added, tags changed`. Undefined if they have to be seen. */
export function shapeOf(change: ShownChange): string | undefined {
  if (change.action !== "update" || change.blocked !== null || !change.address.includes("/projects/")) return undefined;
  const words = entriesOfChange(change).map(shapeOfEntry);
  return words.length === 0 || words.includes(undefined) ? undefined : words.join(", ");
}

function shapeOfEntry(entry: Entry): string | undefined {
  const { type, label } = entry;
  if (type !== "value") return `${label} changed`;
  const { prior, planned } = entry;
  if (!isTextOrNone(prior) || !isTextOrNone(planned)) return undefined;
  return `${label} ${isNone(prior) ? "added" : isNone(planned) ? "removed" : "changed"}`;
}

function isTextOrNone(value: Json | undefined): boolean {
  return isNone(value) || typeof value === "string";
}

function isNone(value: Json | undefined): boolean {
  return (value ?? "") === "";
}

/** The line that stands for the values of several changes. */
export function foldedText(changes: readonly [ShownChange, ...ShownChange[]]): string {
  const values = changes.reduce((sum, { fields }) => sum + fields.length, 0);
  return `${shapeOf(changes[0]) ?? ""} (${plural(values, "value")}: --verbose shows them)`;
}

/** The fields of all changes, each with the address of its object, without what all of those begin with. */
export function foldedRows(
  changes: readonly ShownChange[],
  place: string,
  options: { readonly type: ReportType; readonly work: DiffWork },
): readonly FieldRow[] {
  return changes.flatMap((change) =>
    fieldRows(change, entriesOfChange(change), options).map((row) => ({
      ...row,
      path: `${sanitize(change.address.slice(place.length))}: ${row.path}`,
    })),
  );
}
