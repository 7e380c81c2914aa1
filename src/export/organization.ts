import { allKinds } from "../kinds/registry.ts";
import { compareText, slugOf, uniqueNames } from "./names.ts";
import { exportMemberships, ownInvites } from "./people.ts";
import { exportResources } from "./resources.ts";
import { type ExportSession, warn } from "./session.ts";
import type {
  ExportedResources,
  ExportedOrganization,
  ExportedProject,
  ExportOrganization,
  ExportProject,
  Lists,
  Scope,
} from "./types.ts";

/** Live organizations as what is written of them. The order of the lists makes no difference. */
export function exportOrganizations(
  organizations: readonly ExportOrganization[],
  session: ExportSession,
): readonly ExportedOrganization[] {
  const byObject = new Map(organizations.map((one) => [one.organization, one]));
  const exported = exportResources([...byObject.keys()], { type: "service", address: "" }, session);
  return exported.flatMap((organization) => {
    const found = byObject.get(organization.live);
    return found === undefined ? [] : [exportOrganization(organization, found, session)];
  });
}

/** An organization with everything in it. */
function exportOrganization(
  organization: ExportedResources,
  { lists, projects }: ExportOrganization,
  session: ExportSession,
): ExportedOrganization {
  const scope: Scope = { type: "organization", address: organization.address };
  // Before the organization's own lists, which show what belongs to projects once more.
  const inner = exportProjects(projects, organization.address, session);
  const members = lists.member ?? [];
  // Members become memberships; what else they were listed as would declare a person twice.
  const listed = {
    ...lists,
    member: [],
    membership: [],
    invite: ownInvites(lists.invite ?? [], members, scope, session),
  };
  const own = resourcesOf(listed, scope, session);
  const resources = inOrder([...own, ...exportMemberships(members, scope, session)]);
  return { organization, resources, projects: inner };
}

function exportProjects(
  projects: readonly ExportProject[],
  address: string,
  session: ExportSession,
): readonly ExportedProject[] {
  const unique = uniqueNames("-");
  const seen = new Set<string>();
  const ordered = projects.toSorted(
    (left, right) => compareText(left.name, right.name) || compareText(left.id, right.id),
  );
  return ordered.flatMap((project): readonly ExportedProject[] => {
    const { id, name, lists } = project;
    const distinct = session.ids ? id : name;
    if (distinct.trim() === "" || seen.has(distinct)) {
      if (!session.ids) reportProject(project, address, session);
      return [];
    }
    seen.add(distinct);
    const key = unique(slugOf(name, "project"));
    const scope: Scope = { type: "project", address: `${address}/projects/${key}` };
    return [{ id, name, key, resources: resourcesOf(lists, scope, session) }];
  });
}

function reportProject({ id, name }: ExportProject, address: string, session: ExportSession): void {
  const why = name.trim() === "" ? "it has no name" : `another one is called ${JSON.stringify(name)} as well`;
  const message = `project ${id} and what it holds is left out: ${why}`;
  warn(session, address, "ambiguous_key", message, "export with ids, or give it a name of its own");
}

/** The resources of a scope. */
function resourcesOf(lists: Lists, scope: Scope, session: ExportSession): readonly ExportedResources[] {
  const here = allKinds.filter((kind) => kind.scopes.includes(scope.type));
  const objects = here.flatMap((kind) => lists[kind.name] ?? []);
  return inOrder(exportResources(objects, scope, session));
}

/** Kind by kind, parents before children. */
function inOrder(resources: readonly ExportedResources[]): readonly ExportedResources[] {
  return allKinds.flatMap(({ name }) => resources.filter(({ kind }) => kind === name));
}
