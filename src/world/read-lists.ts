/**
 * The live objects of the scopes that a plan needs, from complete lists. Each list is read once for all kinds that need it. A list
 * that cannot be proven complete makes its kind unknown in that scope.
 */
import type { Client } from "../api/client.ts";
import { ApiError, isDenied, isMissingRoute } from "../api/errors/errors.ts";
import { hintForGivenIds } from "../api/errors/hints.ts";
import { isBeyondDocument } from "../api/operations/index.ts";
import { scopesOfKind } from "../kinds/registry.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, scopePathAt, type LiveList, type LiveScope } from "../model/live.ts";
import { withGoneRoutes } from "./gone-routes.ts";
import { listProblem } from "./list-problems.ts";
import type { ListReadStats } from "../kinds/world.ts";
import { type Listing, ListReader } from "./list-reader.ts";
import { withUnlisted } from "./unlisted.ts";

export interface ReadListsResult {
  /** By `listKey`. */
  readonly lists: ReadonlyMap<string, LiveList>;
  /** How each list was read. */
  readonly stats: readonly ListReadStats[];
}

/**
 * Lists each kind in each scope concurrently, and every list of the service once. A kind whose lists could not all be
 * read completely is `unknown`; the other kinds are not affected. Never throws because of an answer of the service.
 */
export async function readLists(
  client: Client,
  scopes: ReadonlyMap<string, LiveScope>,
  listings: readonly Listing[],
): Promise<ReadListsResult> {
  const reader = new ListReader(client, scopes, listings);
  const lists = await Promise.all(
    listings.map(async (listing): Promise<[string, LiveList]> => {
      const { scope, kind, pins = [] } = listing;
      const list = await readList(reader, listing);
      return [
        listKey(scope, kind),
        await withUnlisted(client, list, pins, { scope, kind, path: scopePathAt(scopes, scope) }),
      ];
    }),
  );
  return { lists: await withGoneRoutes(client, scopes, listings, new Map(lists)), stats: reader.stats };
}

/** Reads one list. If it cannot be read completely, it is unknown, with the reason. */
export async function readList(reader: ListReader, listing: Listing): Promise<LiveList> {
  try {
    return { status: "known", ...(await reader.read(listing)) };
  } catch (error) {
    if (error instanceof ApiError) return unknownList(error, listing);
    throw error;
  }
}

function unknownList(error: ApiError, { scope, kind, hasGivenIds }: Listing): LiveList {
  const { message: reason, missingPermission } = error;
  const problem = listProblem(error, hasGivenIds === true ? hintForGivenIds(error) : error.hint, scope);
  const route = routeAfter(error, kind);
  return {
    status: "unknown",
    reason,
    isDenied: isDenied(error),
    missingPermission,
    problem,
    ...(route && { route }),
    objects: [],
  };
}

/** What an error says about the route of a list. */
function routeAfter(error: ApiError, kind: KindName): "missing" | "undocumented" | undefined {
  const isElsewhere = scopesOfKind(kind).length > 1;
  if (isElsewhere && error.kind === "not_found" && isBeyondDocument(error.operation)) return "undocumented";
  return isMissingRoute(error) ? "missing" : undefined;
}
