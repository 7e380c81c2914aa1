import type { Journal } from "./journal.ts";
import type { JsonObject } from "../json.ts";
import type { Store } from "./store.ts";

/** An identifier of the service: a UUID, or an integer for insights, plugins, users and teams. */
export type Id = string | number;

/** The fields of every stored row. */
export interface Row {
  readonly id: Id;
  /** Values of computed fields that were set from outside. They replace the computed values. */
  readonly overrides?: JsonObject;
}

/** Rows of one kind, by id and by scope, both in order of insertion. */
export interface Table<Item extends Row> {
  get(id: Id): Item | undefined;
  put(row: Item): Item;
  remove(id: Id): boolean;
  all(): readonly Item[];
  /** Lists the rows of one scope, for example the domains of an organization. */
  within(scope: Id): readonly Item[];
}

/** An object that has a store. */
export interface HasStore {
  readonly store: Store;
}

/** A table whose rows have any shape. */
export interface AnyTable {
  get(id: Id): Row | undefined;
  /** Stores a row. The caller must pass a row of this table's type. */
  put(row: Row): Row;
  remove(id: Id): boolean;
  all(): readonly Row[];
  within(scope: Id): readonly Row[];
}

/**
 * Defines a table. Each store has its own instance, which is created on first use.
 * @param scopeOf returns the scope of a row, which must never change
 */
export function defineTable<Item extends Row>(scopeOf: (row: Item) => Id): (at: HasStore) => Table<Item> {
  const tables = new WeakMap<Store, Table<Item>>();
  return ({ store }) => {
    const known = tables.get(store);
    if (known !== undefined) return known;
    const table = createTable(store.journal, scopeOf);
    tables.set(store, table);
    return table;
  };
}

/** Rows by id, and the same rows as a list. The list is built on demand and kept until a row changes. */
interface RowIndex<Item> {
  readonly rows: Map<Id, Item>;
  list: readonly Item[] | undefined;
}

/** Creates an empty table. */
function createTable<Item extends Row>(journal: Journal, scopeOf: (row: Item) => Id): Table<Item> {
  const all: RowIndex<Item> = { rows: new Map(), list: undefined };
  const scopes = new Map<Id, RowIndex<Item>>();

  function set(row: Item): void {
    const scope = scopeOf(row);
    const index = scopes.get(scope) ?? { rows: new Map<Id, Item>(), list: undefined };
    scopes.set(scope, index);
    for (const { rows } of invalidated(all, index)) rows.set(row.id, row);
  }
  function drop(row: Item): void {
    for (const { rows } of invalidated(all, scopes.get(scopeOf(row)))) rows.delete(row.id);
  }

  return {
    get: (id) => all.rows.get(id),
    put(row) {
      const previous = all.rows.get(row.id);
      set(row);
      journal.record(
        () => (previous === undefined ? drop(row) : set(previous)),
        () => set(row),
      );
      return row;
    },
    remove(id) {
      const row = all.rows.get(id);
      if (row === undefined) return false;
      drop(row);
      journal.record(
        () => set(row),
        () => drop(row),
      );
      return true;
    },
    all: () => rowList(all),
    within(scope) {
      const index = scopes.get(scope);
      return index === undefined ? [] : rowList(index);
    },
  };
}

function invalidated<Item>(...indexes: readonly (RowIndex<Item> | undefined)[]): readonly RowIndex<Item>[] {
  return indexes.filter((index) => {
    if (index !== undefined) index.list = undefined;
    return index !== undefined;
  });
}

/** Returns the rows as a list. A returned list is never modified: the next change creates a new one. */
function rowList<Item>(index: RowIndex<Item>): readonly Item[] {
  index.list ??= [...index.rows.values()];
  return index.list;
}
