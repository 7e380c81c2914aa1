/**
 * The fields of a change, one row for each value that differs. Nothing that differs is cut: what is approved is what is shown.
 *
 * Terms: a row has the path of a value, and its sides. `<del>` is the prior side and `<ins>` the planned one.
 */
import type { FieldValue } from "../../model/change.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { OutcomesDocument } from "../../model/outcome.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { entriesOfChange, oneSided, shortEntry, shortValue } from "../diff/entries.ts";
import type { Entry } from "../diff/value-diff.ts";
import type { DiffWork } from "../diff/text-diff.ts";
import { hunksOfText, isMultiline, rowsOfEntry, rowsOfValue } from "../diff-lines.ts";
import { HIDDEN, namesOfField, pathText } from "../escape.ts";
import { markup, type Markup } from "./markup.ts";
import { hunkPair, rowBlocks, shortPair, shortSet } from "./sides.ts";

/** The type of a document that has changes. */
export type ReportType = (PlanDocument | OutcomesDocument)["type"];

/** Two values share a line if each of them is at most this long. Characters. */
const MAX_SHORT = 60;
/** The elements of a set share a line if they have at most this many characters together. */
const MAX_SET = 72;

export function fieldRows(change: ShownChange, type: ReportType, work: DiffWork): readonly Markup[] {
  const { kind } = change;
  return (
    oneSided(change)?.map((field) => plainRow(kind, field)) ??
    entriesOfChange(change).map((entry) => entryRow(kind, entry, { type, work }))
  );
}

function plainRow(kind: KindName, { path, value }: FieldValue): Markup {
  const text = shortValue(value, namesOfField(kind, path));
  if (text !== undefined) return row(pathText(path), markup`<span class="value">${text}</span>`);
  return blockRow(pathText(path), rowBlocks(rowsOfValue(value, "")));
}

function entryRow(
  kind: KindName,
  entry: Entry,
  { type, work }: { readonly type: ReportType; readonly work: DiffWork },
): Markup {
  const { label } = entry;
  const short = shortEntry(kind, entry);
  // Only what is planned will be sent.
  if (short?.type === "secret")
    return row(label, shortPair(HIDDEN, type === "driftline.plan" ? `${HIDDEN}, will be sent` : HIDDEN));
  if (short?.type === "pair" && Math.max(short.prior.length, short.planned.length) <= MAX_SHORT)
    return row(label, shortPair(short.prior, short.planned));
  if (short?.type === "set" && [...short.removed, ...short.added].join("    ").length <= MAX_SET)
    return row(label, shortSet(short.removed, short.added));
  const isText = entry.type === "text" && (isMultiline(entry.prior) || isMultiline(entry.planned));
  return blockRow(
    label,
    isText
      ? hunkPair(hunksOfText(entry, work))
      : markup`<div class="pair">${rowBlocks(rowsOfEntry(entry, work))}</div>`,
  );
}

function row(label: string, body: Markup): Markup {
  return markup`<div class="row"><code class="path">${label}</code> ${body}</div>`;
}

function blockRow(label: string, body: Markup | readonly Markup[]): Markup {
  return markup`<div class="row block"><code class="path">${label}</code> ${body}</div>`;
}
