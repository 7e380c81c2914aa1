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
import { EXIT } from "../cli/exit-codes.ts";
import { failure } from "../cli/failure.ts";
import type { ServiceOptions } from "../cli/options.ts";
import { withoutMissingRoutes } from "./missing-routes.ts";

/** Ids of what is to be exported; without them it is everything that the key sees. */
export interface ExportSelection {
  readonly organization?: readonly string[];
  readonly project?: readonly string[];
}

/** What an export is made of. */
export interface ExportSnapshot {
  readonly organizations: readonly ExportOrganization[];
  /** The rows in which an object was seen. */
  readonly rowsOf: (live: LiveObject) => readonly (readonly JsonObject[])[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads organizations with everything in them.
 *
 * @throws Failure where one that was asked for is not there
 */
export async function readOrganizationsForExport(
  client: Client,
  options: ExportSelection & Partial<Pick<ServiceOptions, "profile">>,
): Promise<ExportSnapshot> {
  const rows = new Map<string, readonly (readonly JsonObject[])[]>();
  const seenIn =
    (scope: string, kind: KindName): OnRows =>
    (found) => {
      const key = listKey(scope, kind);
      rows.set(key, [...(rows.get(key) ?? []), ...Object.values(found)]);
    };
  const rowsOf = (live: LiveObject): readonly (readonly JsonObject[])[] =>
    rows.get(listKey(live.scope, live.kind)) ?? [];
  const root = await readOrganizations(client, options.organization ?? [], seenIn("", "organization"));
  const list = root.lists.get(listKey("", "organization"));
  const wanted = (list?.objects ?? []).filter(
    ({ id }) => options.organization === undefined || options.organization.includes(id),
  );
  if (list?.status === "unknown" && wanted.length === 0)
    return { organizations: [], rowsOf, diagnostics: root.diagnostics };
  const missing = options.organization?.filter((id) => !wanted.some((live) => live.id === id)) ?? [];
  if (missing.length > 0)
    throw failure(
      EXIT.error,
      "not_found",
      `the key sees no organization with the id ${missing.join(", ")}`,
      "Without --organization everything that the key sees is exported.",
    );
  requireProjects(wanted, options.project ?? []);
  const scopes = new Map(wanted.flatMap((organization) => scopesOf(organization, options.project)));
  const read = await takeSnapshot(
    client,
    scopes,
    [...scopes].flatMap(([scope, found]) =>
      listingsOf(scope, found, options.profile === "document").map((listing) => ({
        ...listing,
        onRows: seenIn(scope, listing.kind),
      })),
    ),
  );
  const reading = wanted.reduce(
    (so, { id }) =>
      withoutMissingRoutes(
        so,
        id,
        [...scopes.keys()].filter((scope) => scope.startsWith(`${id}/`)),
      ),
    read,
  );
  return {
    organizations: wanted.map((organization) => assemble(organization, scopes, reading)),
    rowsOf,
    diagnostics: [...root.diagnostics, ...wanted.flatMap(unlistedProjects), ...reading.diagnostics],
  };
}

/** Ends the command where a project that was asked for is in none of the organizations: its export would lack it. */
function requireProjects(organizations: readonly LiveObject[], asked: readonly string[]): void {
  const there = new Set(organizations.flatMap((organization) => (projectsOf(organization) ?? []).map(({ id }) => id)));
  const missing = asked.filter((id) => !there.has(id));
  if (missing.length === 0) return;
  const isKnown = organizations.every((organization) => projectsOf(organization) !== undefined);
  throw failure(
    EXIT.error,
    "not_found",
    `the key sees no project with the id ${missing.join(", ")}`,
    isKnown
      ? "Without --project all of them are exported."
      : "The service does not list the projects of an organization.",
  );
}

/** Where nothing is told of projects, nothing of them is exported: that must not look as if there were none. */
function unlistedProjects(organization: LiveObject): readonly Diagnostic[] {
  if (projectsOf(organization) !== undefined) return [];
  const message = "the organization does not list its projects: none is exported";
  const hint = "The key may not see them.";
  return [{ severity: "warning", code: "projects_not_listed", message, hint, address: organization.id }];
}

/** Scopes by id, since nothing has a logical name yet. */
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

/** Every kind that is exported in its own right. */
function listingsOf(scope: string, found: LiveScope, shownOnly: boolean): readonly Listing[] {
  const type = found.status === "known" && "project_id" in found.path ? "project" : "organization";
  const here = allKinds.filter((kind) => kind.scopes.includes(type) && kind.derived !== true);
  // The profile `document` asks for nothing that the interface does not show; the organization's list has the same objects.
  const asked = here.filter((kind) => !shownOnly || !kind.lists(type).some(isBeyondDocument));
  return asked.map(({ name }) => ({ scope, kind: name, full: true }));
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
