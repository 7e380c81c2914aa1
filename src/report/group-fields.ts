/**
 * The fields of a group of changes. If all changes do the same to a field, it is shown once. Otherwise each value is shown with the
 * objects that have it.
 */
import { groupBy } from "../model/group-by.ts";
import { plural } from "../model/text/plural.ts";
import { cut, sanitize } from "../model/text/quote.ts";
import { commonEntry } from "./diff/end-edit.ts";
import { entriesOfChange, type ShownField, shownField, type FieldOptions, withoutLine } from "./diff/entries.ts";
import type { ChangeGroup } from "./grouping.ts";

/** @param place what all addresses begin with */
export function fieldsOfGroup(group: ChangeGroup, place: string, options: FieldOptions): readonly ShownField[] {
  const changes = group.length === 1 ? group : group.map(withoutLine);
  const cells = changes.flatMap((change) => entriesOfChange(change).map((entry) => ({ change, entry })));
  return [...groupBy(cells, ({ entry }) => entry.label).values()].flatMap((ofField) => {
    const common = ofField.length < group.length ? undefined : commonEntry(ofField.map(({ entry }) => entry));
    if (common !== undefined) return [shownField(ofField[0].change, common, options)];
    return [...groupBy(ofField, ({ entry }) => JSON.stringify(entry)).values()].map((equal) => ({
      ...shownField(equal[0].change, equal[0].entry, options),
      of: equal.map(({ change }) => sanitize(change.address.slice(place.length))),
    }));
  });
}

/** Characters of a value, and of all, in the heading of a group. */
const HEADING = { value: 40, all: 140 };

/** What several changes do, in a line: `name + " (v3)"; interval: 3 values -> "month"`. */
export function headingText(fields: readonly ShownField[]): string {
  const ofEach = [...groupBy(fields, ({ path }) => path).values()];
  return cut(ofEach.map(headingOf).join("; "), HEADING.all);
}

function headingOf(values: readonly [ShownField, ...ShownField[]]): string {
  const [{ path, short }] = values;
  const pairs = values.flatMap((one) => (one.short?.type === "pair" ? [one.short] : []));
  if (pairs.length === values.length) {
    const [prior, planned] = [pairs.map((one) => one.prior), pairs.map((one) => one.planned)].map(sideText);
    return `${path}: ${prior ?? ""} -> ${planned ?? ""}`;
  }
  if (values.length > 1) return `${path}: ${plural(values.length, "value")}`;
  if (short?.type === "value") return `${path}: ${valueText(short.text)}`;
  if (short?.type !== "set") return `${path} changed`;
  const items = [
    ...short.removed.map((one) => `- ${valueText(one)}`),
    ...short.added.map((one) => `+ ${valueText(one)}`),
  ];
  return `${path.replace(/, at the end$/u, "")} ${items.join(" ")}`;
}

/** One side of a field: its value, or how many it has. */
function sideText(texts: readonly string[]): string {
  const [text = "", ...others] = new Set(texts);
  return others.length === 0 ? valueText(text) : plural(1 + others.length, "value");
}

function valueText(text: string): string {
  return cut(text, HEADING.value);
}
