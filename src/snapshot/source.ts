import type { Client } from "../api/client.ts";
import type { OperationName } from "../api/operations/index.ts";
import type { List } from "../api/pagination.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject, LiveScope, ScopePath } from "../model/live.ts";
import { lookUp } from "./one.ts";
import { reduceObject } from "./reduce.ts";
import type { Listing } from "./snapshot.ts";

/** The lists of the service: each is read once, whoever needs it. */
export interface Source {
  /** The objects of one kind in one scope. @throws ApiError */
  readonly read: (listing: Listing) => Promise<readonly LiveObject[]>;
  /** What was read so far. */
  readonly notes: () => readonly ReadNote[];
}

/** How a list was read. */
export interface ReadNote {
  readonly scope: string;
  readonly operation: OperationName;
  /** Which kinds needed it. */
  readonly kinds: readonly KindName[];
  readonly pages: number;
  readonly rows: number;
  /** Whether objects that nobody looks for were kept as nothing but who they are. */
  readonly reduced: boolean;
}

/** One list of the service: an operation on one scope. */
interface Wanted {
  readonly operation: OperationName;
  readonly path: ScopePath;
  readonly query: Readonly<Record<string, boolean>>;
}

export function createSource(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
): Source {
  const wanted = new Map(listings.map((listing) => [listing, listsOf(scopes, listing)]));
  const users = new Map<string, KindName[]>();
  for (const [{ kind }, lists] of wanted)
    for (const list of lists) users.set(keyOf(list), [...(users.get(keyOf(list)) ?? []), kind]);
  const shared = new Map<string, Promise<readonly JsonObject[]>>();
  const notes: ReadNote[] = [];
  const noted = <T>(scope: string, wantedList: Wanted, { rows, pages }: List<T>, reduced: boolean): readonly T[] => {
    const { operation } = wantedList;
    notes.push({ scope, operation, kinds: users.get(keyOf(wantedList)) ?? [], pages, rows: rows.length, reduced });
    return rows;
  };
  const rowsOf = (scope: string, list: Wanted): Promise<readonly JsonObject[]> => {
    const key = keyOf(list);
    const { operation, path, query } = list;
    const found =
      shared.get(key) ?? client.list(operation, path, query).then((whole) => noted(scope, list, whole, false));
    shared.set(key, found);
    return found;
  };
  return {
    notes: () => notes,
    read: async (listing) => {
      const singly = await readSingly(client, scopes, listing);
      if (singly !== undefined) {
        notes.push(singly.note);
        return singly.objects;
      }
      const lists = wanted.get(listing) ?? [];
      const [only] = lists;
      const isAlone = lists.length === 1 && only !== undefined && users.get(keyOf(only))?.length === 1;
      if (isAlone && listing.sought !== undefined) {
        const { operation, path, query } = only;
        const list = await client.listReduced(operation, path, query, reducer(listing, only));
        return noted(listing.scope, only, list, true);
      }
      const rows = await Promise.all(
        lists.map(async (list) => [list.operation, await rowsOf(listing.scope, list)] as const),
      );
      const path = lists[0]?.path ?? {};
      const byOperation = Object.fromEntries(rows);
      listing.seen?.(byOperation);
      return kinds[listing.kind].assemble({ scope: listing.scope, path, rows: byOperation });
    },
  };
}

/** Makes objects out of a page, as all rows of its list are objects of one kind, and keeps whole what is looked for. */
function reducer({ scope, kind, sought }: Listing, { operation, path }: Wanted) {
  return (page: readonly JsonObject[]): readonly LiveObject[] => {
    const objects = kinds[kind].assemble({ scope, path, rows: { [operation]: page } });
    return sought === undefined ? objects : objects.map((live) => reduceObject(live, sought));
  };
}

/** The objects with the ids of a listing; nothing where one is not found, as only a list can tell that it is not there. */
async function readSingly(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  { scope, kind, ids }: Listing,
): Promise<{ readonly objects: readonly LiveObject[]; readonly note: ReadNote } | undefined> {
  const [operation] = kinds[kind].lists(scopeType(scope));
  if (ids === undefined || operation === undefined) return undefined;
  const path = pathOf(scopes, scope);
  const read = await Promise.all(ids.map((id) => lookUp(client, { kind, scope, id }, path)));
  const objects = read.filter((live) => live !== undefined);
  if (objects.length < ids.length) return undefined;
  const note = {
    scope,
    operation,
    kinds: [kind],
    pages: 0,
    rows: ids.length,
    reduced: false,
  };
  return { objects, note };
}

function pathOf(scopes: ReadonlyMap<string, LiveScope>, scope: string): ScopePath {
  const found = scopes.get(scope);
  return found?.status === "known" ? found.path : {};
}

function listsOf(scopes: ReadonlyMap<string, LiveScope>, { scope, kind, full }: Listing): readonly Wanted[] {
  const path = pathOf(scopes, scope);
  return kinds[kind].lists(scopeType(scope)).map((operation) => ({
    operation,
    path,
    query: full ? { basic: false } : {},
  }));
}

function keyOf({ operation, path, query }: Wanted): string {
  return JSON.stringify([operation, path, query]);
}
