import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import { hintForGivenIds } from "../api/errors/hints.ts";
import { isBeyondDocument } from "../api/operations/index.ts";
import type { Rows } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveList, type LiveScope, type LookupKeys } from "../model/live.ts";
import { readRow } from "./read-object.ts";
import { createListReader, type ListReadStats } from "./list-reader.ts";

export type { ListReadStats };

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
      const key = listKey(listing.scope, listing.kind);
      try {
        return [key, { status: "known", objects: await reader.read(listing) }];
      } catch (error) {
        return [key, unknownList(error, diagnostics, listing.scope, hasGivenIds)];
      }
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
  const { lists, diagnostics, stats } = await takeSnapshot(client, new Map(), [listing]);
  const key = listKey("", "organization");
  const list = lists.get(key);
  if (list === undefined) return { lists, diagnostics, stats };
  const missing = pins.filter((pin) => !list.objects.some((live) => live.id === pin.toLowerCase()));
  const rows = await Promise.all(missing.map((id) => readRow(client, "organizations.get", { id })));
  const rowsByOperation = { "organizations.list": rows.filter((row) => row !== undefined) };
  onRows?.(rowsByOperation);
  const objects = kinds.organization.assemble({ scope: "", path: {}, rows: rowsByOperation });
  const completed = { ...list, objects: [...list.objects, ...objects] };
  // If every pinned organization was found, a refused list needs no report.
  const isListUnneeded = !needsList && pins.length > 0 && missing.length === objects.length;
  return { lists: new Map([[key, completed]]), diagnostics: isListUnneeded ? [] : diagnostics, stats };
}

function unknownList(error: unknown, diagnostics: Diagnostic[], scope: string, hasGivenIds: boolean): LiveList {
  if (!(error instanceof ApiError)) throw error;
  const denied = error.kind === "auth" || error.kind === "scope";
  const code = denied ? "access_denied" : "unreadable";
  const hint = hasGivenIds ? hintForGivenIds(error) : error.hint;
  // Several kinds may need the same list, whose failure is reported once. A key that is not accepted is so for every list.
  const isSame = (one: Diagnostic): boolean =>
    one.message === error.message || (error.kind === "auth" && one.code === code && one.hint === hint);
  if (!diagnostics.some(isSame)) {
    diagnostics.push({
      severity: "error",
      code,
      message: error.message,
      hint,
      ...(scope === "" ? {} : { address: scope }),
    });
  }
  const unrouted = error.kind === "not_found" && isBeyondDocument(error.operation);
  const { message: reason, missingScope } = error;
  return { status: "unknown", reason, denied, missingScope, ...(unrouted ? { unrouted } : {}), objects: [] };
}
