/**
 * The fields of a change, one row for each value that differs. Nothing is cut: what is approved is what is shown.
 *
 * Terms: a row has the path of a value, and its sides. `<del>` is the prior side and `<ins>` the planned one.
 */
import type { FieldChange } from "../../model/change.ts";
import { isSensitive, pointer, type Json } from "../../model/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { OutcomesDocument } from "../../model/outcome.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { diffField, type ElementDiff, type ValueDiff } from "../diff/value-diff.ts";
import { inline, keyText, namesOfField, pathText } from "../value.ts";
import { markup, type Markup } from "./markup.ts";
import { lineBlock, MAX_SHORT, shortPair, side, textHunks, wordPair } from "./sides.ts";
import { MAX_INLINE, valueLines } from "./value-lines.ts";

/** The type of a document that has changes. */
export type ReportType = (PlanDocument | OutcomesDocument)["type"];

/** The rows of all fields of a change. */
export function fieldRows(change: ShownChange, type: ReportType): readonly Markup[] {
  const { action, kind, fields } = change;
  return fields.flatMap((field) => {
    const label = pathText(field.path);
    if (action === "create") return [newRow(kind, field, label)];
    return rowsOf(diffField(kind, field), {
      label,
      path: field.path,
      kind,
      depth: 0,
      isPlan: type === "driftline.plan",
    });
  });
}

/** The place of a value in the report and in its object. */
interface Place {
  readonly label: string;
  /** JSON Pointer. */
  readonly path: string;
  readonly kind: KindName;
  /** The number of keys below the field. */
  readonly depth: number;
  /** Whether the document is a plan: what is planned will be sent. */
  readonly isPlan: boolean;
}

function newRow(kind: KindName, { path, planned }: FieldChange, label: string): Markup {
  const lines = valueLines(planned, inline(planned, namesOfField(kind, path)));
  if (lines.length === 1) return row(label, markup`<span class="value">${lines[0] ?? ""}</span>`);
  return blockRow(label, markup`<div class="value lines">${lines.map((line) => markup`<div>${line}</div>`)}</div>`);
}

function rowsOf(diff: ValueDiff, place: Place): readonly Markup[] {
  const { label, path, depth } = place;
  switch (diff.type) {
    case "object":
      return diff.members.flatMap((member) => {
        const inner: Place = {
          ...place,
          label: `${label}.${keyText(member.key)}`,
          path: path + pointer(member.key),
          depth: depth + 1,
        };
        if (member.type === "changed") return rowsOf(member.diff, inner);
        return [member.type === "added" ? oneSided(inner, "+", member.planned) : oneSided(inner, "-", member.prior)];
      });
    case "list":
      return diff.elements.flatMap((element) => elementRows(element, place));
    case "set":
      return [setRow(label, diff.removed, diff.added)];
    case "text":
      // An empty text has no lines to show.
      return diff.prior === "" || diff.planned === ""
        ? [replacedRow(place, diff.prior, diff.planned)]
        : [textRow(label, diff.prior, diff.planned)];
    case "replaced":
      return [replacedRow(place, diff.prior, diff.planned)];
  }
}

function elementRows(element: ElementDiff, place: Place): readonly Markup[] {
  const { label, path, depth } = place;
  const at = (name: string, index: number): Place => ({
    ...place,
    label: `${label}[${name}]`,
    path: path + pointer(index),
    depth: depth + 1,
  });
  switch (element.type) {
    case "added":
      return [oneSided(at(`${element.to}`, element.to), "+", element.planned)];
    case "removed":
      return [oneSided(at(`${element.from}`, element.from), "-", element.prior)];
    case "moved": {
      const lines = valueLines(element.value).map((line) => markup`<div>  ${line}</div>`);
      return [
        blockRow(
          `${label}[${element.from} → ${element.to}]`,
          markup`<p class="note">moved, not changed</p><div class="lines">${lines}</div>`,
        ),
      ];
    }
    case "changed": {
      const { from, to } = element;
      return rowsOf(element.diff, at(from === to ? `${to}` : `${from} → ${to}`, to));
    }
  }
}

/** A value that only one side has. */
function oneSided(place: Place, sign: "-" | "+", value: Json): Markup {
  const { label } = place;
  const lines = valueLines(value, sign === "-" ? valueText(value, place) : plannedText(value, place));
  if (lines.length > 1 || (lines[0] ?? "").length > MAX_INLINE)
    return blockRow(label, markup`<div class="pair">${lineBlock(sign, lines)}</div>`);
  return row(label, markup`<span class="pair">${side(sign, markup`${sign} ${lines[0] ?? ""}`)}</span>`);
}

function replacedRow(place: Place, prior: Json, planned: Json): Markup {
  const { label } = place;
  const isHidden = prior === null && isSensitive(planned);
  const before = isHidden ? "(not shown by the service)" : valueText(prior, place);
  const after = plannedText(planned, place);
  const [left, right] = [valueLines(prior, before), valueLines(planned, after)];
  const isShort = [left, right].every((lines) => lines.length === 1 && (lines[0] ?? "").length <= MAX_SHORT);
  if (isShort) return row(label, shortPair(before, after));
  return blockRow(label, markup`<div class="pair">${lineBlock("-", left)}${lineBlock("+", right)}</div>`);
}

function textRow(label: string, prior: string, planned: string): Markup {
  if (prior.includes("\n") || planned.includes("\n")) return blockRow(label, textHunks(prior, planned));
  const [before, after] = [inline(prior), inline(planned)];
  const isShort = before.length <= MAX_SHORT && after.length <= MAX_SHORT;
  return isShort ? row(label, shortPair(before, after)) : blockRow(label, wordPair(before, after));
}

function setRow(label: string, removed: readonly Json[], added: readonly Json[]): Markup {
  const [left, right] = [removed, added].map((items) => items.flatMap((item) => valueLines(item))) as [
    string[],
    string[],
  ];
  const isShort = [...left, ...right].join("    ").length <= MAX_INLINE;
  if (!isShort) return blockRow(label, markup`<div class="pair">${lineBlock("-", left)}${lineBlock("+", right)}</div>`);
  const spans = [
    ...left.map((text) => markup` ${side("-", markup`- ${text}`)}`),
    ...right.map((text) => markup` ${side("+", markup`+ ${text}`)}`),
  ];
  return row(label, markup`<span class="pair">${spans}</span>`);
}

function row(label: string, body: Markup): Markup {
  return markup`<div class="row"><code class="path">${label}</code> ${body}</div>`;
}

function blockRow(label: string, body: Markup): Markup {
  return markup`<div class="row block"><code class="path">${label}</code> ${body}</div>`;
}

/** A value on one line, with its name if it has one. A field that is null is not set; inside of a field, null is a value. */
function valueText(value: Json, { kind, path, depth }: Place): string {
  return value === null && depth > 0 ? "null" : inline(value, namesOfField(kind, path));
}

function plannedText(value: Json, place: Place): string {
  return `${valueText(value, place)}${place.isPlan && isSensitive(value) ? ", will be sent" : ""}`;
}
