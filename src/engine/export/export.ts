import { CODES } from "../../model/diagnostic-codes.ts";
import type { Client } from "../../api/client.ts";
import { isBeyondDocument } from "../../api/operations/index.ts";
import type { ExportOrganization, ObjectsByKind } from "../../export/types.ts";
import type { Kind, ScopeType } from "../../kinds/kind.ts";
import { scopesOfKind, collectionOf, allKinds, scopeType } from "../../kinds/registry.ts";
import { webPageOf } from "../../kinds/web-page.ts";
import { type ListRead, listReads } from "../../kinds/world.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json/json.ts";
import { type KindName } from "../../model/kind-name.ts";
import { isGoneList, listKey, type LiveObject, type LiveScope, scopePathAt, type Unread } from "../../model/live.ts";
import { uncheckedProject } from "../../plan/resolve-scopes.ts";
import { listProblems } from "../../world/list-problems.ts";
import type { OnRows } from "../../world/list-reader.ts";
import { readOrganizations } from "../../world/organizations.ts";
import { readLists } from "../../world/read-lists.ts";
import { listedKinds } from "../collections.ts";
import {
  type ExportSelection,
  knownByIdOnly,
  selectOrganizations,
  selectedIds,
  type SelectedOrganization,
} from "./selection.ts";
import { nothingReadable, type UnreadList, withIdsHint } from "./unreadable-lists.ts";
import { type ListsWithRoutes, withoutMissingRoutes } from "../missing-routes.ts";

/** Rows per page of long lists. An export is not in a hurry, and large pages take a service seconds. */
const SMALL_PAGE = 200;

