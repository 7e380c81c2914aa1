/**
 * The scopes and lists that a plan needs, as far as they were read.
 *
 * Terms: a pinned scope is an organization or a project that is declared by its id.
 * Premise: a list is addressed by the id of its scope, so pinned scopes can be listed before the organizations are known.
 * Algorithm: need the lists of the pinned scopes at once. If the declared ids are all that the plan needs of organizations (see
 * `organizationsFromPins`), that is all (`worldFromPins`). Otherwise need the organizations at the same time, and then the lists of the
 * other scopes (`declaredWorld`). A list has the ids of its scope, so what was read of a pinned scope that turns out to be another one is
 * not used. If the key may not read the organizations, the pins are trusted.
 */
import { listIn, type ListRead, listReads, type Needing, type World } from "../kinds/world.ts";
import { CODES } from "../model/diagnostic-codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { EngineError } from "../model/engine-error.ts";
import { listKey, type LiveList, type PlannedRead, withoutProblem } from "../model/live.ts";
import { overlaps } from "../model/plan.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { resolveScopes, type ResolvedScopes } from "./resolve-scopes.ts";
import {
  needsOnlyPins,
  organizationsOf,
  organizationsFromPins,
  pinnedScopes,
  withScopesFromPins,
} from "./scopes-from-pins.ts";

/** What is planned, and the lists that it needs: see lists-to-read.ts. */
export interface PlanRequest {
  readonly graph: DesiredGraph;
  readonly only: readonly string[];
  readonly reads: readonly PlannedRead[];
}

/** The live state that a plan is made from. */
export interface DeclaredWorld extends Needing {
  readonly world: World;
  /** What is wrong with the scopes. The lists have their own problems. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The world without the organizations; undefined if the plan needs them, or did before they were read.
 *
 * @throws EngineError `invalid` if an organization is declared twice
 */
export function worldFromPins(wanted: PlanRequest, world: World): DeclaredWorld | undefined {
  const { graph, only } = wanted;
  const organizations = organizationsFromPins(graph, only);
  if (organizations === undefined || listIn(world, organizationsRead(graph, only)) !== undefined) return undefined;
  return worldIn(wanted, world, {
    organizations,
    resolved: resolveScopes(graph, organizations),
    needs: pinnedReads(wanted),
  });
}

/**
 * The world with the organizations.
 *
 * @throws EngineError `invalid` if a declared project does not belong to its organization, or is declared twice
 */
export function declaredWorld(wanted: PlanRequest, world: World): DeclaredWorld {
  const { graph, only } = wanted;
  const resolved = declaredScopes(graph, only, world);
  const listed = worldIn(wanted, world, { ...resolved, needs: [...resolved.needs, ...pinnedReads(wanted)] });
  // If nothing could be read, the errors say so, and it is not about the projects.
  const isUnread = [...listed.world.lists.values()].every(({ status }) => status === "unknown");
  const isShown = ({ code }: Diagnostic): boolean => !isUnread || code !== CODES.projectsNotListed;
  return { ...listed, diagnostics: listed.diagnostics.filter(isShown) };
}

/** The declared scopes, as they were found on the service. */
export interface DeclaredScopes extends Needing {
  /** All organizations that the key sees. */
  readonly organizations: LiveList;
  readonly resolved: ResolvedScopes;
}

const NOT_READ: LiveList = {
  status: "unknown",
  reason: "the organizations were not read",
  isDenied: false,
  objects: [],
};

/** Finds the declared organizations and projects, as a plan of `only` does. */
export function declaredScopes(graph: DesiredGraph, only: readonly string[], world: World): DeclaredScopes {
  const read = organizationsRead(graph, only);
  const organizations = withDeclaredIds(listIn(world, read) ?? NOT_READ, graph, only);
  return { organizations, resolved: resolveScopes(graph, organizations), needs: [read] };
}

/** The read of the declared organizations. */
function organizationsRead(graph: DesiredGraph, only: readonly string[]): ListRead {
  const declared = organizationsOf(graph);
  const hasUnpinned = declared.some(({ pin, address }) => pin === undefined && overlaps(address, only));
  const pins = declared.flatMap(({ pin }) => pin ?? []);
  const read = { what: "objects", scope: "", kind: "organization", isFull: false, path: {}, pins } as const;
  return hasUnpinned ? { ...read, needsList: true } : read;
}

/** The lists of the pinned scopes. */
function pinnedReads({ graph, reads }: PlanRequest): readonly ListRead[] {
  return listReads({ scopes: pinnedScopes(graph) }, reads).map((read) => ({ ...read, hasGivenIds: true }));
}

function worldIn(
  { only, reads }: PlanRequest,
  world: World,
  { organizations, resolved, needs }: DeclaredScopes,
): DeclaredWorld {
  const { scopes, diagnostics } = resolved;
  requireScopes(diagnostics, only);
  const wanted = listReads({ scopes }, reads);
  const lists = wanted.flatMap((read): [string, LiveList][] => {
    const list = listIn(world, read);
    return list === undefined ? [] : [[listKey(read.scope, read.kind), list]];
  });
  return {
    world: { ...world, scopes, lists: new Map([[listKey("", "organization"), organizations], ...lists]) },
    needs: [...needs, ...wanted],
    diagnostics,
  };
}

/** If the key may not read the organizations, declared ids take their place. An error is reported only if the ids are not enough. */
function withDeclaredIds(list: LiveList, graph: DesiredGraph, only: readonly string[]): LiveList {
  if (list.status === "known" || !list.isDenied) return list;
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
