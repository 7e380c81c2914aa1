import { quoted, visible } from "../model/quote.ts";
import { kinds, projectsOf } from "../kinds/registry.ts";
import { isSelected, overlaps } from "../model/plan.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveList, LiveObject, LiveScope } from "../model/live.ts";
import type { DesiredGraph, ProjectScope, Resource } from "../model/resource.ts";
import { suggest } from "../model/suggest.ts";
import { stepBeforeUpdate } from "./step-before-update.ts";
import { indexOf, match, type Match } from "./match.ts";
import { isRemoval, type Change } from "../model/change.ts";

export interface ResolvedScopes {
  readonly scopes: ReadonlyMap<string, LiveScope>;
  /** Addresses of scopes that the key may not read, so only their declared ids are known. */
  readonly unchecked: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds the declared organizations and projects among the live ones, so that their resources can be listed. Organizations are
 * matched like any resource. A project must be one of those that its organization lists. The interface document does not
 * promise that list: if it is missing, a declared project id is trusted. So is the declared id of an organization that the key
 * may not read: what is declared in it may need no scope of organizations.
 */
export function resolveScopes(graph: DesiredGraph, organizations: LiveList): ResolvedScopes {
  const scopes = new Map<string, LiveScope>([["", { status: "known", path: {} }]]);
  const diagnostics: Diagnostic[] = [];
  const unchecked = new Set<string>();
  const live = new Map<string, LiveObject | undefined>();
  const index = indexOf(organizations);
  for (const resource of organizationsOf(graph)) {
    const found = match(kinds.organization, resource, [index], new Set());
    const organization = found.type === "found" ? found.live : trustedOrganization(resource, found);
    live.set(resource.address, organization);
    if (organization?.values === NOTHING_KNOWN) unchecked.add(resource.address);
    scopes.set(resource.address, organizationScope(resource, found, organization));
  }
  for (const project of graph.projects) {
    const organization = live.get(project.organization);
    const scope =
      organization === undefined
        ? (scopes.get(project.organization) ?? { status: "absent" })
        : projectScope(project, organization);
    scopes.set(project.address, scope);
    if (organization === undefined) {
      if (scope.status === "absent") diagnostics.push(...inNewOrganization(graph, project));
      continue;
    }
    if (scope.status === "unknown") diagnostics.push(unresolved(project, scope.reason, organization));
    else if (projectsOf(organization) === undefined) {
      unchecked.add(project.address);
      diagnostics.push(uncheckedProject(project));
    }
  }
  return { scopes, unchecked, diagnostics };
}

/** `unknown_project` is a mistake in the configuration. A service that lists no projects is not. */
function unresolved(project: ProjectScope, message: string, organization: LiveObject): Diagnostic {
  const common = { severity: "error" as const, message, address: project.address, ...project.position };
  const teams = projectsOf(organization);
  if (teams === undefined)
    return { ...common, code: "projects_not_listed", hint: "The key may not be allowed to see them." };
  const close =
    project.name === undefined
      ? undefined
      : suggest(
          project.name,
          teams.map((team) => team.name),
        );
  const known = teams.map(({ id, name }) => `${quoted(name)} (id ${visible(id)})`).join(", ");
  if (close !== undefined && close === project.name)
    return { ...common, code: "unknown_project", hint: "Declare the `id` of the project." };
  const hint =
    close === undefined
      ? `Its projects are ${known || "none that the key can see"}.`
      : `Did you mean ${quoted(close)}?`;
  return { ...common, code: "unknown_project", hint };
}

/** A project of an organization that does not exist yet. The interface has no operation that creates one. */
function inNewOrganization({ resources }: DesiredGraph, project: ProjectScope): readonly Diagnostic[] {
  const { address, organization, name, position } = project;
  const parent = resources.find((one) => one.address === organization && one.lifecycle.state !== "absent");
  const first = parent && kinds[parent.kind].asScope?.firstProject;
  if (first === undefined) return [];
  const made = `a new organization has one project, ${quoted(first)}, and driftline cannot create others`;
  const message = `the organization of the project does not exist yet: ${made}`;
  const hint =
    name === first
      ? "Apply again once the organization exists."
      : `Declare the project with the name ${quoted(first)}, or create it in the service's web interface once the organization exists. Then apply again.`;
  return [{ severity: "warning", code: "project_not_created", message, hint, address, ...position }];
}

/** A given project id that could not be checked. */
export function uncheckedProject({
  id = "",
  address,
  position,
}: Pick<ProjectScope, "id" | "address"> & Partial<Pick<ProjectScope, "position">>): Diagnostic {
  const message = `the organization does not list its projects, so the project id ${id} was not checked`;
  const hint = "Make sure that the id is right. The key may not be allowed to see the projects.";
  return { severity: "warning", code: "projects_not_listed", message, hint, address, ...position };
}

/** The organization of a declared id, if the key may not read organizations. */
function trustedOrganization({ pin }: Resource, found: Match): LiveObject | undefined {
  return pin !== undefined && found.type === "unknown" && found.denied ? scopeOnly(pin.value) : undefined;
}

function organizationScope(resource: Resource, found: Match, live: LiveObject | undefined): LiveScope {
  if (live !== undefined) return { status: "known", path: { organization_id: live.id } };
  if (found.type === "absent") return { status: "absent" };
  const reason = found.type === "unknown" ? found.reason : `organization ${resource.address} could not be identified`;
  return { status: "unknown", reason, denied: found.type === "unknown" && found.denied };
}

function projectScope(project: ProjectScope, organization: LiveObject): LiveScope {
  const unknown = (reason: string): LiveScope => ({ status: "unknown", reason, denied: false });
  const teams = projectsOf(organization);
  if (teams === undefined)
    return project.id === undefined || kinds[organization.kind].asScope?.listsProjects(organization.values) === true
      ? unknown(`the organization of project ${project.address} does not list its projects`)
      : { status: "known", path: { project_id: project.id } };
  const [field, wanted] =
    project.id === undefined ? (["name", project.name ?? ""] as const) : (["id", project.id] as const);
  const found = teams.filter((team) => team[field] === wanted);
  const [team] = found;
  if (team === undefined)
    return unknown(`project ${project.address}: the organization has no project with the ${field} ${quoted(wanted)}`);
  if (found.length > 1) {
    const ids = found.map((one) => one.id).join(", ");
    return unknown(
      `project ${project.address}: several projects have the ${field} ${quoted(wanted)} (ids ${visible(ids)})`,
    );
  }
  return { status: "known", path: { project_id: team.id } };
}

/**
 * Returns the scopes whose ids are declared, so that they can be listed before the organizations are read. They may not exist,
 * and a project may be in another organization: `resolveScopes` checks that before anything read from them is used.
 */
export function pinnedScopes(graph: DesiredGraph): ReadonlyMap<string, LiveScope> {
  const organizations = organizationsOf(graph).flatMap(({ address, pin }): [string, LiveScope][] =>
    pin === undefined ? [] : [[address, { status: "known", path: { organization_id: pin.value.toLowerCase() } }]],
  );
  const known = graph.projects.flatMap(({ address, id }): [string, LiveScope][] =>
    id === undefined ? [] : [[address, { status: "known", path: { project_id: id } }]],
  );
  return new Map([...organizations, ...known]);
}

/**
 * Returns the organizations by their pins alone, if that is enough to plan the resources at `only`. Otherwise undefined.
 *
 * When the organizations are read:
 * - not, if each organization is only a scope with resources of its own in the plan, and no project is declared. Their lists
 *   prove that the organizations exist. `needsOrganizations` then says whether the plan needs them after all.
 * - in all other cases, at the same time as the lists of pinned scopes. If the key may not read them, `withScopesFromPins` takes
 *   the declared ids instead, and `needsOnlyPins` says whether that is enough or is reported as an error.
 */
export function organizationsFromPins(graph: DesiredGraph, only: readonly string[]): LiveList | undefined {
  const { resources, projects } = graph;
  const organizations = organizationsOf(graph);
  const listed = new Set(resources.filter(({ address }) => isSelected(address, only)).map(({ scope }) => scope));
  const ids = organizations.flatMap((one) => (isOnlyScope(one) && listed.has(one.address) ? [one.pin.value] : []));
  if (ids.length === 0 || ids.length < organizations.length || projects.length > 0) return undefined;
  return { status: "known", objects: ids.map(scopeOnly) };
}

/** What a pin shows of an organization. */
const NOTHING_KNOWN: LiveObject["values"] = Object.freeze({});

/** An organization that is only known by its id. */
export function scopeOnly(pin: string): LiveObject {
  const id = pin.toLowerCase();
  return { kind: "organization", scope: "", id, pins: { id }, keys: [], values: NOTHING_KNOWN, onDifference: "update" };
}

/** The declared organizations. */
export function organizationsOf({ resources }: DesiredGraph): readonly Resource[] {
  return resources.filter(({ kind }) => kind === "organization");
}

/** Whether nothing is declared of an organization but its id. */
function isOnlyScope(resource: Resource): resource is Resource & { readonly pin: NonNullable<Resource["pin"]> } {
  const { pin, values, lifecycle } = resource;
  return pin !== undefined && Object.keys(values).length === 0 && lifecycle.state !== "absent";
}

/** Whether a plan of `only` lists anything in an organization or its projects. If it does, those lists prove that it exists. */
function isListed({ resources, exclusive }: DesiredGraph, only: readonly string[], address: string): boolean {
  const scopes = resources.filter((one) => isSelected(one.address, only)).map(({ scope }) => scope);
  return [...scopes, ...exclusive.map(({ scope }) => scope)].some((one) => isSelected(one, [address]));
}

/**
 * Whether the declared ids are all that a plan of the resources at `only` has to know of organizations and projects. Then a key
 * needs no right to read organizations.
 */
export function needsOnlyPins(graph: DesiredGraph, only: readonly string[]): boolean {
  const isPinned = (one: Resource): boolean =>
    one.pin !== undefined &&
    (!isSelected(one.address, only) || (isOnlyScope(one) && isListed(graph, only, one.address)));
  return (
    organizationsOf(graph).every((one) => !overlaps(one.address, only) || isPinned(one)) &&
    graph.projects.every(({ address, id }) => !overlaps(address, only) || id !== undefined)
  );
}

/** Adds the organizations that are only scopes to a list that the key may not read, by their declared ids. */
export function withScopesFromPins(graph: DesiredGraph, only: readonly string[], organizations: LiveList): LiveList {
  const known = new Set(organizations.objects.map(({ id }) => id));
  const trusted = organizationsOf(graph).flatMap((one) =>
    isOnlyScope(one) && isListed(graph, only, one.address) && !known.has(one.pin.value.toLowerCase())
      ? [{ ...scopeOnly(one.pin.value), note: "the key may not read it, so only its id is known" }]
      : [],
  );
  return { ...organizations, objects: [...organizations.objects, ...trusted] };
}

/**
 * Whether a plan that was made from pins alone needs the organizations after all: they show the level of the key's own user,
 * whether the service is a deployed server, whether it shows all people, what goes with a removed object, and why nothing could be
 * listed in them.
 */
export function needsOrganizations(changes: readonly Change[]): boolean {
  return changes.some((change) => {
    const { action, kind } = change;
    const isOfPeople = kinds[kind].membership !== undefined && (action === "update" || action === "delete");
    const isReviewed = kinds[kind].review !== undefined && isRemoval(change);
    // Only the organization shows whether the list is whole in which nothing was found.
    const mayBeHidden = kinds[kind].lists.gap !== undefined && change.work?.live === undefined;
    return stepBeforeUpdate(change) !== undefined || isOfPeople || isReviewed || mayBeHidden || action === "unknown";
  });
}
