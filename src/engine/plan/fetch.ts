/**
 * Reads what a plan needs, in as few round trips as possible.
 *
 * Terms: a pinned scope is an organization or a project that is declared by its id.
 * Premise: a list is addressed by the id of its scope, so pinned scopes can be listed before the organizations are known.
 * Algorithm: list the pinned scopes at once (`listPinnedScopes`). If the organizations are not needed (see
 * `organizationsFromPins`), that is all (`fetchFromPins`). Otherwise read the organizations at the same time, list the other
 * scopes afterwards, and drop lists of pinned scopes that do not exist or belong elsewhere (`fetchDeclared`). If the key may not
 * read the organizations, the pins are trusted.
 */
import { CODES } from "../../model/diagnostic-codes.ts";
import { overlaps } from "../../model/plan.ts";
import { isDeepStrictEqual } from "node:util";
import type { Client } from "../../api/client.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type PlannedRead, listKey, type LiveList, type LiveScope, type LiveSnapshot } from "../../model/live.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { readsInKnownScopes } from "../../plan/lists-to-read.ts";
import { resolveScopes, type ResolvedScopes } from "../../plan/resolve-scopes.ts";
import {
  needsOnlyPins,
  organizationsOf,
  organizationsFromPins,
  pinnedScopes,
  withScopesFromPins,
} from "../../plan/scopes-from-pins.ts";
import { listProblems, withoutProblem } from "../../world/list-problems.ts";
import type { ListReadStats } from "../../world/list-reader.ts";
import { type OrganizationsResult, readOrganizations } from "../../world/organizations.ts";
import { readLists, type ReadListsResult } from "../../world/read-lists.ts";
import { EngineError } from "../../model/engine-error.ts";

/** The live state that a plan is made from. */
export interface FetchResult {
  readonly snapshot: LiveSnapshot;
  /** What is wrong with the scopes. The lists have their own problems. */
  readonly diagnostics: readonly Diagnostic[];
  /** How each list was read. */
  readonly stats: readonly ListReadStats[];
}

/** What is wrong with the scopes and the lists of a fetch. */
export function problemsOf({ snapshot, diagnostics }: FetchResult): readonly Diagnostic[] {
  return [...listProblems(snapshot.lists.values()), ...diagnostics];
}

export function listPinnedScopes(
  client: Client,
  graph: DesiredGraph,
  reads: readonly PlannedRead[],
): Promise<ReadListsResult> {
  const scopes = pinnedScopes(graph);
  return readLists(client, scopes, readsInKnownScopes(scopes, reads), { hasGivenIds: true });
}

/** Waits for the pinned lists, and returns them as the live state if the organizations are not needed; else undefined. */
export async function fetchFromPins(
  graph: DesiredGraph,
  only: readonly string[],
  pinned: Promise<ReadListsResult>,
): Promise<FetchResult | undefined> {
  const organizations = organizationsFromPins(graph, only);
  if (organizations === undefined) return undefined;
  const { lists, stats } = await pinned;
  const resolved = resolveScopes(graph, organizations);
  requireScopes(resolved.diagnostics, only);
  return {
    snapshot: { scopes: resolved.scopes, lists: new Map([[listKey("", "organization"), organizations], ...lists]) },
    diagnostics: resolved.diagnostics,
    stats,
  };
}

/** What is read for a plan, and what of that was asked for before the declared scopes are known. */
export interface Reads {
  readonly planned: readonly PlannedRead[];
  readonly pinned: Promise<ReadListsResult>;
  /** The organizations, if they were read already: see {@link fetchScopes}. */
  readonly organizations?: OrganizationsResult | undefined;
}

/**
 * Reads the organizations, and the lists that were not read early.
 *
 * @throws EngineError `invalid` if a declared project does not belong to its organization, or is declared twice
 */
