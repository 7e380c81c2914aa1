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
 * The order of a deployed server's list. By default it is the column `order`, mostly null, and nothing breaks the tie:
 * such rows come differently with every request, so pages overlap and miss some. Any other column is stable.
 * @throws ApiError 500 for an unknown column
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

/** The items in an order that looks arbitrary, is the same for the same serial, and differs between serials. */
export function shuffled<Item>(items: readonly Item[], key: (item: Item) => string, serial: number): Item[] {
  const ranked = items.map((item) => ({ item, rank: hash(`${serial}/${key(item)}`) }));
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ item }) => item);
}

/** FNV-1a with a final mix, so that neighbouring keys do not stay neighbours. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) >>> 0;
}
