import type { FieldChange } from "../../model/change.ts";
import { isJsonObject, isSensitive, type Json } from "../../model/json.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { lineDiff } from "./line-diff.ts";
import { code, fence, fit, table } from "./markdown.ts";
import { inline, namesOfField, pathText, type ValueNames } from "../value.ts";
import { sanitize } from "../escape.ts";

/** Longer values, and values of several lines, get a diff of their own. */
const MAX_CELL = 80;
/** The character limit for the fields of one change. It keeps one large resource from using the room of the others. */
const ROOM = 12_000;

/** The fields of a change: a table of the short ones and a diff of each long one; "" if there are no fields. */
export function fieldBlocks(change: ShownChange, type: PlanDocument["type"]): string {
  const short = change.fields.filter((field) => !isLong(field));
  const rows = fit(
    short.map((field) => row(change, field)),
    ROOM / 2,
  );
  const diffs = fit(change.fields.filter(isLong).map(diff), ROOM / 2);
  const omitted = rows.omitted + diffs.omitted;
  return [
    ...(rows.kept.length > 0 ? [`${table(headOf(change, type), [])}\n${rows.kept.join("\n")}`] : []),
    ...diffs.kept,
    ...(omitted > 0 ? [`… and ${plural(omitted, "more field")}.`] : []),
  ].join("\n\n");
}

function headOf({ action }: ShownChange, type: PlanDocument["type"]): readonly string[] {
  const drift = type === "driftline.drift";
  if (action === "create") return ["field", drift ? "declared" : "value"];
  return drift ? ["field", "live", "declared"] : ["field", "now", "planned"];
}

function row({ action, kind }: ShownChange, { path, prior, planned }: FieldChange): string {
  const names = namesOfField(kind, path);
  const isResent = isSensitive(planned) && prior === null;
  const values = [
    isResent ? "<i>(not shown by the service)</i>" : cell(prior, names),
    isResent ? `${cell(planned, names)}, will be sent` : cell(planned, names),
  ];
  const cells = [code(pathText(path), 120), ...(action === "create" ? [cell(planned, names)] : values)];
  return `| ${cells.join(" | ")} |`;
}

/** Placeholders such as "(not set)" are in italics, so that they differ from values. */
function cell(value: FieldChange["prior"], names: ValueNames): string {
  if (isSensitive(value) || value === null) return `<i>${inline(value)}</i>`;
  return code(inline(value, names), MAX_CELL);
}

function isLong({ prior, planned }: FieldChange): boolean {
  return [prior, planned].some(
    (value) => inline(value).length > MAX_CELL || (typeof value === "string" && value.includes("\n")),
  );
}

function diff({ path, prior, planned }: FieldChange): string {
  return `${code(pathText(path), 120)}\n\n${fence("diff", lineDiff(linesOfValue(prior), linesOfValue(planned)))}`;
}

/** The lines of a value: text by its own lines, everything else as indented JSON. A value that is not set has no lines. */
export function linesOfValue(value: Json): readonly string[] {
  if (value === null) return [];
  if (isSensitive(value)) return ["(sensitive)"];
  const text = typeof value === "string" ? value : JSON.stringify(withoutSecrets(value), null, 2);
  return text.split(/\r\n|\n/).map(sanitize);
}

function withoutSecrets(value: Json): Json {
  if (isSensitive(value)) return "(sensitive)";
  if (Array.isArray(value)) return value.map((item: Json) => withoutSecrets(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item)]));
}
