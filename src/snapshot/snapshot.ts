import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import type { OperationName } from "../api/operations/index.ts";
import type { Rows } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveList, type LiveScope, type ScopePath } from "../model/live.ts";

/** One kind to be listed in one scope; `full` where the cheapest form of the list lacks a field that is needed. */
export interface Listing {
  readonly scope: string;
  readonly kind: KindName;
  readonly full: boolean;
}

export interface Reading {
  /** By `listKey`. */
  readonly lists: ReadonlyMap<string, LiveList>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Lists each kind in each scope, side by side, every list of the service once. A kind whose lists could not all be read whole
 * is `unknown`; the others go on. Never throws for what a service answers.
 */
export async function takeSnapshot(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
): Promise<Reading> {
  const diagnostics: Diagnostic[] = [];
  const shared = new Map<string, Promise<readonly JsonObject[]>>();
  const full = new Set(listings.filter((one) => one.full).map((one) => `${one.scope} ${one.kind}`));
  const lists = await Promise.all(
    listings.map(async ({ scope, kind }): Promise<[string, LiveList]> => {
      const found = scopes.get(scope);
      const path = found?.status === "known" ? found.path : {};
      const operations = kinds[kind].lists(scopeType(scope));
      const query = full.has(`${scope} ${kind}`) ? { basic: false } : undefined;
      try {
        const rows = await Promise.all(operations.map((operation) => listOnce(shared, client, operation, path, query)));
        const byOperation: Rows = Object.fromEntries(
          operations.map((operation, index) => [operation, rows[index] ?? []]),
        );
        return [
          listKey(scope, kind),
          { status: "known", objects: kinds[kind].assemble({ scope, path, rows: byOperation }) },
        ];
      } catch (error) {
        return [listKey(scope, kind), unreadable(error, diagnostics, scope)];
      }
    }),
  );
  return { lists: new Map(lists), diagnostics };
}

/** Kinds that need the same list share it. */
function listOnce(
  shared: Map<string, Promise<readonly JsonObject[]>>,
  client: Client,
  operation: string,
  path: ScopePath,
  query: Readonly<Record<string, boolean>> | undefined,
): Promise<readonly JsonObject[]> {
  const key = JSON.stringify([operation, path, query ?? {}]);
  const found = shared.get(key) ?? client.list(operation as OperationName, path, query).then((list) => list.rows);
  shared.set(key, found);
  return found;
}

/**
 * Reads the organizations that the key may see. Pinned ones that the list lacks (a narrower key, a list that is refused) are
 * read one by one, so that a refused list takes nothing away from those whose id is known.
 */
export async function readOrganizations(client: Client, pins: readonly string[]): Promise<Reading> {
  const scopes = new Map<string, LiveScope>([["", { status: "known", path: {} }]]);
  const { lists, diagnostics } = await takeSnapshot(client, scopes, [{ scope: "", kind: "organization", full: false }]);
  const key = listKey("", "organization");
  const list = lists.get(key);
  if (list === undefined) return { lists, diagnostics };
  const missing = pins.filter((pin) => !list.objects.some((live) => live.id === pin.toLowerCase()));
  const rows = await Promise.all(missing.map((pin) => readOne(client, pin)));
  const path = {};
  const objects = kinds.organization.assemble({
    scope: "",
    path,
    rows: { "organizations.list": rows.filter((row) => row !== undefined) },
  });
  const found = { ...list, objects: [...list.objects, ...objects] };
  // Every pinned organization was found: that the list was refused says nothing that has to be known.
  const needless = list.status === "unknown" && pins.length > 0 && missing.length === objects.length;
  return { lists: new Map([[key, found]]), diagnostics: needless ? [] : diagnostics };
}

async function readOne(client: Client, id: string): Promise<JsonObject | undefined> {
  try {
    const { body } = await client.request("organizations.get", { path: { id } });
    return isJsonObject(body) ? body : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

function unreadable(error: unknown, diagnostics: Diagnostic[], scope: string): LiveList {
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
  return { status: "unknown", reason: error.message, denied, objects: [] };
}
