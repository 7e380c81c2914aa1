/** The points of several lines side by side, and where they are on an axis. */
import type { CalculatedEffect, EffectPoint } from "../../model/effect.ts";

/** The points of all lines at one time, or with one name. */
export interface AlignedRow {
  readonly at: string;
  /** On the axis: milliseconds, a number, or the place in the order. */
  readonly position: number;
  /** One for each line. Null is a gap; undefined if the line has no such point. */
  readonly values: readonly (number | null | undefined)[];
}

export interface Aligned {
  readonly axis: "time" | "number" | "name";
  readonly rows: readonly AlignedRow[];
}

/** Both sides of each series, one after the other. A side that is not there has no points. */
export function linesOf({ series }: CalculatedEffect): readonly (readonly EffectPoint[])[] {
  return series.flatMap(({ before, after }) => [before?.points ?? [], after?.points ?? []]);
}

/** A name that a line has twice is two rows. Times and numbers that ascend in all lines are ordered. */
export function align(lines: readonly (readonly EffectPoint[])[]): Aligned {
  const axis = (
    [
      ["time", timeOf],
      ["number", numberOf],
    ] as const
  ).find(([, positionOf]) => lines.every((line) => isAscending(line.map(({ at }) => positionOf(at)))));
  const rows = mergedRows(lines).map((row, index) => ({ ...row, position: axis?.[1](row.at) ?? index }));
  return { axis: axis?.[0] ?? "name", rows: rows.toSorted((a, b) => a.position - b.position) };
}

/** Rows in an order that is that of all lines, as far as they agree: a step that is new stands behind the one before it. */
function mergedRows(lines: readonly (readonly EffectPoint[])[]): readonly Omit<AlignedRow, "position">[] {
  const rows = new Map<string, { readonly at: string; readonly values: (number | null | undefined)[] }>();
  const next = new Map<string, string | undefined>();
  lines.forEach((line, index) => {
    const seen = new Map<string, number>();
    let last = "";
    for (const { at, value } of line) {
      seen.set(at, (seen.get(at) ?? 0) + 1);
      const key = `${String(seen.get(at))} ${at}`;
      if (!rows.has(key)) {
        rows.set(key, { at, values: lines.map(() => undefined) });
        next.set(key, next.get(last));
        next.set(last, key);
      }
      const row = rows.get(key);
      if (row !== undefined) row.values[index] = value;
      last = key;
    }
  });
  const ordered = [];
  for (let key = next.get(""); key !== undefined; key = next.get(key)) ordered.push(rows.get(key));
  return ordered.filter((row) => row !== undefined);
}

function isAscending(positions: readonly (number | undefined)[]): boolean {
  return positions.every((position, index) => {
    const before = index === 0 ? -Infinity : positions[index - 1];
    return position !== undefined && before !== undefined && position > before;
  });
}

/** Times are those of one time zone, so they are laid out as if that was UTC: no day of the chart is longer than another. */
function timeOf(at: string): number | undefined {
  const [, day, time = "00:00"] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?)?$/.exec(at) ?? [];
  const ms = day === undefined ? Number.NaN : Date.parse(`${day}T${time}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

function numberOf(at: string): number | undefined {
  return /^-?\d+(?:\.\d+)?$/.test(at) ? Number(at) : undefined;
}
