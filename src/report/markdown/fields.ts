import type { FieldChange } from "../../model/change.ts";
import { isJsonObject, isSensitive, type Json } from "../../model/json.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { lineDiff } from "./line-diff.ts";
import { code, fence, fit, table } from "./markdown.ts";
import { inline, namesOfField, pathText, type ValueNames } from "../value.ts";
import { sanitize } from "../escape.ts";

/** Values that are longer, or have several lines, are shown as a diff of their own. */
const LONGEST_CELL = 80;
/** Room for the fields of one change, so that one resource cannot push the others out. */
const ROOM = 12_000;

/** The fields of a change: a table of the short ones, a diff of each long one; "" for none. */
export function fieldBlocks(change: ShownChange, type: PlanDocument["type"]): string {
  const short = change.fields.filter((field) => !isLong(field));
  const rows = fit(
    short.map((field) => row(change, field)),
    ROOM / 2,
  );
  const diffs = fit(change.fields.filter(isLong).map(diff), ROOM / 2);
  const left = rows.left + diffs.left;
  return [
    ...(rows.kept.length > 0 ? [`${table(headOf(change, type), [])}\n${rows.kept.join("\n")}`] : []),
    ...diffs.kept,
    ...(left > 0 ? [`… and ${plural(left, "more field")}.`] : []),
  ].join("\n\n");
}

function headOf({ action }: ShownChange, type: PlanDocument["type"]): readonly string[] {
  const drift = type === "driftline.drift";
  if (action === "create") return ["field", drift ? "declared" : "value"];
  return drift ? ["field", "live", "declared"] : ["field", "now", "planned"];
}

function row({ action, kind }: ShownChange, { path, prior, planned }: FieldChange): string {
  const names = namesOfField(kind, path);
  const sent = isSensitive(planned) && prior === null;
  const values = [
    sent ? "<i>(not shown by the service)</i>" : cell(prior, names),
    sent ? `${cell(planned, names)}, will be sent` : cell(planned, names),
  ];
  const cells = [code(pathText(path), 120), ...(action === "create" ? [cell(planned, names)] : values)];
  return `| ${cells.join(" | ")} |`;
}

/** What is not a value of the service is not set as one. */
function cell(value: FieldChange["prior"], names: ValueNames): string {
  if (isSensitive(value) || value === null) return `<i>${inline(value)}</i>`;
  return code(inline(value, names), LONGEST_CELL);
}

function isLong({ prior, planned }: FieldChange): boolean {
  return [prior, planned].some(
    (value) => inline(value).length > LONGEST_CELL || (typeof value === "string" && value.includes("\n")),
  );
}

function diff({ path, prior, planned }: FieldChange): string {
  return `${code(pathText(path), 120)}\n\n${fence("diff", lineDiff(lines(prior), lines(planned)))}`;
}

/** A value on as many lines as it takes: text by its own lines, everything else as indented JSON. None for what is not set. */
export function lines(value: Json): readonly string[] {
  if (value === null) return [];
  if (isSensitive(value)) return ["(sensitive)"];
  const text = typeof value === "string" ? value : JSON.stringify(concealed(value), null, 2);
  return text.split(/\r\n|\n/).map(sanitize);
}

function concealed(value: Json): Json {
  if (isSensitive(value)) return "(sensitive)";
  if (Array.isArray(value)) return value.map((item: Json) => concealed(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, concealed(item)]));
}
