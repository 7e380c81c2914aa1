/**
 * Reads the lists of a world, each once for all kinds that need it, or a few objects of a long list by their ids. Which: see
 * src/plan/lists-to-read.ts.
 */
import type { Client } from "../api/client.ts";
import type { List } from "../api/lists/read-list.ts";
import { FULL_VIEW } from "../api/operations/server-quirks.ts";
import type { Assembly, Rows } from "../kinds/kind.ts";
import { type ListRead, type ListReadStats, readKey, type RowsRead } from "../kinds/world.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import { takenFields } from "../kinds/varying-fields.ts";
import type { JsonObject } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveList, LiveObject } from "../model/live.ts";
import { createListMemo, type ListMemo } from "./list-memo.ts";
import { readObject } from "./read-object.ts";
import { trimObject } from "./trim.ts";

/** What a caller wants of the lists besides their objects. */
export interface ReadOptions {
  /** How many rows of long lists are requested at once; if absent, the client decides. The full form of a list has a size of its own. */
  readonly pageSize?: number;
  /** Receives the rows that the objects are made from. */
  readonly onRows?: OnRows | undefined;
}

/** Receives the rows of each list of the service that a read is made of, once they are proven complete. */
export type OnRows = (rows: Rows, read: Pick<ListRead, "scope" | "kind">) => void;

/** Objects, and the fields of theirs that not every service takes. */
type ListedObjects = Pick<LiveList & { readonly status: "known" }, "objects" | "taken" | "isPart">;

/** Reads lists, each once for all kinds that need it. */
export class ListReader {
  readonly stats: ListReadStats[] = [];
  readonly #client: Client;
  readonly #lists: ListMemo;
  readonly #options: ReadOptions;
  /** The reads that need a request, by `readKey`. */
  readonly #users = new Map<string, readonly ListRead[]>();

  constructor(client: Client, reads: readonly ListRead[], options: ReadOptions) {
    this.#client = client;
    this.#options = options;
    this.#lists = createListMemo({
      list: async (operation, path, query = {}) => {
        const list = await client.list(operation, path, query);
        this.#recordStats({ what: "rows", operation, path, query }, list, false);
        return list;
      },
    });
    for (const read of reads)
      for (const request of this.#requestsOf(read))
        this.#users.set(readKey(request), [...this.#usersOf(request), read]);
  }

  /** Returns the objects of a list, and what their rows show about the service. @throws ApiError */
  async read(read: ListRead): Promise<ListedObjects> {
    const { scope, kind, path } = read;
    const { onRows } = this.#options;
    const byId = await readObjectsById(this.#client, read);
    if (byId !== undefined) {
      this.stats.push(byId.stats);
      return { ...withTaken(kind, byId.objects), isPart: true };
    }
    const requests = this.#requestsOf(read);
    const [only] = requests;
    const isShared = requests.length > 1 || only === undefined || this.#usersOf(only).length > 1;
    if (!isShared && onRows === undefined) return this.#reducedByPage(read, only);
    const rows = await readWhole(this.#lists, requests);
    onRows?.(rows, read);
    return assembled(kind, { scope, path, rows });
  }

  /** Converts each page when it arrives, so that a long list is never in memory as rows. */
  async #reducedByPage(read: ListRead, request: RowsRead): Promise<ListedObjects> {
    const { operation, path, query = {} } = request;
    const taken = new Set<string>();
    const list = await this.#client.listReduced(operation, path, query, trimPage(read, request, taken));
    this.#recordStats(request, list, read.lookupKeys !== undefined);
    return list.rows.length === 0 ? { objects: [] } : { objects: list.rows, taken };
  }

  #requestsOf(read: ListRead): readonly RowsRead[] {
    return listRequests(read, kinds[read.kind].lists.isLong === true ? this.#options.pageSize : undefined);
  }

  #usersOf(request: RowsRead): readonly ListRead[] {
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
  { scope, kind, lookupKeys }: ListRead,
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
 * Reads the objects of a list by their ids. Returns undefined if one is not found: only a list proves that it is
 * absent.
 */
async function readObjectsById(
  client: Client,
  { scope, kind, path, ids }: ListRead,
): Promise<{ readonly objects: readonly LiveObject[]; readonly stats: ListReadStats } | undefined> {
  const [operation] = kinds[kind].lists.operations(scopeType(scope));
  if (ids === undefined || operation === undefined) return undefined;
  const read = await Promise.all(ids.map((id) => readObject(client, { kind, scope, id }, path)));
  const objects = read.filter((live) => live !== undefined);
  if (objects.length < ids.length) return undefined;
  return { objects, stats: { scope, operation, kinds: [kind], pages: 0, rows: ids.length, isTrimmed: false } };
}

/** The lists of the service that a kind in a scope is made of. */
export function listRequests(
  { scope, kind, isFull, path }: Pick<ListRead, "scope" | "kind" | "isFull" | "path">,
  pageSize?: number,
): readonly RowsRead[] {
  const paged = pageSize === undefined ? {} : { limit: pageSize };
  const query = isFull ? FULL_VIEW : paged;
  return kinds[kind].lists.operations(scopeType(scope)).map((operation) => ({ what: "rows", operation, path, query }));
}
