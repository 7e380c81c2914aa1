import type { Client } from "../api/client.ts";
import type { OperationName } from "../api/operations/index.ts";
import type { List } from "../api/lists/read-list.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject, LiveScope, ScopePath } from "../model/live.ts";
import { readObject } from "./read-object.ts";
import { trimObject } from "./trim.ts";
import type { Listing } from "./snapshot.ts";

/** The lists of the service: each is read once, whoever needs it. */
export interface ListReader {
  /** The objects of one kind in one scope. @throws ApiError */
  readonly read: (listing: Listing) => Promise<readonly LiveObject[]>;
  /** What was read so far. */
  readonly notes: () => readonly ListReadStats[];
}

/** How a list was read. */
export interface ListReadStats {
  readonly scope: string;
  readonly operation: OperationName;
  /** Which kinds needed it. */
  readonly kinds: readonly KindName[];
  readonly pages: number;
  readonly rows: number;
  /** Whether objects that nobody looks for were kept as nothing but who they are. */
  readonly trimmed: boolean;
}

/** One list of the service: an operation on one scope. */
interface ListRequest {
  readonly operation: OperationName;
  readonly path: ScopePath;
  readonly query: Readonly<Record<string, boolean>>;
}

export function createListReader(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
): ListReader {
  const wanted = new Map(listings.map((listing) => [listing, listRequests(scopes, listing)]));
  const users = new Map<string, KindName[]>();
  for (const [{ kind }, lists] of wanted)
    for (const list of lists) users.set(requestKey(list), [...(users.get(requestKey(list)) ?? []), kind]);
  const shared = new Map<string, Promise<readonly JsonObject[]>>();
  const notes: ListReadStats[] = [];
  const noted = <T>(
    scope: string,
    wantedList: ListRequest,
    { rows, pages }: List<T>,
    trimmed: boolean,
  ): readonly T[] => {
    const { operation } = wantedList;
    notes.push({
      scope,
      operation,
      kinds: users.get(requestKey(wantedList)) ?? [],
      pages,
      rows: rows.length,
      trimmed: trimmed,
    });
    return rows;
  };
  const rowsOf = (scope: string, list: ListRequest): Promise<readonly JsonObject[]> => {
    const key = requestKey(list);
    const { operation, path, query } = list;
    const found =
      shared.get(key) ?? client.list(operation, path, query).then((whole) => noted(scope, list, whole, false));
    shared.set(key, found);
    return found;
  };
  return {
    notes: () => notes,
    read: async (listing) => {
      const singly = await readById(client, scopes, listing);
      if (singly !== undefined) {
        notes.push(singly.note);
        return singly.objects;
      }
      const lists = wanted.get(listing) ?? [];
      const [only] = lists;
      const isAlone = lists.length === 1 && only !== undefined && users.get(requestKey(only))?.length === 1;
      if (isAlone && listing.lookupKeys !== undefined) {
        const { operation, path, query } = only;
        const list = await client.listReduced(operation, path, query, trimPage(listing, only));
        return noted(listing.scope, only, list, true);
      }
      const rows = await Promise.all(
        lists.map(async (list) => [list.operation, await rowsOf(listing.scope, list)] as const),
      );
      const path = lists[0]?.path ?? {};
      const byOperation = Object.fromEntries(rows);
      listing.onRows?.(byOperation);
      return kinds[listing.kind].assemble({ scope: listing.scope, path, rows: byOperation });
    },
  };
}

/** Makes objects out of a page, as all rows of its list are objects of one kind, and keeps whole what is looked for. */
function trimPage({ scope, kind, lookupKeys }: Listing, { operation, path }: ListRequest) {
  return (page: readonly JsonObject[]): readonly LiveObject[] => {
    const objects = kinds[kind].assemble({ scope, path, rows: { [operation]: page } });
    return lookupKeys === undefined ? objects : objects.map((live) => trimObject(live, lookupKeys));
  };
}

/** The objects with the ids of a listing; nothing where one is not found, as only a list can tell that it is not there. */
async function readById(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  { scope, kind, ids }: Listing,
): Promise<{ readonly objects: readonly LiveObject[]; readonly note: ListReadStats } | undefined> {
  const [operation] = kinds[kind].lists(scopeType(scope));
  if (ids === undefined || operation === undefined) return undefined;
  const path = pathOf(scopes, scope);
  const read = await Promise.all(ids.map((id) => readObject(client, { kind, scope, id }, path)));
  const objects = read.filter((live) => live !== undefined);
  if (objects.length < ids.length) return undefined;
  const note = {
    scope,
    operation,
    kinds: [kind],
    pages: 0,
    rows: ids.length,
    trimmed: false,
  };
  return { objects, note };
}

function pathOf(scopes: ReadonlyMap<string, LiveScope>, scope: string): ScopePath {
  const found = scopes.get(scope);
  return found?.status === "known" ? found.path : {};
}

function listRequests(scopes: ReadonlyMap<string, LiveScope>, { scope, kind, full }: Listing): readonly ListRequest[] {
  const path = pathOf(scopes, scope);
  return kinds[kind].lists(scopeType(scope)).map((operation) => ({
    operation,
    path,
    query: full ? { basic: false } : {},
  }));
}

function requestKey({ operation, path, query }: ListRequest): string {
  return JSON.stringify([operation, path, query]);
}
