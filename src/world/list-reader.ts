/**
 * Reads the lists of a world, each once for all kinds that need it, or a few objects of a long list by their ids. Which: see
 * src/plan/lists-to-read.ts.
 */
import type { Client } from "../api/client.ts";
import type { List } from "../api/lists/read-list.ts";
import { FULL_VIEW } from "../api/operations/server-quirks.ts";
import type { Assembly, Rows } from "../kinds/kind.ts";
import { type ListReadStats, readKey, type RowsRead } from "../kinds/world.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import { takenFields } from "../kinds/varying-fields.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import {
  type PlannedRead,
  type LiveList,
  type LiveObject,
  type LiveScope,
  type ScopePath,
  scopePathAt,
} from "../model/live.ts";
import { createListMemo, type ListMemo } from "./list-memo.ts";
import { readObject } from "./read-object.ts";
import { trimObject } from "./trim.ts";

/** One kind to be listed in one scope, and what else the reader wants of the list. */
export interface Listing extends PlannedRead {
  /** How many rows are requested at once; if absent, the client decides. The full form of a list has a size of its own. */
  readonly pageSize?: number | undefined;
  /** Set if the ids of the scope are declared, so that they may be mistyped. */
  readonly hasGivenIds?: boolean;
  /** Receives the rows that the objects are made from. */
  readonly onRows?: OnRows | undefined;
}

/** Receives the rows of each list operation, once they are proven complete. */
export type OnRows = (rows: Rows) => void;

/** Objects, and the fields of theirs that not every service takes. */
type ListedObjects = Pick<LiveList & { readonly status: "known" }, "objects" | "taken" | "isPart">;

/** Reads lists, each once for all kinds that need it. */
export class ListReader {
  readonly stats: ListReadStats[] = [];
  readonly #client: Client;
  readonly #lists: ListMemo;
  readonly #scopes: ReadonlyMap<string, LiveScope>;
  /** The kinds that need a request, by `readKey`. */
  readonly #users = new Map<string, readonly Listing[]>();

  constructor(client: Client, scopes: ReadonlyMap<string, LiveScope>, listings: readonly Listing[]) {
    this.#client = client;
    this.#lists = createListMemo({
      list: async (operation, path, query = {}) => {
        const list = await client.list(operation, path, query);
        this.#recordStats({ what: "rows", operation, path, query }, list, false);
        return list;
      },
    });
    this.#scopes = scopes;
    for (const listing of listings)
      for (const list of listRequests(listing, scopePathAt(scopes, listing.scope)))
        this.#users.set(readKey(list), [...this.#usersOf(list), listing]);
  }

  /** Returns the objects of a listing, and what their rows show about the service. @throws ApiError */
  async read(listing: Listing): Promise<ListedObjects> {
    const { scope, kind, onRows } = listing;
    const byId = await readObjectsById(this.#client, this.#scopes, listing);
    if (byId !== undefined) {
      this.stats.push(byId.stats);
      return { ...withTaken(kind, byId.objects), isPart: true };
    }
    const path = scopePathAt(this.#scopes, scope);
    const requests = listRequests(listing, path);
    const [only] = requests;
    const isShared = requests.length > 1 || only === undefined || this.#usersOf(only).length > 1;
    if (!isShared && onRows === undefined) return this.#reducedByPage(listing, only);
    const rows = await readWhole(this.#lists, requests);
    onRows?.(rows);
    return assembled(kind, { scope, path, rows });
  }

  /** Converts each page when it arrives, so that a long list is never in memory as rows. */
  async #reducedByPage(listing: Listing, request: RowsRead): Promise<ListedObjects> {
    const { operation, path, query = {} } = request;
    const taken = new Set<string>();
    const list = await this.#client.listReduced(operation, path, query, trimPage(listing, request, taken));
    this.#recordStats(request, list, listing.lookupKeys !== undefined);
    return list.rows.length === 0 ? { objects: [] } : { objects: list.rows, taken };
  }

  #usersOf(request: RowsRead): readonly Listing[] {
    return this.#users.get(readKey(request)) ?? [];
  }

  #recordStats(request: RowsRead, { rows, pages }: List<unknown>, isTrimmed: boolean): void {
    const users = this.#usersOf(request);
    const [{ scope } = { scope: "" }] = users;
    const { operation } = request;
    this.stats.push({ scope, operation, kinds: users.map(({ kind }) => kind), pages, rows: rows.length, isTrimmed });
  }
}

/** The rows of whole lists. @throws ApiError if one of them cannot be read completely */
export async function readWhole(lists: ListMemo, requests: readonly RowsRead[]): Promise<Rows> {
  const read = requests.map(async ({ operation, path, query }) => {
    const { rows } = await lists.list(operation, path, query);
    return [operation, rows] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}

/** The objects of whole lists, and what their rows show about the service. */
export function assembled(kind: KindName, assembly: Assembly): ListedObjects {
  return withTaken(kind, kinds[kind].lists.assemble(assembly));
}

/** Placeholders are rows of another list, so they show nothing about this one. */
function withTaken(kind: KindName, objects: readonly LiveObject[]): ListedObjects {
  if (objects.every(({ state }) => state === "placeholder")) return { objects };
  return { objects, taken: new Set(takenFields(kind, objects)) };
}

/**
 * Returns a function that converts a page to objects and trims those that no resource can match.
 *
 * @param taken receives the fields that the service takes
 */
function trimPage(
  { scope, kind, lookupKeys }: Listing,
  { operation, path }: RowsRead,
  taken: Set<string>,
): (page: readonly JsonObject[]) => readonly LiveObject[] {
  return (page) => {
    const objects = kinds[kind].lists.assemble({ scope, path, rows: { [operation]: page } });
    for (const field of takenFields(kind, objects)) taken.add(field);
    return lookupKeys === undefined ? objects : objects.map((live) => trimObject(live, lookupKeys));
  };
}

/**
 * Reads the objects of a listing by their ids. Returns undefined if one is not found: only a list proves that it is
 * absent.
 */
async function readObjectsById(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  { scope, kind, ids }: Listing,
): Promise<{ readonly objects: readonly LiveObject[]; readonly stats: ListReadStats } | undefined> {
  const [operation] = kinds[kind].lists.operations(scopeType(scope));
  if (ids === undefined || operation === undefined) return undefined;
  const path = scopePathAt(scopes, scope);
  const read = await Promise.all(ids.map((id) => readObject(client, { kind, scope, id }, path)));
  const objects = read.filter((live) => live !== undefined);
  if (objects.length < ids.length) return undefined;
  return { objects, stats: { scope, operation, kinds: [kind], pages: 0, rows: ids.length, isTrimmed: false } };
}

/** The lists of the service that a kind in a scope is made of. @param path the ids of the scope */
export function listRequests(
  { scope, kind, isFull, pageSize }: Pick<Listing, "scope" | "kind" | "isFull" | "pageSize">,
  path: ScopePath,
): readonly RowsRead[] {
  const paged = pageSize === undefined ? {} : { limit: pageSize };
  const query = isFull ? FULL_VIEW : paged;
  return kinds[kind].lists.operations(scopeType(scope)).map((operation) => ({ what: "rows", operation, path, query }));
}
