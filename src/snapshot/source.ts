import type { Client } from "../api/client.ts";
import type { OperationName } from "../api/operations/index.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { JsonObject } from "../model/json.ts";
import type { LiveObject, LiveScope, ScopePath } from "../model/live.ts";
import { reduceObject } from "./reduce.ts";
import type { Listing } from "./snapshot.ts";

/** The lists of the service: each is read once, whoever needs it. */
export interface Source {
  /** The objects of one kind in one scope. @throws ApiError */
  readonly read: (listing: Listing) => Promise<readonly LiveObject[]>;
  /** How many pages were read. */
  readonly pages: () => number;
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
  const users = new Map<string, number>();
  for (const list of [...wanted.values()].flat()) users.set(keyOf(list), (users.get(keyOf(list)) ?? 0) + 1);
  const shared = new Map<string, Promise<readonly JsonObject[]>>();
  let pages = 0;
  const counted = <T>(list: { readonly rows: readonly T[]; readonly pages: number }): readonly T[] => {
    pages += list.pages;
    return list.rows;
  };
  const rowsOf = (list: Wanted): Promise<readonly JsonObject[]> => {
    const key = keyOf(list);
    const found = shared.get(key) ?? client.list(list.operation, list.path, list.query).then(counted);
    shared.set(key, found);
    return found;
  };
  return {
    pages: () => pages,
    read: async (listing) => {
      const lists = wanted.get(listing) ?? [];
      const [only] = lists;
      const isAlone = lists.length === 1 && only !== undefined && users.get(keyOf(only)) === 1;
      if (isAlone && listing.sought !== undefined) {
        const { operation, path, query } = only;
        return counted(await client.listReduced(operation, path, query, reducer(listing, only)));
      }
      const rows = await Promise.all(lists.map(async (list) => [list.operation, await rowsOf(list)] as const));
      const path = lists[0]?.path ?? {};
      return kinds[listing.kind].assemble({ scope: listing.scope, path, rows: Object.fromEntries(rows) });
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

function listsOf(scopes: ReadonlyMap<string, LiveScope>, { scope, kind, full }: Listing): readonly Wanted[] {
  const found = scopes.get(scope);
  const path = found?.status === "known" ? found.path : {};
  return kinds[kind].lists(scopeType(scope)).map((operation) => ({
    operation: operation as OperationName,
    path,
    query: full ? { basic: false } : {},
  }));
}

function keyOf({ operation, path, query }: Wanted): string {
  return JSON.stringify([operation, path, query]);
}
