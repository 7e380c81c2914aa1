import type { Client } from "../api/client.ts";
import { isBeyondDocument } from "../api/operations/index.ts";
import type { ExportOrganization } from "../export/index.ts";
import { allKinds, projectsOf } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, type LiveObject, type LiveScope } from "../model/live.ts";
import {
  readOrganizations,
  takeSnapshot,
  type Listing,
  type SnapshotResult,
  type OnRows,
} from "../snapshot/snapshot.ts";
import { engineError } from "./errors.ts";
import { withoutMissingRoutes } from "./missing-routes.ts";

/** Rows per page of long lists. An export is not in a hurry, and large pages take a service seconds. */
const SMALL_PAGE = 200;

/** What to export: ids of organizations and projects. Without ids it is everything that the key sees. */
export interface ExportSelection {
  readonly organization?: readonly string[] | undefined;
  readonly project?: readonly string[] | undefined;
}

/** Live organizations with everything in them, from which configurations and programs are written. */
export interface ExportSnapshot {
  readonly organizations: readonly ExportOrganization[];
  /** Returns the rows in which an object was listed. */
  readonly rowsOf: (live: LiveObject) => readonly (readonly JsonObject[])[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads organizations with everything in them. Sends GET only.
 *
 * @throws EngineError `failed` if a selected organization or project does not exist
 */
export async function exportOrganizations(client: Client, selection: ExportSelection = {}): Promise<ExportSnapshot> {
  const rows = collectRows();
  const root = await readOrganizations(client, selection.organization ?? [], rows.collect("", "organization"));
  const list = root.lists.get(listKey("", "organization"));
  const organizations = (list?.objects ?? []).filter(({ id }) => selection.organization?.includes(id) ?? true);
  if (list?.status === "unknown" && organizations.length === 0)
    return { organizations: [], rowsOf: rows.rowsOf, diagnostics: root.diagnostics };
  requireOrganizations(organizations, selection.organization ?? []);
  requireProjects(organizations, selection.project ?? []);
  const scopes = new Map(organizations.flatMap((organization) => scopesOf(organization, selection.project)));
  const listings = [...scopes].flatMap(([scope, found]) =>
    listingsOf(scope, found, client.profile === "document").map((listing) => ({
      ...listing,
      onRows: rows.collect(scope, listing.kind),
    })),
  );
  const read = await takeSnapshot(client, scopes, listings);
  const whole = organizations.reduce(
    (result, { id }) => withoutMissingRoutes(result, id, projectsIn(scopes, id)),
    read,
  );
  return {
    organizations: organizations.map((organization) => assemble(organization, scopes, whole)),
    rowsOf: rows.rowsOf,
    diagnostics: [...root.diagnostics, ...organizations.flatMap(unlistedProjects), ...whole.diagnostics],
  };
}

/** Keeps the rows of all lists, by scope and kind. */
function collectRows(): Pick<ExportSnapshot, "rowsOf"> & {
  readonly collect: (scope: string, kind: KindName) => OnRows;
} {
  const rows = new Map<string, readonly (readonly JsonObject[])[]>();
  return {
    collect: (scope, kind) => (found) => {
      const key = listKey(scope, kind);
      rows.set(key, [...(rows.get(key) ?? []), ...Object.values(found)]);
    },
    rowsOf: ({ scope, kind }) => rows.get(listKey(scope, kind)) ?? [],
  };
}

function projectsIn(scopes: ReadonlyMap<string, LiveScope>, organization: string): readonly string[] {
  return [...scopes.keys()].filter((scope) => scope.startsWith(`${organization}/`));
}

function requireOrganizations(organizations: readonly LiveObject[], selected: readonly string[]): void {
  const missing = selected.filter((id) => !organizations.some((live) => live.id === id));
  if (missing.length === 0) return;
  const message = `the key sees no organization with the id ${missing.join(", ")}`;
  throw engineError("failed", "not_found", message, "Without --organization everything that the key sees is exported.");
}

/** An export must not silently lack a project that was asked for. */
function requireProjects(organizations: readonly LiveObject[], selected: readonly string[]): void {
  const ids = new Set(organizations.flatMap((organization) => (projectsOf(organization) ?? []).map(({ id }) => id)));
  const missing = selected.filter((id) => !ids.has(id));
  if (missing.length === 0) return;
  const isKnown = organizations.every((organization) => projectsOf(organization) !== undefined);
  const hint = isKnown
    ? "Without --project all of them are exported."
    : "The service does not list the projects of an organization.";
  throw engineError("failed", "not_found", `the key sees no project with the id ${missing.join(", ")}`, hint);
}

/** If the service does not list projects, none is exported. That must not look as if there were none. */
function unlistedProjects(organization: LiveObject): readonly Diagnostic[] {
  if (projectsOf(organization) !== undefined) return [];
  const message = "the organization does not list its projects, so none is exported";
  const hint = "The key may not be allowed to see them.";
  return [{ severity: "warning", code: "projects_not_listed", message, hint, address: organization.id }];
}

/** The scopes of an organization and its projects. Their addresses are ids, because nothing has a logical name yet. */
function scopesOf(
  organization: LiveObject,
  projects: readonly string[] | undefined,
): readonly (readonly [string, LiveScope])[] {
  const ids = (projectsOf(organization) ?? [])
    .map(({ id }) => id)
    .filter((id) => projects === undefined || projects.includes(id));
  return [
    [organization.id, { status: "known", path: { organization_id: organization.id } }],
    ...ids.map((id): [string, LiveScope] => [
      `${organization.id}/${id}`,
      { status: "known", path: { project_id: id } },
    ]),
  ];
}

/** Lists every kind that is exported itself, rather than as a part of another one. */
function listingsOf(scope: string, found: LiveScope, documentOnly: boolean): readonly Listing[] {
  const type = found.status === "known" && "project_id" in found.path ? "project" : "organization";
  const kindsHere = allKinds.filter((kind) => kind.scopes.includes(type) && kind.derived !== true);
  // The profile `document` sends nothing that the interface does not show; the organization's list has the same objects.
  const listed = kindsHere.filter((kind) => !documentOnly || !kind.lists(type).some(isBeyondDocument));
  // The full view costs a service many times as much. What only it shows is not exported.
  return listed.map(({ name, numerous }) => ({
    scope,
    kind: name,
    full: false,
    pageSize: numerous === true ? SMALL_PAGE : undefined,
  }));
}

function assemble(
  organization: LiveObject,
  scopes: ReadonlyMap<string, LiveScope>,
  reading: SnapshotResult,
): ExportOrganization {
  const projects = (projectsOf(organization) ?? []).filter(({ id }) => scopes.has(`${organization.id}/${id}`));
  return {
    organization,
    lists: listsOf(organization.id, reading),
    projects: projects.map(({ id, name }) => ({ id, name, lists: listsOf(`${organization.id}/${id}`, reading) })),
  };
}

function listsOf(scope: string, reading: SnapshotResult): Readonly<Partial<Record<KindName, readonly LiveObject[]>>> {
  return Object.fromEntries(allKinds.map(({ name }) => [name, reading.lists.get(listKey(scope, name))?.objects ?? []]));
}
