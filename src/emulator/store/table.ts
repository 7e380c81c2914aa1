import type { Journal } from "./journal.ts";
import type { JsonObject } from "../json.ts";
import type { Store } from "./store.ts";

/** An identifier as the service gives it: a UUID, or an integer for insights, plugins, users and teams. */
export type Id = string | number;

/** What every stored row has. */
export interface Row {
  readonly id: Id;
  /** Values that an out-of-band edit forced upon computed fields; they win over what would be rendered. */
  readonly overrides?: JsonObject;
}

/** Rows of one kind, by id and by the scope they live in, both in order of insertion. */
export interface Table<Item extends Row> {
  get(id: Id): Item | undefined;
  put(row: Item): Item;
  remove(id: Id): boolean;
  all(): readonly Item[];
  /** The rows of one scope, for example the domains of an organization. */
  within(scope: Id): readonly Item[];
}

/** Anything that a store can be reached from. */
export interface HasStore {
  readonly store: Store;
}

/** A table whose rows have any shape. */
export interface AnyTable {
  get(id: Id): Row | undefined;
  /** Puts a row back into its own table. The caller answers for the fields of the row. */
  put(row: Row): Row;
  remove(id: Id): boolean;
  all(): readonly Row[];
  within(scope: Id): readonly Row[];
}

/**
 * Defines a table. Each store has one of its own, which is made when it is first asked for.
 * @param scopeOf gives the scope of a row; it has to be constant over the life of a row
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

/** Rows by id, and the same as a list, which is made when it is asked for and kept until something changes. */
interface Shelf<Item> {
  readonly rows: Map<Id, Item>;
  list: readonly Item[] | undefined;
}

/** An empty table. */
function createTable<Item extends Row>(journal: Journal, scopeOf: (row: Item) => Id): Table<Item> {
  const all: Shelf<Item> = { rows: new Map(), list: undefined };
  const scopes = new Map<Id, Shelf<Item>>();

  function set(row: Item): void {
    const scope = scopeOf(row);
    const shelf = scopes.get(scope) ?? { rows: new Map<Id, Item>(), list: undefined };
    scopes.set(scope, shelf);
    for (const { rows } of touched(all, shelf)) rows.set(row.id, row);
  }
  function drop(row: Item): void {
    for (const { rows } of touched(all, scopes.get(scopeOf(row)))) rows.delete(row.id);
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
    all: () => listOf(all),
    within(scope) {
      const shelf = scopes.get(scope);
      return shelf === undefined ? [] : listOf(shelf);
    },
  };
}

function touched<Item>(...shelves: readonly (Shelf<Item> | undefined)[]): readonly Shelf<Item>[] {
  return shelves.filter((shelf) => {
    if (shelf !== undefined) shelf.list = undefined;
    return shelf !== undefined;
  });
}

/** The list that was handed out stays as it is: a later change makes a new one. */
function listOf<Item>(shelf: Shelf<Item>): readonly Item[] {
  shelf.list ??= [...shelf.rows.values()];
  return shelf.list;
}
