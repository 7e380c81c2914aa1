import type { FieldChange } from "../../model/change.ts";
import { isSensitive } from "../../model/json.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { columnOf, INDENT } from "../layout.ts";
import type { Paint } from "./style.ts";
import { cut, cutPair } from "../escape.ts";
import { valueLines } from "./tree.ts";
import { inline, membersOf, pathText } from "../value.ts";
import type { Shown } from "../phrases.ts";

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
export function fieldLines(change: Shown, layout: FieldLayout): readonly string[] {
  // That an object is missing says everything: what it would be like stands in the configuration.
  if (layout.type === "driftline.drift" && change.action === "create") return [];
  const column =
    columnOf(
      change.fields.map(({ path }) => pathText(path)),
      WIDEST_PATH,
    ) + 2;
  return change.fields.flatMap((field) => oneField(change, field, column, layout)).map((line) => `${INDENT}${line}`);
}

function oneField(change: Shown, field: FieldChange, column: number, layout: FieldLayout): readonly string[] {
  const { paint, type } = layout;
  const width = layout.width - INDENT.length;
  const path = cut(pathText(field.path), LONGEST_PATH);
  const label = `${path}: `.padEnd(column);
  const room = width - label.length;
  const [prior, planned] = [inline(field.prior, field.path), inline(field.planned, field.path)];
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
