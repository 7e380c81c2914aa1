import type { FieldChange } from "../../model/change.ts";
import { isJsonObject, isSensitive, type Json } from "../../model/json.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { columnWidth, INDENT, type Paint } from "./style.ts";
import { cut, cutPair } from "../escape.ts";
import { inline, namesOfField, pathText, keyText } from "../value.ts";

/** Values stand in one column, unless a path is longer than this. */
const WIDEST_PATH = 32;
const LONGEST_PATH = 80;
/** A value gets no less room than this, however long its path is. */
const LEAST_ROOM = 30;

/** What the lines of fields are laid out for. */
export interface FieldLayout {
  readonly type: PlanDocument["type"];
  readonly width: number;
  readonly paint: Paint;
}

/** The fields of a change, one line each; more where a value does not fit on it. */
export function fieldLines(change: ShownChange, layout: FieldLayout): readonly string[] {
  // That an object is missing says everything: what it would be like stands in the configuration.
  if (layout.type === "driftline.drift" && change.action === "create") return [];
  const column =
    columnWidth(
      change.fields.map(({ path }) => pathText(path)),
      WIDEST_PATH,
    ) + 2;
  return change.fields.flatMap((field) => oneField(change, field, column, layout)).map((line) => `${INDENT}${line}`);
}

function oneField(change: ShownChange, field: FieldChange, column: number, layout: FieldLayout): readonly string[] {
  const { paint, type } = layout;
  const width = layout.width - INDENT.length;
  const path = cut(pathText(field.path), LONGEST_PATH);
  const label = `${path}: `.padEnd(column);
  const room = width - label.length;
  const names = namesOfField(change.kind, field.path);
  const [prior, planned] = [inline(field.prior, names), inline(field.planned, names)];
  if (change.action === "create") {
    return membersOf(field.planned).length > 0
      ? valueLines(path, field.planned, width)
      : [`${label}${cut(planned, Math.max(room, LEAST_ROOM))}`];
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

/** How many lines one field of a created resource is spread over. */
const MOST_LINES = 14;
/** A value gets no less room than this, however deep it stands. */
const LEAST_VALUE_ROOM = 30;

/** A value below its label, as YAML would show it: one line per member, values of one object in one column. */
function valueLines(label: string, value: Json, width: number): readonly string[] {
  const lines = [`${label}:`, ...memberLines(value, 1, width)];
  if (lines.length <= MOST_LINES) return lines;
  const left = lines.length - MOST_LINES + 1;
  return [...lines.slice(0, MOST_LINES - 1), `  … and ${plural(left, "more line")}`];
}

function memberLines(value: Json, depth: number, width: number): readonly string[] {
  const indent = "  ".repeat(depth);
  const rows = membersOf(value).map(([key, item]) => ({
    label: keyText(key),
    item,
    nested: membersOf(item).length > 0,
  }));
  const column = columnWidth(rows.filter(({ nested }) => !nested).map(({ label }) => label)) + 2;
  return rows.flatMap(({ label, item, nested }) => {
    if (nested) return [`${indent}${label}:`, ...memberLines(item, depth + 1, width)];
    const lead = `${indent}${`${label}: `.padEnd(column)}`;
    return [`${lead}${cut(inline(item), Math.max(LEAST_VALUE_ROOM, width - lead.length))}`];
  });
}

/** The members of what is worth several lines: objects, and lists that hold any. Secrets are worth none. */
function membersOf(value: Json): readonly (readonly [string, Json])[] {
  if (isSensitive(value)) return [];
  if (!Array.isArray(value)) return isJsonObject(value) ? Object.entries(value) : [];
  const nested = value.some((item: Json) => typeof item === "object" && item !== null);
  return nested ? value.map((item: Json, index): readonly [string, Json] => [`[${index}]`, item]) : [];
}
