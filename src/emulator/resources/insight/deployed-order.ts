import { byColumn } from "../../store/order.ts";
import { memoized } from "../../store/memo.ts";
import { serverError } from "../../http/errors.ts";
import type { Insight } from "./record.ts";

const COLUMNS = [
  "id",
  "short_id",
  "name",
  "derived_name",
  "order",
  "deleted",
  "created_at",
  "description",
  "updated_at",
  "favorited",
  "saved",
  "last_modified_at",
  "is_sample",
] as const;

/**
 * Sorts a list like deployed servers. The default column is `order`, which is mostly null and has no tie-breaker. The
 * order of such rows changes with every request, so pages overlap and miss rows. The order by any other column is
 * stable.
 * @throws ApiError 500 if the column does not exist
 */
export function deployedOrder(rows: readonly Insight[], order: string | null, serial: number): readonly Insight[] {
  const name = (order ?? "order").replace(/^-/, "");
  const column = COLUMNS.find((known) => known === name);
  if (column === undefined) throw serverError();
  if (column !== "order") return byStableColumn(rows, order ?? "");
  const base = shuffled(rows, (row) => String(row.id), serial);
  return base.toSorted(byColumn(column, order?.startsWith("-") === true));
}

const byStableColumn = memoized((rows: readonly Insight[], order: string): readonly Insight[] => {
  const column = COLUMNS.find((known) => known === order.replace(/^-/, "")) ?? "id";
  return rows.toSorted(byColumn(column, order.startsWith("-")));
});

/** Shuffles items. The order depends only on the keys and the serial. */
export function shuffled<Item>(items: readonly Item[], key: (item: Item) => string, serial: number): Item[] {
  const ranked = items.map((item) => ({ item, rank: hash(`${serial}/${key(item)}`) }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

/** FNV-1a with a final mix, which separates neighbouring keys. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
