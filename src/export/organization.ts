import { kinds, allKinds } from "../kinds/registry.ts";
import type { ValueObject } from "../model/json.ts";
import { compareText, slugOf, uniqueNames } from "./names.ts";
import { exportMemberships, ownInvites } from "./people.ts";
import { exportResources } from "./resources.ts";
import { type Session, warn } from "./session.ts";
import type { Exported, ExportOrganization, ExportProject, Lists, Scope } from "./types.ts";

/** An organization with everything in it, as it stands under its name in the configuration. */
export function exportOrganization(
  { fields, address }: Exported,
  { lists, projects }: ExportOrganization,
  session: Session,
): ValueObject {
  const scope: Scope = { type: "organization", address };
  // Before the organization's own lists, which show what belongs to projects once more.
  const inner = exportProjects(projects, address, session);
  const members = lists.member ?? [];
  // Members become memberships; what else they were listed as would declare a person twice.
  const listed = {
    ...lists,
    member: [],
    membership: [],
    invite: ownInvites(lists.invite ?? [], members, scope, session),
  };
  const collections = {
    ...collectionsOf(listed, scope, session),
    [kinds.membership.collection]: exportMemberships(members, scope, session),
  };
  return { ...fields, ...filled({ ...collections, projects: inner }) };
}

function exportProjects(projects: readonly ExportProject[], address: string, session: Session): ValueObject {
  const unique = uniqueNames("-");
  const seen = new Set<string>();
  const ordered = projects.toSorted(
    (left, right) => compareText(left.name, right.name) || compareText(left.id, right.id),
  );
  const entries = ordered.flatMap((project): [string, ValueObject][] => {
    const { id, name, lists } = project;
    const key = session.ids ? id : name;
    if (key.trim() === "" || seen.has(key)) {
      if (!session.ids) reportProject(project, address, session);
      return [];
    }
    seen.add(key);
    const slug = unique(slugOf(name, "project"));
    const scope: Scope = { type: "project", address: `${address}/projects/${slug}` };
    return [[slug, { ...(session.ids ? { id } : { name }), ...filled(collectionsOf(lists, scope, session)) }]];
  });
  return Object.fromEntries(entries);
}

function reportProject({ id, name }: ExportProject, address: string, session: Session): void {
  const why = name.trim() === "" ? "it has no name" : `another one is called ${JSON.stringify(name)} as well`;
  const message = `project ${id} and what it holds is left out: ${why}`;
  warn(session, address, "ambiguous_key", message, "export with ids, or give it a name of its own");
}

/** The resources of a scope by collection, parents before children. */
function collectionsOf(lists: Lists, scope: Scope, session: Session): Record<string, ValueObject> {
  const here = allKinds.filter((kind) => kind.scopes.includes(scope.type));
  const exported = exportResources(
    here.flatMap((kind) => lists[kind.name] ?? []),
    scope,
    session,
  );
  const collections = here.map(({ name, collection }): [string, ValueObject] => {
    const own = exported.filter(({ live }) => live.kind === name);
    return [collection, Object.fromEntries(own.map((resource) => [resource.name, resource.fields]))];
  });
  return Object.fromEntries(collections);
}

function filled(collections: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(collections).filter(([, value]) => Object.keys(value ?? {}).length > 0));
}
