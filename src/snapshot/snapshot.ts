import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import { isBeyondDocument } from "../api/operations/index.ts";
import type { Rows } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveList, type LiveScope, type LookupKeys } from "../model/live.ts";
import { readRow } from "./read-object.ts";
import { createListReader, type ListReadStats } from "./list-reader.ts";

export type { ListReadStats };

/** One kind to be listed in one scope; `full` where the cheapest form of the list lacks a field that is needed. */
export interface Listing {
  readonly scope: string;
  readonly kind: KindName;
  readonly full: boolean;
  /** Which objects are needed whole; absent: all of them. */
  readonly lookupKeys?: LookupKeys | undefined;
  /** Ids of all that is needed, to be read one by one. */
  readonly ids?: readonly string[] | undefined;
  /** Is shown the rows that the objects were made of. */
  readonly onRows?: OnRows | undefined;
}

/** Is shown the rows of each list operation, once they are proven whole. */
export type OnRows = (rows: Rows) => void;

export interface SnapshotResult {
  /** By `listKey`. */
  readonly lists: ReadonlyMap<string, LiveList>;
  readonly diagnostics: readonly Diagnostic[];
  /** How each list was read. */
  readonly stats: readonly ListReadStats[];
}

/**
 * Lists each kind in each scope, side by side, every list of the service once. A kind whose lists could not all be read whole
 * is `unknown`; the others go on. Never throws for what a service answers.
 */
export async function takeSnapshot(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
): Promise<SnapshotResult> {
  const diagnostics: Diagnostic[] = [];
  const source = createListReader(client, scopes, listings);
  const lists = await Promise.all(
    listings.map(async (listing): Promise<[string, LiveList]> => {
      const key = listKey(listing.scope, listing.kind);
      try {
        return [key, { status: "known", objects: await source.read(listing) }];
      } catch (error) {
        return [key, unknownList(error, diagnostics, listing.scope)];
      }
    }),
  );
  return { lists: new Map(lists), diagnostics, stats: source.notes() };
}

/**
 * Reads the organizations that the key may see. Pinned ones that the list lacks (a narrower key, a list that is refused) are
 * read one by one, so that a refused list takes nothing away from those whose id is known. `others` says that organizations
 * are wanted whose ids are not known: what becomes of the list matters then, whatever pins it lacks.
 */
export async function readOrganizations(
  client: Client,
  pins: readonly string[],
  seen?: OnRows,
  others = false,
): Promise<SnapshotResult> {
  const {
    lists,
    diagnostics,
    stats: notes,
  } = await takeSnapshot(client, new Map(), [{ scope: "", kind: "organization", full: false, onRows: seen }]);
  const key = listKey("", "organization");
  const list = lists.get(key);
  if (list === undefined) return { lists, diagnostics, stats: notes };
  const missing = pins.filter((pin) => !list.objects.some((live) => live.id === pin.toLowerCase()));
  const rows = await Promise.all(missing.map((id) => readRow(client, "organizations.get", { id })));
  const path = {};
  const read = { "organizations.list": rows.filter((row) => row !== undefined) };
  seen?.(read);
  const objects = kinds.organization.assemble({ scope: "", path, rows: read });
  const found = { ...list, objects: [...list.objects, ...objects] };
  // Every pinned organization was found: that the list was refused says nothing that has to be known.
  const needless = !others && pins.length > 0 && missing.length === objects.length;
  return { lists: new Map([[key, found]]), diagnostics: needless ? [] : diagnostics, stats: notes };
}

function unknownList(error: unknown, diagnostics: Diagnostic[], scope: string): LiveList {
  if (!(error instanceof ApiError)) throw error;
  const denied = error.kind === "auth" || error.kind === "scope";
  const code = denied ? "access_denied" : "unreadable";
  // Several kinds may need the same list: it is reported once.
  if (!diagnostics.some((one) => one.message === error.message)) {
    diagnostics.push({
      severity: "error",
      code,
      message: error.message,
      hint: error.hint,
      ...(scope === "" ? {} : { address: scope }),
    });
  }
  const unrouted = error.kind === "not_found" && isBeyondDocument(error.operation);
  return { status: "unknown", reason: error.message, denied, ...(unrouted ? { unrouted } : {}), objects: [] };
}
