import { collectionOf, allKinds } from "../kinds/registry.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { type KindName } from "../model/kind-name.ts";
import { listKey, type LiveList } from "../model/live.ts";
import { listProblems } from "../world/list-problems.ts";

/** Lists, and what was found out about the routes of them. */
export interface ListsWithRoutes {
  readonly lists: ReadonlyMap<string, LiveList>;
  /** A warning for each kind that the service lists for whole organizations only. */
  readonly diagnostics: readonly Diagnostic[];
}

/** An organization, and its projects. */
type OrganizationScopes = readonly [organization: string, projects: readonly string[]];

/**
 * Makes lists empty whose routes only some services have.
 *
 * If none of an organization's projects has the list of a kind, and the organization's own list of that kind was read, nothing
 * is missing: the organization's list shows the same objects. A single project without the route stays an error.
 */
export function withoutMissingRoutes(
  lists: ReadonlyMap<string, LiveList>,
  organizations: readonly OrganizationScopes[],
): ListsWithRoutes {
  const missing = organizations.flatMap(([organization, projects]) =>
    allKinds.flatMap(({ name: kind }) => {
      const isElsewhere = lists.get(listKey(organization, kind))?.status === "known";
      const ofProjects = projects.map((project) => lists.get(listKey(project, kind)));
      const isMissing = isElsewhere && ofProjects.length > 0 && ofProjects.every(isUndocumentedRoute);
      return isMissing ? [{ organization, projects, kind }] : [];
    }),
  );
  const empty = missing.flatMap(({ projects, kind }) =>
    projects.map((project) => [listKey(project, kind), { status: "known", objects: [] }] as const),
  );
  return {
    lists: new Map<string, LiveList>([...lists, ...empty]),
    diagnostics: missing.map(({ organization, kind }) => onlyElsewhere(organization, kind)),
  };
}

/** What has to be said about lists and their routes. */
export function routeProblems({ lists, diagnostics }: ListsWithRoutes): readonly Diagnostic[] {
  return [...listProblems(lists.values()), ...diagnostics];
}

function isUndocumentedRoute(list: LiveList | undefined): boolean {
  return list?.status === "unknown" && list.route === "undocumented";
}

function onlyElsewhere(address: string, kind: KindName): Diagnostic {
  const message = `the service does not list the ${collectionOf(kind)} of projects: all of them are listed under the organization`;
  return { severity: "warning", code: "route_missing", message, address };
}
