/**
 * Reads the lists of a snapshot, each once for all kinds that need it, or a few objects of a long list by their ids. Which: see
 * src/plan/lists-to-read.ts.
 */
import type { Client, Query } from "../api/client.ts";
import type { List } from "../api/lists/read-list.ts";
import type { OperationName } from "../api/operations/index.ts";
import { FULL_VIEW } from "../api/operations/server-quirks.ts";
import type { Rows } from "../kinds/kind.ts";
import type { ListReadStats } from "../kinds/world.ts";
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

/** One list of the service: an operation, and the scope and query that it is called with. */
interface ListRequest {
  readonly operation: OperationName;
  readonly path: ScopePath;
  readonly query: Query;
}

/** Objects, and the fields of theirs that not every service takes. */
type ListedObjects = Pick<LiveList & { readonly status: "known" }, "objects" | "taken">;

/** Reads lists, each once for all kinds that need it. */
export class ListReader {
  readonly stats: ListReadStats[] = [];
  readonly #client: Client;
  readonly #scopes: ReadonlyMap<string, LiveScope>;
  /** The kinds that need a request, by `requestKey`. */
  readonly #users = new Map<string, KindName[]>();
  /** By `requestKey`. */
  readonly #shared = new Map<string, Promise<readonly JsonObject[]>>();

  constructor(client: Client, scopes: ReadonlyMap<string, LiveScope>, listings: readonly Listing[]) {
    this.#client = client;
    this.#scopes = scopes;
    for (const listing of listings)
      for (const list of listRequests(scopes, listing))
        this.#users.set(requestKey(list), [...this.#usersOf(list), listing.kind]);
  }

  /** Returns the objects of a listing, and what their rows show about the service. @throws ApiError */
  async read(listing: Listing): Promise<ListedObjects> {
    const byId = await readObjectsById(this.#client, this.#scopes, listing);
    if (byId !== undefined) {
      this.stats.push(byId.stats);
      return withTaken(listing.kind, byId.objects);
    }
    const lists = listRequests(this.#scopes, listing);
    const [only] = lists;
    const isShared = lists.length > 1 || only === undefined || this.#usersOf(only).length > 1;
    return isShared || listing.onRows !== undefined
      ? this.#assembled(listing, lists)
      : this.#reducedByPage(listing, only);
  }

  /** Converts each page when it arrives, so that a long list is never in memory as rows. */
  async #reducedByPage(listing: Listing, request: ListRequest): Promise<ListedObjects> {
    const { operation, path, query } = request;
    const taken = new Set<string>();
    const list = await this.#client.listReduced(operation, path, query, trimPage(listing, request, taken));
    const trimmed = listing.lookupKeys !== undefined;
    const objects = this.#recordStats(listing.scope, request, { ...list, trimmed });
    return objects.length === 0 ? { objects } : { objects, taken };
  }

  /** Makes the objects from the whole lists, which other kinds need as well. */
  async #assembled({ scope, kind, onRows }: Listing, lists: readonly ListRequest[]): Promise<ListedObjects> {
    const entries = await Promise.all(
      lists.map(async (list) => [list.operation, await this.#rows(scope, list)] as const),
    );
    const rows = Object.fromEntries(entries);
    onRows?.(rows);
    return withTaken(kind, kinds[kind].lists.assemble({ scope, path: scopePathAt(this.#scopes, scope), rows }));
  }

  #rows(scope: string, request: ListRequest): Promise<readonly JsonObject[]> {
    const key = requestKey(request);
    const { operation, path, query } = request;
    const rows =
      this.#shared.get(key) ??
      this.#client
        .list(operation, path, query)
        .then((list) => this.#recordStats(scope, request, { ...list, trimmed: false }));
    this.#shared.set(key, rows);
    return rows;
  }

  #usersOf(request: ListRequest): readonly KindName[] {
    return this.#users.get(requestKey(request)) ?? [];
  }

  #recordStats<T>(
    scope: string,
    request: ListRequest,
    { rows, pages, trimmed }: List<T> & { readonly trimmed: boolean },
  ): readonly T[] {
    const { operation } = request;
    this.stats.push({ scope, operation, kinds: this.#usersOf(request), pages, rows: rows.length, trimmed });
    return rows;
  }
}

/** Placeholders are rows of another list, so they show nothing about this one. */
export function withTaken(kind: KindName, objects: readonly LiveObject[]): ListedObjects {
  if (objects.every(({ state }) => state === "placeholder")) return { objects };
  return { objects, taken: new Set(takenFields(kind, objects)) };
}

/**
 * Returns a function that converts a page to objects and trims those that no resource can match.
 *
 * @param taken receives the fields that the service takes
 */
function trimPage({ scope, kind, lookupKeys }: Listing, { operation, path }: ListRequest, taken: Set<string>) {
  return (page: readonly JsonObject[]): readonly LiveObject[] => {
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
  return { objects, stats: { scope, operation, kinds: [kind], pages: 0, rows: ids.length, trimmed: false } };
}

function listRequests(scopes: ReadonlyMap<string, LiveScope>, listing: Listing): readonly ListRequest[] {
  const { scope, kind, full, pageSize } = listing;
  const path = scopePathAt(scopes, scope);
  const paged = pageSize === undefined ? {} : { limit: pageSize };
  const query = full ? FULL_VIEW : paged;
  return kinds[kind].lists.operations(scopeType(scope)).map((operation) => ({ operation, path, query }));
}

function requestKey({ operation, path, query }: ListRequest): string {
  return JSON.stringify([operation, path, query]);
}
