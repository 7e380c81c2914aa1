import type { Client, Query } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import { hintFields } from "../model/command.ts";
import { hintForGivenIds } from "../api/errors/hints.ts";
import type { List } from "../api/lists/read-list.ts";
import { isBeyondDocument, type OperationName } from "../api/operations/index.ts";
import { FULL_VIEW } from "../api/operations/server-quirks.ts";
import type { Rows } from "../kinds/kind.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import {
  listKey,
  type LiveList,
  type LiveObject,
  type LiveScope,
  type LookupKeys,
  type ScopePath,
} from "../model/live.ts";
import type { Pin } from "../model/resource.ts";
import { readObject, readRow } from "./read-object.ts";
import { trimObject } from "./trim.ts";
import { withUnlisted } from "./unlisted.ts";

/** One kind to be listed in one scope. `full`: a field is needed that the cheapest form of the list lacks. */
export interface Listing {
  readonly scope: string;
  readonly kind: KindName;
  readonly full: boolean;
  /** How many rows are requested at once; if absent, the client decides. */
  readonly pageSize?: number | undefined;
  /** Selects the objects that are needed in full; if absent, all of them. */
  readonly lookupKeys?: LookupKeys | undefined;
  /** Ids of all objects that are needed: they are read one by one. */
  readonly ids?: readonly string[] | undefined;
  /** Pinned objects that are read by their ids if the list lacks them. */
  readonly pins?: readonly Pin[] | undefined;
  /** Receives the rows that the objects are made from. */
  readonly onRows?: OnRows | undefined;
}

/** Receives the rows of each list operation, once they are proven complete. */
export type OnRows = (rows: Rows) => void;

export interface SnapshotResult {
  /** By `listKey`. */
  readonly lists: ReadonlyMap<string, LiveList>;
  readonly diagnostics: readonly Diagnostic[];
  /** How each list was read. */
  readonly stats: readonly ListReadStats[];
}

/**
 * Lists each kind in each scope concurrently, and every list of the service once. A kind whose lists could not all be
 * read completely is `unknown`; the other kinds are not affected. Never throws because of an answer of the service.
 *
 * @param options `hasGivenIds`: the ids of the scopes are declared, so they may be mistyped
 */
export async function takeSnapshot(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
  { hasGivenIds = false }: { readonly hasGivenIds?: boolean } = {},
): Promise<SnapshotResult> {
  const diagnostics: Diagnostic[] = [];
  const reader = createListReader(client, scopes, listings);
  const lists = await Promise.all(
    listings.map(async (listing): Promise<[string, LiveList]> => {
      const { scope, kind, pins = [] } = listing;
      const list = await readList(reader, listing, diagnostics, hasGivenIds);
      return [
        listKey(scope, kind),
        await withUnlisted(client, list, pins, { scope, kind, path: pathOf(scopes, scope) }),
      ];
    }),
  );
  return { lists: new Map(lists), diagnostics, stats: reader.stats() };
}

/**
 * Reads the organizations that the key can access. Pinned organizations that the list lacks (the key may be restricted,
 * or the list refused) are read one by one, so a refused list does not matter for them.
 *
 * @param needsList whether organizations without a known id are needed as well: then a refused list is an error
 */
export async function readOrganizations(
  client: Client,
  pins: readonly string[],
  onRows?: OnRows,
  needsList = false,
): Promise<SnapshotResult> {
  const listing = { scope: "", kind: "organization", full: false, onRows } as const;
  const diagnostics: Diagnostic[] = [];
  const reader = createListReader(client, new Map(), [listing]);
  const list = await readList(reader, listing, diagnostics, false);
  const missing = pins.filter((pin) => !list.objects.some((live) => live.id === pin.toLowerCase()));
  const rows = await Promise.all(missing.map((id) => readRow(client, "organizations.get", { id })));
  const rowsByOperation = { "organizations.list": rows.filter((row) => row !== undefined) };
  onRows?.(rowsByOperation);
  const objects = kinds.organization.assemble({ scope: "", path: {}, rows: rowsByOperation });
  const completed = { ...list, objects: [...list.objects, ...objects] };
  // If every pinned organization was found, a refused list needs no report.
  const isListUnneeded = !needsList && pins.length > 0 && missing.length === objects.length;
  const lists = new Map([[listKey("", "organization"), completed]]);
  return { lists, diagnostics: isListUnneeded ? [] : diagnostics, stats: reader.stats() };
}

async function readList(
  reader: ListReader,
  listing: Listing,
  diagnostics: Diagnostic[],
  hasGivenIds: boolean,
): Promise<LiveList> {
  try {
    return { status: "known", objects: await reader.read(listing) };
  } catch (error) {
    return unknownList(error, diagnostics, listing.scope, hasGivenIds);
  }
}

function unknownList(error: unknown, diagnostics: Diagnostic[], scope: string, hasGivenIds: boolean): LiveList {
  if (!(error instanceof ApiError)) throw error;
  const denied = error.kind === "auth" || error.kind === "scope";
  const code = denied ? "access_denied" : "unreadable";
  const hint = hintFields(hasGivenIds ? hintForGivenIds(error) : error.hint);
  // Several kinds may need the same list, whose failure is reported once. A key that is not accepted is so for every list.
  const isSame = (one: Diagnostic): boolean =>
    one.message === error.message || (error.kind === "auth" && one.code === code && one.hint === hint.hint);
  if (!diagnostics.some(isSame)) {
    const address = scope === "" ? {} : { address: scope };
    diagnostics.push({ severity: "error", code, message: error.message, ...hint, ...address });
  }
  const unrouted = error.kind === "not_found" && isBeyondDocument(error.operation);
  const { message: reason, missingScope } = error;
  return { status: "unknown", reason, denied, missingScope, ...(unrouted ? { unrouted } : {}), objects: [] };
}

/** Reads the lists of the service. A list that several kinds need is read once. */
interface ListReader {
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

function createListReader(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
): ListReader {
  const users = new Map<string, KindName[]>();
  for (const listing of listings)
    for (const list of listRequests(scopes, listing))
      users.set(requestKey(list), [...(users.get(requestKey(list)) ?? []), listing.kind]);
  const shared = new Map<string, Promise<readonly JsonObject[]>>();
  const stats: ListReadStats[] = [];
  const recordStats = <T>(scope: string, request: ListRequest, list: List<T>, trimmed: boolean): readonly T[] => {
    const { operation } = request;
    const { rows, pages } = list;
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
      const lists = listRequests(scopes, listing);
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
      const path = pathOf(scopes, listing.scope);
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
