import { compareNaturally } from "../model/compare-text.ts";
import { scopesOfKind, allKinds, scopeType } from "../kinds/registry.ts";
import { slugOf, uniqueNames } from "./names.ts";
import { exportMemberships, currentInvites } from "./people.ts";
import { exportResources } from "./resources.ts";
import type { ExportSession } from "./session.ts";
import type {
  ExportedResource,
  ExportedOrganization,
  ExportedProject,
  ExportOrganization,
  ExportProject,
  ObjectsByKind,
} from "./types.ts";

/** Collects the resources to export. The result does not depend on the order of the lists. */
export function collectOrganizations(
  organizations: readonly ExportOrganization[],
  session: ExportSession,
): readonly ExportedOrganization[] {
  const byObject = new Map(organizations.map((one) => [one.organization, one]));
  const exported = exportResources([...byObject.keys()], "", session);
  return exported.flatMap((organization) => {
    const listed = byObject.get(organization.live);
    return listed === undefined ? [] : [collectOrganization(organization, listed, session)];
  });
}

function collectOrganization(
  organization: ExportedResource,
  { lists, projects, projectsOnly = false, idOnly = false, sharesName }: ExportOrganization,
  session: ExportSession,
): ExportedOrganization {
  const { address, live } = organization;
  if (sharesName === true) warnSharedName("organization", live.id, address, session);
  // Projects come first, because the lists of the organization repeat some of their objects.
  const inner = collectProjects(projects, address, session);
  return { organization, projectsOnly, idOnly, resources: collectScope(lists, address, session), projects: inner };
}

function collectProjects(
  projects: readonly ExportProject[],
  address: string,
  session: ExportSession,
): readonly ExportedProject[] {
  const unique = uniqueNames("-");
  const exportedProjects = new Set<string>();
  const named = projects.map((project) => ({ ...project, name: writableName(project, address, session) }));
  const ordered = named.toSorted(
    (left, right) => compareNaturally(left.name, right.name) || compareNaturally(left.id, right.id),
  );
  return ordered.flatMap((project): readonly ExportedProject[] => {
    const { id, name, lists } = project;
    const sharing = session.ids ? [] : ordered.filter((other) => other.name === name);
    if (!session.ids && (name.trim() === "" || sharing.length > 1)) {
      if (sharing[0] === project) warnAmbiguousProjects(sharing, address, session);
      return [];
    }
    if (exportedProjects.has(id)) return [];
    exportedProjects.add(id);
    const key = unique(slugOf(name.trim() === "" ? id : name, "project"));
    const scope = `${address}/projects/${key}`;
    if (project.sharesName === true) warnSharedName("project", id, scope, session);
    return [{ id, name, key, resources: collectScope(lists, scope, session) }];
  });
}

/** The name of a project; an empty text, with a warning, if it holds a secret of this run. */
export function writableName(
  { id, name }: Pick<ExportProject, "id" | "name">,
  organization: string,
  session: ExportSession,
): string {
  if (!session.isSecret(name)) return name;
  const message = `the name of project ${id} is left out: it holds a secret of this run`;
  session.warn(organization, "not_declarable", message, "Rename the project.");
  return "";
}

/** A scope that is exported by a name that the service has twice. Only a plan against another service finds it. */
function warnSharedName(what: string, id: string, address: string, session: ExportSession): void {
  if (session.ids) return;
  const message = `another ${what} has the name of ${what} ${id}, so a plan against this service cannot find it by its name`;
  session.warn(address, "ambiguous_key", message, "Export without --no-ids, or give each a unique name.");
}

/** Projects that only their ids distinguish. */
function warnAmbiguousProjects(
  projects: readonly Pick<ExportProject, "id" | "name">[],
  address: string,
  session: ExportSession,
): void {
  const [name = ""] = projects.map((project) => project.name);
  const ids = projects.map(({ id }) => id).join(", ");
  const reason = name.trim() === "" ? "have no name" : `have the name ${JSON.stringify(name)}`;
  const message = `projects ${ids} and their resources are left out: they ${reason}`;
  session.warn(address, "ambiguous_key", message, "Export without --no-ids, or give each a unique name.");
}

/**
 * Collects the resources of a scope. The projects of an organization come before it, because its lists repeat some of their
 * objects.
 */
export function collectScope(lists: ObjectsByKind, scope: string, session: ExportSession): readonly ExportedResource[] {
  const members = lists.member ?? [];
  // Members become memberships. Exporting them as members too would declare a person twice.
  const invite = currentInvites(lists.invite ?? [], members, scope, session);
  const listed: ObjectsByKind = { ...lists, member: [], membership: [], invite };
  const here = allKinds.filter((kind) => scopesOfKind(kind.name).includes(scopeType(scope)));
  const objects = here.flatMap((kind) => listed[kind.name] ?? []);
  return inKindOrder([...exportResources(objects, scope, session), ...exportMemberships(members, scope, session)]);
}

/** Sorts by kind, parents before children. */
function inKindOrder(resources: readonly ExportedResource[]): readonly ExportedResource[] {
  return allKinds.flatMap(({ name }) => resources.filter(({ kind }) => kind === name));
}