/** Live organizations with everything in them, from which configurations and programs are written. */
export interface ExportSnapshot {
  readonly organizations: readonly ExportOrganization[];
  /** Returns the rows in which an object was listed. */
  readonly rowsOf: (live: LiveObject) => readonly (readonly JsonObject[])[];
  /** The page of an object in the web interface, if it is known. */
  readonly pageOf: (live: LiveObject) => string | undefined;
  /** What could not be read. Errors among the diagnostics say why. */
  readonly unread: readonly UnreadList[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads organizations with everything in them. Sends GET only.
 *
 * @param options `keepsRows`: whether `rowsOf` is needed. Rows take more memory than all the objects made from them
 * @throws EngineError `failed` if a selected organization or project does not exist, or its name is not unique
 */
export async function exportOrganizations(
  client: Client,
  selection: ExportSelection = {},
  { keepsRows = true }: { readonly keepsRows?: boolean } = {},
): Promise<ExportSnapshot> {
  const rows = keepsRows ? new ListedRows() : undefined;
  const rowsOf: ExportSnapshot["rowsOf"] = (live) => rows?.of(live) ?? [];
  const nothing = { organizations: [], rowsOf, pageOf: () => undefined, unread: [] } as const;
  const result = await findSelected(client, selection, rows);
  if (result.selected === undefined) return { ...nothing, diagnostics: result.diagnostics };
  const { selected, idOnly } = result;
  const scopes = new Map(selected.flatMap(scopesOf));
  const reads = readsOf(scopes, client.profile, selection).map((read) => ({ ...read, hasGivenIds: idOnly.length > 0 }));
  const { lists } = await readLists(client, reads, { pageSize: SMALL_PAGE, onRows: rows?.add });
  const projects = selected.map(({ organization: { id } }) => [id, projectsIn(scopes, id)] as const);
  const whole = withoutMissingRoutes(lists, projects);
  const unread = unreadLists(reads, whole);
  if (idOnly.length > 0 && idOnly.length === selected.length && unread.length === reads.length)
    return { ...nothing, diagnostics: nothingReadable(whole.lists.values(), unread, selection) };
  const projectsOnly = selectsProjectsOnly(selection);
  const snapshot: ExportSnapshot = {
    organizations: selected.map((one) => ({ ...assemble(one, whole), projectsOnly })),
    rowsOf,
    pageOf: (live) => webPageOf(client.url, scopePathAt(scopes, live.scope), live),
    unread: unread.map((list) => ({ ...list, scope: nameOfScope(selected, list.scope) })),
    diagnostics: [
      ...result.diagnostics,
      ...selected.flatMap((one) => unlistedProjects(one)),
      ...(selection.project !== undefined && client.profile === "document" ? selected.map(listedElsewhere) : []),
      ...listProblems(whole.lists.values()),
      ...whole.diagnostics,
    ],
  };
  return selection.kinds === undefined ? snapshot : onlyKinds(snapshot, selection.kinds);
}

/** The part of a snapshot that is of some kinds. An organization is only named if it is none of them. */
export function onlyKinds(snapshot: ExportSnapshot, wanted: readonly KindName[]): ExportSnapshot {
  const keep = (lists: ObjectsByKind): ObjectsByKind =>
    Object.fromEntries(wanted.map((name) => [name, lists[name] ?? []]));
  const inProjects = wanted.some((name) => scopesOfKind(name).includes("project"));
  const organizations = snapshot.organizations.map((organization) => ({
    ...organization,
    lists: keep(organization.lists),
    projects: inProjects ? organization.projects.map((project) => ({ ...project, lists: keep(project.lists) })) : [],
    projectsOnly: organization.projectsOnly === true || !wanted.includes(organization.organization.kind),
  }));
  return { ...snapshot, organizations, unread: snapshot.unread.filter(({ kind }) => wanted.includes(kind)) };
}

/** The organizations that a key sees, with their projects, or why it sees none. Sends GET only. */
export async function findOrganizations(
  client: Client,
  { organization }: ExportSelection,
): Promise<{ readonly organizations: readonly SelectedOrganization[]; readonly diagnostics: readonly Diagnostic[] }> {
  const { selected = [], diagnostics } = await findSelected(client, { organization }, undefined);
  return { organizations: selected, diagnostics };
}

function selectsProjectsOnly({ project, besideProjects }: ExportSelection): boolean {
  return project !== undefined && besideProjects !== true;
}

/** What was selected, or why nothing could be. */
interface SelectionResult {
  readonly selected?: readonly SelectedOrganization[];
  /** Those that the key may not read. */
  readonly idOnly: readonly LiveObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Finds the selected organizations on the service. @throws EngineError `failed` if one does not exist */
async function findSelected(
  client: Client,
  selection: ExportSelection,
  rows: ListedRows | undefined,
): Promise<SelectionResult> {
  const ids = selectedIds(selection);
  const needsList = ids.length < (selection.organization?.length ?? 0);
  const { list } = await readOrganizations(client, ids, { onRows: rows?.add, needsList });
  const problems = listProblems([list]);
  const organizations = list.objects;
  const hidden = list.status === "known" ? [...(list.hidden?.values() ?? [])] : [];
  if (hidden.length > 0) return { idOnly: [], diagnostics: hidden.map(hiddenOrganization) };
  const denied = list.status === "unknown" && list.isDenied && !needsList ? list : undefined;
  // The lists in an organization may need no right to read the organization itself, so its id is trusted.
  const idOnly = denied === undefined ? [] : knownByIdOnly(organizations, selection);
  if (list.status === "unknown" && (organizations.length + idOnly.length === 0 || needsList))
    return {
      idOnly,
      diagnostics: list.isDenied && list.problem?.isKeyRejected !== true ? problems.map(withIdsHint) : problems,
    };
  const isLeftOut = denied !== undefined && !selectsProjectsOnly(selection);
  return {
    selected: selectOrganizations(organizations, idOnly, selection),
    idOnly,
    diagnostics: [
      ...(idOnly.length === 0 ? problems : []),
      ...(isLeftOut ? idOnly.map(({ id }) => unreadOrganization(id, denied.reason)) : []),
    ],
  };
}

function unreadLists(reads: readonly ListRead[], { lists }: ListsWithRoutes): readonly UnreadList[] {
  return reads.flatMap(({ scope, kind }) => {
    const list = lists.get(listKey(scope, kind));
    if (list?.status !== "unknown" || isGoneList(list)) return [];
    return [{ kind, scope, missingPermission: list.missingPermission, route: list.route }];
  });
}

/** The rows of all lists, by scope and kind. */
class ListedRows {
  readonly #rows = new Map<string, readonly (readonly JsonObject[])[]>();

  readonly add: OnRows = (rows, { scope, kind }) => {
    const key = listKey(scope, kind);
    this.#rows.set(key, [...(this.#rows.get(key) ?? []), ...Object.values(rows)]);
  };

  of({ scope, kind }: LiveObject): readonly (readonly JsonObject[])[] {
    return this.#rows.get(listKey(scope, kind)) ?? [];
  }
}

function projectsIn(scopes: ReadonlyMap<string, LiveScope>, organization: string): readonly string[] {
  return [...scopes.keys()].filter((scope) => scope.startsWith(`${organization}/`));
}

/** What people call a scope: the name of its organization, and that of its project. */
function nameOfScope(selected: readonly SelectedOrganization[], scope: string): string {
  const [id = "", project] = scope.split("/");
  const holder = selected.find(({ organization }) => organization.id === id);
  const { name } = holder?.projects.find((one) => one.id === project) ?? {};
  if (project !== undefined && name?.trim() === "") return `project ${project}`;
  return name ?? holder?.organization.keys[0] ?? scope;
}

/** A selected organization that no list shows, and that could not be read by its id. */
function hiddenOrganization({ reason, isDenied }: Unread): Diagnostic {
  const hint = "Check the id, and that the API key may read the organization.";
  const message = `an organization could not be read: ${reason}`;
  return { severity: "error", code: isDenied ? CODES.accessDenied : "unreadable", message, hint };
}

/** An organization that the key may not read. Only what is in it can be exported. */
function unreadOrganization(address: string, reason: string): Diagnostic {
  const message = `the settings and the projects of the organization are left out: ${reason}`;
  const hint = "Give the API key the scope organization:read, or select projects by their ids, with --project.";
  return { severity: "error", code: CODES.accessDenied, message, hint, address };
}

/** If the service does not list projects, only those that were selected by id are exported. That must not look as if there were no others. */
function unlistedProjects({
  organization,
  idOnly,
  projects,
  hidesProjects,
}: SelectedOrganization): readonly Diagnostic[] {
  if (!hidesProjects || (idOnly && projects.length === 0)) return [];
  if (projects.length > 0) return projects.map(({ id }) => uncheckedProject({ id, address: organization.id }));
  const message = "the organization does not list its projects, so none is exported";
  const hint = "The key may not be allowed to see them.";
  return [{ severity: "warning", code: CODES.projectsNotListed, message, hint, address: organization.id }];
}

/** The profile `document` has no list of some kinds in projects. Without the organization they are not exported. */
function listedElsewhere({ organization }: SelectedOrganization): Diagnostic {
  const unlisted = allKinds
    .filter(
      (kind) => scopesOfKind(kind.name).includes("project") && kind.lists.operations("project").some(isBeyondDocument),
    )
    .map(({ name }) => collectionOf(name));
  const message = `not exported: ${unlisted.join(", ")}, which the interface lists only for the whole organization`;
  const hint = "Without --project they are exported under the organization.";
  return { severity: "warning", code: "route_missing", message, hint, address: organization.id };
}

/** The scopes of an organization and its projects. Their addresses are ids, because nothing has a logical name yet. */
function scopesOf({ organization, projects }: SelectedOrganization): readonly (readonly [string, LiveScope])[] {
  return [
    [organization.id, { status: "known", path: { organization_id: organization.id } }],
    ...projects.map(({ id }): [string, LiveScope] => [
      `${organization.id}/${id}`,
      { status: "known", path: { project_id: id } },
    ]),
  ];
}

/** Lists every kind that is exported itself, rather than as a part of another one. */
function readsOf(
  scopes: ReadonlyMap<string, LiveScope>,
  profile: Client["profile"],
  selection: ExportSelection,
): readonly ListRead[] {
  const reads = [...scopes.keys()].flatMap((scope) => {
    const type = scopeType(scope);
    const listed = listedKinds(type, profile).filter((kind) => isSelectedKind(kind, type, selection));
    // The full view costs a service many times as much. What only it shows is not exported.
    return listed.map(({ name }) => ({ scope, kind: name, isFull: false }));
  });
  return listReads({ scopes }, reads);
}

/** Whether a list is read. The lists of an organization also show objects of projects that were not selected. */
function isSelectedKind({ name }: Kind, type: ScopeType, selection: ExportSelection): boolean {
  if (selection.kinds?.includes(name) === false) return false;
  if (type === "project" || selection.project === undefined) return true;
  return selection.besideProjects === true && !scopesOfKind(name).includes("project");
}

function assemble(selected: SelectedOrganization, reading: ListsWithRoutes): ExportOrganization {
  const { id } = selected.organization;
  const projects = selected.projects.map((project) => ({ ...project, lists: listsOf(`${id}/${project.id}`, reading) }));
  return { ...selected, lists: listsOf(id, reading), projects };
}

function listsOf(scope: string, reading: ListsWithRoutes): ObjectsByKind {
  return Object.fromEntries(allKinds.map(({ name }) => [name, reading.lists.get(listKey(scope, name))?.objects ?? []]));
}
