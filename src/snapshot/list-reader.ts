import type { Client, Query } from "../api/client.ts";
import type { OperationName } from "../api/operations/index.ts";
import { FULL_VIEW } from "../api/operations/server-quirks.ts";
import type { List } from "../api/lists/read-list.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject, LiveScope, ScopePath } from "../model/live.ts";
import { readObject } from "./read-object.ts";
import { trimObject } from "./trim.ts";
import type { Listing } from "./snapshot.ts";

/** Reads the lists of the service. A list that several kinds need is read once. */
export interface ListReader {
  /** The objects of one kind in one scope. @throws ApiError */
  readonly read: (listing: Listing) => Promise<readonly LiveObject[]>;
  /** Reports how the lists were read so far. */
  readonly stats: () => readonly ListReadStats[];
}

/** How a list was read. */
export interface ListReadStats {
  readonly scope: string;
  readonly operation: OperationName;
  /** The kinds that needed the list. */
  readonly kinds: readonly KindName[];
  readonly pages: number;
  readonly rows: number;
  /** Whether objects that no resource can match were reduced to their identity. */
  readonly trimmed: boolean;
}

/** One list of the service: an operation, and the scope and query that it is called with. */
interface ListRequest {
  readonly operation: OperationName;
  readonly path: ScopePath;
  readonly query: Query;
}

export function createListReader(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
): ListReader {
  const requests = new Map(listings.map((listing) => [listing, listRequests(scopes, listing)]));
  const users = new Map<string, KindName[]>();
  for (const [{ kind }, lists] of requests)
    for (const list of lists) users.set(requestKey(list), [...(users.get(requestKey(list)) ?? []), kind]);
  const shared = new Map<string, Promise<readonly JsonObject[]>>();
  const stats: ListReadStats[] = [];
  const recordStats = <T>(
    scope: string,
    request: ListRequest,
    { rows, pages }: List<T>,
    trimmed: boolean,
  ): readonly T[] => {
    const { operation } = request;
    stats.push({ scope, operation, kinds: users.get(requestKey(request)) ?? [], pages, rows: rows.length, trimmed });
    return rows;
  };
  const readRows = (scope: string, request: ListRequest): Promise<readonly JsonObject[]> => {
    const key = requestKey(request);
    const { operation, path, query } = request;
    const rows =
      shared.get(key) ?? client.list(operation, path, query).then((list) => recordStats(scope, request, list, false));
    shared.set(key, rows);
    return rows;
  };
  return {
    stats: () => stats,
    read: async (listing) => {
      const byId = await readObjectsById(client, scopes, listing);
      if (byId !== undefined) {
        stats.push(byId.stats);
        return byId.objects;
      }
      const lists = requests.get(listing) ?? [];
      const [only] = lists;
      const isUnshared = lists.length === 1 && only !== undefined && users.get(requestKey(only))?.length === 1;
      if (isUnshared && listing.onRows === undefined) {
        const { operation, path, query } = only;
        const list = await client.listReduced(operation, path, query, trimPage(listing, only));
        return recordStats(listing.scope, only, list, listing.lookupKeys !== undefined);
      }
      const rows = await Promise.all(
        lists.map(async (list) => [list.operation, await readRows(listing.scope, list)] as const),
      );
      const path = lists[0]?.path ?? {};
      const byOperation = Object.fromEntries(rows);
      listing.onRows?.(byOperation);
      return kinds[listing.kind].assemble({ scope: listing.scope, path, rows: byOperation });
    },
  };
}

/** Returns a function that converts a page to objects and trims those that no resource can match. */
function trimPage({ scope, kind, lookupKeys }: Listing, { operation, path }: ListRequest) {
  return (page: readonly JsonObject[]): readonly LiveObject[] => {
    const objects = kinds[kind].assemble({ scope, path, rows: { [operation]: page } });
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
  const [operation] = kinds[kind].lists(scopeType(scope));
  if (ids === undefined || operation === undefined) return undefined;
  const path = pathOf(scopes, scope);
  const read = await Promise.all(ids.map((id) => readObject(client, { kind, scope, id }, path)));
  const objects = read.filter((live) => live !== undefined);
  if (objects.length < ids.length) return undefined;
  return { objects, stats: { scope, operation, kinds: [kind], pages: 0, rows: ids.length, trimmed: false } };
}

function pathOf(scopes: ReadonlyMap<string, LiveScope>, scope: string): ScopePath {
  const live = scopes.get(scope);
  return live?.status === "known" ? live.path : {};
}

function listRequests(scopes: ReadonlyMap<string, LiveScope>, listing: Listing): readonly ListRequest[] {
  const { scope, kind, full, pageSize } = listing;
  const path = pathOf(scopes, scope);
  const paged = pageSize === undefined ? {} : { limit: pageSize };
  const query = full ? FULL_VIEW : paged;
  return kinds[kind].lists(scopeType(scope)).map((operation) => ({ operation, path, query }));
}

function requestKey({ operation, path, query }: ListRequest): string {
  return JSON.stringify([operation, path, query]);
}