export async function fetchDeclared(
  client: Client,
  graph: DesiredGraph,
  only: readonly string[],
  { planned, pinned, organizations }: Reads,
): Promise<FetchResult> {
  const reading = organizations ?? readDeclaredOrganizations(client, graph, only);
  const [found, early] = await Promise.all([reading, pinned]);
  const organizationList = withDeclaredIds(found.list, graph, only);
  const { scopes, diagnostics } = resolveScopes(graph, organizationList);
  requireScopes(diagnostics, only);
  const reads = readsInKnownScopes(scopes, planned);
  const isRead = isReadEarly(graph, scopes, early);
  const late = await readLists(
    client,
    scopes,
    reads.filter((read) => !isRead(read)),
  );
  const kept = reads.filter(isRead).flatMap(({ scope, kind }): [string, LiveList][] => {
    const key = listKey(scope, kind);
    const list = early.lists.get(key);
    return list === undefined ? [] : [[key, list]];
  });
  const lists = new Map([[listKey("", "organization"), organizationList], ...kept, ...late.lists]);
  // If nothing could be read, the errors say so, and it is not about the projects.
  const isUnread = [...lists.values()].every(({ status }) => status === "unknown");
  const isShown = ({ code }: Diagnostic): boolean => !isUnread || code !== CODES.projectsNotListed;
  return {
    snapshot: { scopes, lists },
    diagnostics: diagnostics.filter(isShown),
    stats: [...found.stats, ...early.stats, ...late.stats],
  };
}

/** The declared scopes, as they were found on the service. */
export interface FetchedScopes {
  /** All organizations that the key sees. */
  readonly organizations: LiveList;
  readonly resolved: ResolvedScopes;
  readonly diagnostics: readonly Diagnostic[];
  /** The organizations as they were read. A plan that takes them does not read them again. */
  readonly read: OrganizationsResult;
}

/** Finds the declared organizations and projects, as a plan of `only` does, without listing anything in them. */
export async function fetchScopes(
  client: Client,
  graph: DesiredGraph,
  only: readonly string[] = [],
): Promise<FetchedScopes> {
  const read = await readDeclaredOrganizations(client, graph, only);
  const organizations = withDeclaredIds(read.list, graph, only);
  const diagnostics = listProblems([organizations]);
  return { organizations, resolved: resolveScopes(graph, organizations), diagnostics, read };
}

function readDeclaredOrganizations(
  client: Client,
  graph: DesiredGraph,
  only: readonly string[],
): Promise<OrganizationsResult> {
  const declared = organizationsOf(graph);
  const pins = declared.flatMap(({ pin }) => (pin === undefined ? [] : [pin.value]));
  const hasUnpinned = declared.some(({ pin, address }) => pin === undefined && overlaps(address, only));
  return readOrganizations(client, pins, { needsList: hasUnpinned });
}

/** If the key may not read the organizations, declared ids take their place. An error is reported only if the ids are not enough. */
function withDeclaredIds(list: LiveList, graph: DesiredGraph, only: readonly string[]): LiveList {
  if (list.status === "known" || !list.denied) return list;
  const completed = withScopesFromPins(graph, only, list);
  return needsOnlyPins(graph, only) ? withoutProblem(completed) : completed;
}

/** Mistakes in the configuration that only the service shows. An unknown project is none if the plan is limited to other addresses. */
function requireScopes(diagnostics: readonly Diagnostic[], only: readonly string[]): void {
  const duplicate = diagnostics.filter(({ code }) => code === CODES.duplicateScope);
  const unknown = diagnostics.filter(({ code }) => code === CODES.unknownProject);
  const isPlanned = unknown.some(({ address }) => overlaps(address ?? "", only));
  if (duplicate.length > 0 || isPlanned) throw new EngineError("invalid", [...duplicate, ...unknown]);
}

/** Returns a test for lists that were read early, in a scope whose declared id proved right. */
function isReadEarly(
  graph: DesiredGraph,
  scopes: ReadonlyMap<string, LiveScope>,
  early: ReadListsResult,
): (read: PlannedRead) => boolean {
  const pinned = pinnedScopes(graph);
  return ({ scope, kind }) =>
    early.lists.has(listKey(scope, kind)) && isDeepStrictEqual(pinned.get(scope), scopes.get(scope));
}

/** Reads more lists, and returns them with those of the snapshot. If one cannot be read, its error is dropped: only warnings need it. */
export async function addLists(
  client: Client,
  { scopes, lists }: LiveSnapshot,
  reads: readonly PlannedRead[],
): Promise<LiveSnapshot["lists"]> {
  return reads.length === 0 ? lists : new Map([...lists, ...(await readLists(client, scopes, reads)).lists]);
}
