/** Sorts rows by creation time, the newest first. If times are equal, the row that was added later comes first. */
export function newestFirst<Item extends { readonly created_at: string }>(rows: readonly Item[]): Item[] {
  return rows.toReversed().toSorted((a, b) => compareTime(b.created_at, a.created_at));
}

/** Compares moments in the service's format. Without the `Z`, a whole second sorts before its fractions. */
function compareTime(a: string, b: string): number {
  const [left, right] = [a.replace(/Z$/, ""), b.replace(/Z$/, "")];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** A value that rows can be sorted by. */
type Sortable = string | number | boolean | null;

/** Compares rows by one column, with nulls last (first if `descending`). */
export function byColumn<Name extends string>(
  column: Name,
  descending: boolean,
): (a: Readonly<Record<Name, Sortable>>, b: Readonly<Record<Name, Sortable>>) => number {
  const direction = descending ? -1 : 1;
  const isTime = column.endsWith("_at");
  return (a, b) => direction * compare(a[column], b[column], isTime);
}

function compare(a: Sortable, b: Sortable, isTime: boolean): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (isTime) return compareTime(String(a), String(b));
  return a < b ? -1 : 1;
}
