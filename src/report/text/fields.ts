import type { FieldChange } from "../../model/change.ts";
import { isJsonObject, isSensitive, type Json } from "../../model/json.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { columnWidth, INDENT, type Paint } from "./style.ts";
import { cut, cutPair } from "../escape.ts";
import { inline, namesOfField, pathText, keyText } from "../value.ts";

/** Values share one column, unless a path is longer than this. */
const MAX_PATH_COLUMN = 32;
const MAX_PATH = 80;
/** The least room for a value after a long path. */
const MIN_ROOM = 30;

/** Settings for the layout of fields. */
export interface FieldLayout {
  readonly type: PlanDocument["type"];
  readonly width: number;
  readonly paint: Paint;
}

/** The fields of a change, one line each, or several lines if a value does not fit on one. */
export function fieldLines(change: ShownChange, layout: FieldLayout): readonly string[] {
  // The fields of a missing object are in the configuration, so they are not repeated.
  if (layout.type === "driftline.drift" && change.action === "create") return [];
  const column =
    columnWidth(
      change.fields.map(({ path }) => pathText(path)),
      MAX_PATH_COLUMN,
    ) + 2;
  return change.fields
    .flatMap((field) => linesOfField(change, field, column, layout))
    .map((line) => `${INDENT}${line}`);
}

function linesOfField(change: ShownChange, field: FieldChange, column: number, layout: FieldLayout): readonly string[] {
  const { paint, type } = layout;
  const width = layout.width - INDENT.length;
  const path = cut(pathText(field.path), MAX_PATH);
  const label = `${path}: `.padEnd(column);
  const room = width - label.length;
  const names = namesOfField(change.kind, field.path);
  const [prior, planned] = [inline(field.prior, names), inline(field.planned, names)];
  if (change.action === "create") {
    return nestedMembers(field.planned).length > 0
      ? valueLines(path, field.planned, width)
      : [`${label}${cut(planned, Math.max(room, MIN_ROOM))}`];
  }
  if (isSensitive(field.planned) && field.prior === null) return [`${label}${planned}, will be sent`];
  const drift = type === "driftline.drift";
  const [before, between] = drift ? ["live value is ", ", declared "] : ["", " -> "];
  if (before.length + prior.length + between.length + planned.length <= room) {
    return [`${label}${before}${paint("red", prior)}${between}${paint("green", planned)}`];
  }
  const [first, second] = drift ? ["live value is ", "declared      "] : ["- ", "+ "];
  const [left, right] = cutPair(prior, planned, width - 2 - first.length);
  return [`${path}:`, `  ${paint("red", `${first}${left}`)}`, `  ${paint("green", `${second}${right}`)}`];
}

/** The most lines for one field of a created resource. */
const MAX_LINES = 14;
/** The least room for a deeply nested value. */
const MIN_NESTED_ROOM = 30;

/** A value below its label, like YAML: one line per member, with the values of one object in one column. */
function valueLines(label: string, value: Json, width: number): readonly string[] {
  const lines = [`${label}:`, ...memberLines(value, 1, width)];
  if (lines.length <= MAX_LINES) return lines;
  const omitted = lines.length - MAX_LINES + 1;
  return [...lines.slice(0, MAX_LINES - 1), `  … and ${plural(omitted, "more line")}`];
}

function memberLines(value: Json, depth: number, width: number): readonly string[] {
  const indent = "  ".repeat(depth);
  const rows = nestedMembers(value).map(([key, item]) => ({
    label: keyText(key),
    item,
    nested: nestedMembers(item).length > 0,
  }));
  const column = columnWidth(rows.filter(({ nested }) => !nested).map(({ label }) => label)) + 2;
  return rows.flatMap(({ label, item, nested }) => {
    if (nested) return [`${indent}${label}:`, ...memberLines(item, depth + 1, width)];
    const lead = `${indent}${`${label}: `.padEnd(column)}`;
    return [`${lead}${cut(inline(item), Math.max(MIN_NESTED_ROOM, width - lead.length))}`];
  });
}

/** The members of a value that is shown on several lines: an object, or a list with objects. Other values have none. */
function nestedMembers(value: Json): readonly (readonly [string, Json])[] {
  if (isSensitive(value)) return [];
  if (!Array.isArray(value)) return isJsonObject(value) ? Object.entries(value) : [];
  const nested = value.some((item: Json) => typeof item === "object" && item !== null);
  return nested ? value.map((item: Json, index): readonly [string, Json] => [`[${index}]`, item]) : [];
}
