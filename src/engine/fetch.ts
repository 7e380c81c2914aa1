/**
 * Reads what a plan needs, with as few waits as can be.
 *
 * Premise: what an organization or a project holds is listed by its id, and a declared id needs no look at the organizations.
 * Algorithm: what pins tell where to list is read beside the organizations, the rest once those are known. What was read in a
 * scope that then turns out not to be there is dropped.
 */
import { isDeepStrictEqual } from "node:util";
import type { Client } from "../api/client.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { listKey, type LiveList, type LiveSnapshot } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { pinnedScopes, resolveScopes } from "../plan/scopes.ts";
import { isSelected } from "../plan/plan.ts";
import { readsInKnownScopes, type PlannedRead } from "../plan/read-plan.ts";
import { readOrganizations, takeSnapshot, type SnapshotResult, type ListReadStats } from "../snapshot/snapshot.ts";
import { EXIT } from "../cli/exit-codes.ts";
import { Failure } from "../cli/failure.ts";

/** The service's side of a plan, and what reading it gave rise to. */
export interface FetchResult {
  readonly snapshot: LiveSnapshot;
  readonly diagnostics: readonly Diagnostic[];
  /** How each list was read. */
  readonly notes: readonly ListReadStats[];
}

/** What the scopes hold whose ids are declared. */
export function fetchPinnedScopes(
  client: Client,
  graph: DesiredGraph,
  reads: readonly PlannedRead[],
): Promise<SnapshotResult> {
  const scopes = pinnedScopes(graph);
  return takeSnapshot(client, scopes, readsInKnownScopes(scopes, reads));
}

/** What was read by pins, seen with organizations that were not. */
export function snapshotFromPins(graph: DesiredGraph, organizations: LiveList, pinned: SnapshotResult): FetchResult {
  const { scopes, diagnostics } = resolveScopes(graph, organizations);
  const lists = new Map([[listKey("", "organization"), organizations], ...pinned.lists]);
  return {
    snapshot: { scopes, lists },
    diagnostics: [...diagnostics, ...pinned.diagnostics],
    notes: pinned.stats,
  };
}

/**
 * Reads the organizations, and what `pinned` lacks.
 *
 * @throws Failure where a declared project is none of its organization
 */
export async function fetchDeclared(
  client: Client,
  graph: DesiredGraph,
  only: readonly string[],
  wanted: readonly PlannedRead[],
  pinned: Promise<SnapshotResult>,
): Promise<FetchResult> {
  const declared = graph.resources.filter(({ kind }) => kind === "organization");
  const pins = declared.flatMap(({ pin }) => (pin === undefined ? [] : [pin.value]));
  const others = declared.some(({ pin, address }) => pin === undefined && overlaps(address, only));
  const [root, early] = await Promise.all([readOrganizations(client, pins, undefined, others), pinned]);
  const organizations = root.lists.get(listKey("", "organization")) ?? { status: "known", objects: [] };
  const { scopes, diagnostics } = resolveScopes(graph, organizations);
  const mistaken = diagnostics.filter(({ code }) => code === "unknown_project");
  if (mistaken.some(({ address }) => overlaps(address ?? "", only))) throw new Failure(EXIT.invalid, mistaken);
  const reads = readsInKnownScopes(scopes, wanted);
  const guessed = pinnedScopes(graph);
  const isRead = ({ scope, kind }: (typeof reads)[number]): boolean =>
    early.lists.has(listKey(scope, kind)) && isDeepStrictEqual(guessed.get(scope), scopes.get(scope));
  const late = await takeSnapshot(
    client,
    scopes,
    reads.filter((read) => !isRead(read)),
  );
  const believed = reads.filter(isRead).flatMap(({ scope, kind }) => {
    const key = listKey(scope, kind);
    const list = early.lists.get(key);
    return list === undefined ? [] : [[key, list] as const];
  });
  const isThere = ({ address }: Diagnostic): boolean => scopes.get(address ?? "")?.status === "known";
  return {
    snapshot: { scopes, lists: new Map([...root.lists, ...believed, ...late.lists]) },
    diagnostics: [...root.diagnostics, ...diagnostics, ...early.diagnostics.filter(isThere), ...late.diagnostics],
    notes: [...root.stats, ...early.stats, ...late.stats],
  };
}

/** Whether anything that is planned may lie at an address or below it. */
function overlaps(address: string, only: readonly string[]): boolean {
  return isSelected(address, only) || only.some((chosen) => chosen.startsWith(`${address}/`));
}
