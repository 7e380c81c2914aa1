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
import { listKey, type LiveList } from "../model/live.ts";
import { withGoneRoutes } from "./gone-routes.ts";
import { listProblem } from "./list-problems.ts";
import type { ListRead, ListReadStats } from "../kinds/world.ts";
import { ListReader, type ReadOptions } from "./list-reader.ts";
import { withUnlisted } from "./unlisted.ts";

export interface ReadListsResult {
  /** By `listKey`. */
  readonly lists: ReadonlyMap<string, LiveList>;
  /** How each list was read. */
  readonly stats: readonly ListReadStats[];
}

/**
 * Makes all reads concurrently, and requests every list of the service once. A kind whose lists could not all be
 * read completely is `unknown`; the other kinds are not affected. Never throws because of an answer of the service.
 */
export async function readLists(
  client: Client,
  reads: readonly ListRead[],
  options: ReadOptions = {},
): Promise<ReadListsResult> {
  const reader = new ListReader(client, reads, options);
  const lists = await Promise.all(
    reads.map(async (read): Promise<[string, LiveList]> => {
      const { scope, kind, path, pins = [] } = read;
      const list = await readList(reader, read);
      return [listKey(scope, kind), await withUnlisted(client, list, pins, { scope, kind, path })];
    }),
  );
  return { lists: await withGoneRoutes(client, reads, new Map(lists)), stats: reader.stats };
}

/** Reads one list. If it cannot be read completely, it is unknown, with the reason. */
export async function readList(reader: ListReader, read: ListRead): Promise<LiveList> {
  try {
    return { status: "known", ...(await reader.read(read)) };
  } catch (error) {
    if (error instanceof ApiError) return unknownList(error, read);
    throw error;
  }
}

function unknownList(error: ApiError, { scope, kind, hasGivenIds }: ListRead): LiveList {
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
