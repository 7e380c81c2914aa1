import type { Journal } from "./journal.ts";
import type { JsonObject } from "../json.ts";

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

/** An empty table. `scopeOf` has to be constant over the life of a row. */
export function createTable<Item extends Row>(journal: Journal, scopeOf: (row: Item) => Id): Table<Item> {
  const rows = new Map<Id, Item>();
  const scopes = new Map<Id, Map<Id, Item>>();

  function set(row: Item): void {
    rows.set(row.id, row);
    const scope = scopeOf(row);
    const members = scopes.get(scope) ?? new Map<Id, Item>();
    members.set(row.id, row);
    scopes.set(scope, members);
  }
  function drop(row: Item): void {
    rows.delete(row.id);
    scopes.get(scopeOf(row))?.delete(row.id);
  }

  return {
    get: (id) => rows.get(id),
    put(row) {
      const previous = rows.get(row.id);
      set(row);
      journal.record(
        () => (previous === undefined ? drop(row) : set(previous)),
        () => set(row),
      );
      return row;
    },
    remove(id) {
      const row = rows.get(id);
      if (row === undefined) return false;
      drop(row);
      journal.record(
        () => set(row),
        () => drop(row),
      );
      return true;
    },
    all: () => [...rows.values()],
    within: (scope) => [...(scopes.get(scope)?.values() ?? [])],
  };
}
