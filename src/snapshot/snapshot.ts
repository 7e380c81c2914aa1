/**
 * The live objects of the scopes that a plan needs, from complete lists. Each list is read once for all kinds that need it. A list
 * that cannot be proven complete makes its kind unknown in that scope.
 */
import type { Client, Query } from "../api/client.ts";
import { ApiError, isMissingRoute } from "../api/errors/errors.ts";
import { hintForGivenIds } from "../api/errors/hints.ts";
import type { List } from "../api/lists/read-list.ts";
import { isBeyondDocument, type OperationName } from "../api/operations/index.ts";
import { FULL_VIEW } from "../api/operations/server-quirks.ts";
import type { Rows } from "../kinds/kind.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import { takenFields } from "../kinds/varying-fields.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import {
  type PlannedRead,
  listKey,
  type LiveList,
  type LiveObject,
  type LiveScope,
  type ScopePath,
} from "../model/live.ts";
import { withGoneRoutes } from "./gone-routes.ts";
import { problemOf, withoutProblem } from "./list-problems.ts";
import { readObject, readRow } from "./read-object.ts";
import { trimObject } from "./trim.ts";
import { withUnlisted } from "./unlisted.ts";

/** One kind to be listed in one scope, and what else the reader wants of the list. */
export interface Listing extends PlannedRead {
  /** How many rows are requested at once; if absent, the client decides. The full form of a list has a size of its own. */
  readonly pageSize?: number | undefined;
  /** Receives the rows that the objects are made from. */
  readonly onRows?: OnRows | undefined;
}

/** Receives the rows of each list operation, once they are proven complete. */
export type OnRows = (rows: Rows) => void;

export interface SnapshotResult {
  /** By `listKey`. */
  readonly lists: ReadonlyMap<string, LiveList>;
  /** How each list was read. */
  readonly stats: readonly ListReadStats[];
}

export interface SnapshotOptions {
  /** Whether the ids of the scopes are declared, so they may be mistyped. */
  readonly hasGivenIds?: boolean;
}

/**
 * Lists each kind in each scope concurrently, and every list of the service once. A kind whose lists could not all be
 * read completely is `unknown`; the other kinds are not affected. Never throws because of an answer of the service.
 */
export async function takeSnapshot(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
  options: SnapshotOptions = {},
): Promise<SnapshotResult> {
  const reader = new ListReader(client, scopes, listings);
  const lists = await Promise.all(
    listings.map(async (listing): Promise<[string, LiveList]> => {
      const { scope, kind, pins = [] } = listing;
      const list = await readList(reader, listing, options);
      return [
        listKey(scope, kind),
        await withUnlisted(client, list, pins, { scope, kind, path: pathOf(scopes, scope) }),
      ];
    }),
  );
  return withGoneRoutes(client, scopes, listings, { lists: new Map(lists), stats: reader.stats });
}

/**
 * Reads the organizations that the key can access. Pinned organizations that the list lacks (the key may be restricted,
 * or the list refused) are read one by one, so a refused list does not matter for them.
 *
 * @param options `needsList`: organizations without a known id are needed as well, so a refused list is an error
 */
export async function readOrganizations(
  client: Client,
  pins: readonly string[],
  { onRows, needsList = false }: { readonly onRows?: OnRows | undefined; readonly needsList?: boolean } = {},
): Promise<SnapshotResult> {
  const listing = { scope: "", kind: "organization", full: false, onRows } as const;
  const reader = new ListReader(client, new Map(), [listing]);
  const list = await readList(reader, listing, {});
  const missing = pins.filter((pin) => !list.objects.some((live) => live.id === pin.toLowerCase()));
  const rows = await Promise.all(missing.map((id) => readRow(client, "organizations.get", { id })));
  const rowsByOperation = { "organizations.list": rows.filter((row) => row !== undefined) };
  onRows?.(rowsByOperation);
  const objects = kinds.organization.lists.assemble({ scope: "", path: {}, rows: rowsByOperation });
  const all = [...list.objects, ...objects];
  const completed =
    list.status === "known" ? { ...list, ...withTaken("organization", all) } : { ...list, objects: all };
  // If every pinned organization was found, a refused list needs no report.
  const isListUnneeded = !needsList && pins.length > 0 && missing.length === objects.length;
  const shown = isListUnneeded ? withoutProblem(completed) : completed;
  return { lists: new Map([[listKey("", "organization"), shown]]), stats: reader.stats };
}

async function readList(reader: ListReader, listing: Listing, options: SnapshotOptions): Promise<LiveList> {
  try {
    return { status: "known", ...(await reader.read(listing)) };
  } catch (error) {
    if (error instanceof ApiError) return unknownList(error, listing, options);
    throw error;
  }
}

function unknownList(error: ApiError, { scope, kind }: Listing, { hasGivenIds }: SnapshotOptions): LiveList {
  const denied = error.kind === "auth" || error.kind === "scope";
  const { message: reason, missingScope } = error;
  const problem = problemOf(error, hasGivenIds === true ? hintForGivenIds(error) : error.hint, scope);
  const route = routeAfter(error, kind);
  return { status: "unknown", reason, denied, missingScope, problem, ...(route && { route }), objects: [] };
}

/** What an error says about the route of a list. */
function routeAfter(error: ApiError, kind: KindName): "missing" | "undocumented" | undefined {
  const isElsewhere = kinds[kind].scopes.length > 1;
  if (isElsewhere && error.kind === "not_found" && isBeyondDocument(error.operation)) return "undocumented";
  return isMissingRoute(error) ? "missing" : undefined;
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

type ListedObjects = Pick<LiveList & { readonly status: "known" }, "objects" | "taken">;

/** Reads lists, each once for all kinds that need it. */
class ListReader {
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
    const { scope, kind, lookupKeys, onRows } = listing;
    const byId = await readObjectsById(this.#client, this.#scopes, listing);
    if (byId !== undefined) {
      this.stats.push(byId.stats);
      return withTaken(kind, byId.objects);
    }
    const lists = listRequests(this.#scopes, listing);
    const [only] = lists;
    if (only !== undefined && lists.length === 1 && this.#usersOf(only).length === 1 && onRows === undefined) {
      const { operation, path, query } = only;
      const taken = new Set<string>();
      const list = await this.#client.listReduced(operation, path, query, trimPage(listing, only, taken));
      const objects = this.#recordStats(scope, only, { ...list, trimmed: lookupKeys !== undefined });
      return objects.length === 0 ? { objects } : { objects, taken };
    }
    const rows = await Promise.all(lists.map(async (list) => [list.operation, await this.#rows(scope, list)] as const));
    const byOperation = Object.fromEntries(rows);
    onRows?.(byOperation);
    const path = pathOf(this.#scopes, scope);
    return withTaken(kind, kinds[kind].lists.assemble({ scope, path, rows: byOperation }));
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
function withTaken(kind: KindName, objects: readonly LiveObject[]): ListedObjects {
  if (objects.every(({ placeholder }) => placeholder === true)) return { objects };
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
  return kinds[kind].lists.operations(scopeType(scope)).map((operation) => ({ operation, path, query }));
}

function requestKey({ operation, path, query }: ListRequest): string {
  return JSON.stringify([operation, path, query]);
}
