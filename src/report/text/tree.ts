import type { Json } from "../../model/json.ts";
import { columnOf } from "../layout.ts";
import { cut } from "../escape.ts";
import { inline, keyText, membersOf } from "../value.ts";
import { plural } from "../phrases.ts";

/** How many lines one field of a created resource is spread over. */
const MOST_LINES = 14;
/** A value gets no less room than this, however deep it stands. */
const LEAST_VALUE_ROOM = 30;

/** A value below its label, as YAML would show it: one line per member, values of one object in one column. */
export function valueLines(label: string, value: Json, width: number): readonly string[] {
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
  const column = columnOf(rows.filter(({ nested }) => !nested).map(({ label }) => label)) + 2;
  return rows.flatMap(({ label, item, nested }) => {
    if (nested) return [`${indent}${label}:`, ...memberLines(item, depth + 1, width)];
    const lead = `${indent}${`${label}: `.padEnd(column)}`;
    return [`${lead}${cut(inline(item), Math.max(LEAST_VALUE_ROOM, width - lead.length))}`];
  });
}
