/** Finds the declared organizations and projects among the live ones. */
import { CODES } from "../model/diagnostic-codes.ts";
import { quoted, visible } from "../model/text/quote.ts";
import { FIRST_PROJECT, type ListedProject, listsProjects, projectsOf } from "../kinds/live-organization.ts";
import { type Diagnostic, warningAt } from "../model/diagnostic.ts";
import type { LiveList, LiveObject, LiveScope } from "../model/live.ts";
import { type DesiredGraph, keyIn, type ProjectScope, type Resource } from "../model/resource.ts";
import { didYouMean, suggest } from "../model/text/suggest.ts";
import { formerNamesOf, matchBeside, type Matching } from "./former-names.ts";
import { indexOf, type Match } from "./match.ts";
import { organizationsOf, scopeOnly } from "./scopes-from-pins.ts";
import { canonicalJson } from "../model/json/canonical-json.ts";

export interface ResolvedScopes {
  readonly scopes: ReadonlyMap<string, LiveScope>;
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
  const live = new Map<string, LiveObject | undefined>();
  const index = indexOf(organizations);
  const formerNames = formerNamesOf(organizationsOf(graph));
  const renamed = new Map<string, string>();
  // Two resources may find one organization, so only claims by a rename count.
  const matching: Matching = { formerNames, claims: renamed, renamed, contested: new Map() };
  const matches = new Map(formerNames.inOrder.map((one) => [one.address, matchBeside(matching, one, [index])]));
  for (const resource of organizationsOf(graph)) {
    const match = matches.get(resource.address) ?? { type: "absent" };
    const organization = match.type === "found" ? match.live : trustedOrganization(resource, match);
    live.set(resource.address, organization);
    scopes.set(resource.address, organizationScope(resource, match, organization));
  }
  for (const project of graph.projects) {
    const organization = live.get(project.organization);
    const scope =
      organization === undefined
        ? (scopes.get(project.organization) ?? { status: "absent" })
        : projectScope(project, organization);
    scopes.set(project.address, scope);
    if (organization === undefined) {
      if (scope.status === "absent") diagnostics.push(...newOrganizationWarnings(graph, project));
      continue;
    }
    const projects = projectsOf(organization);
    if (scope.status === "unknown") diagnostics.push(unresolvedProject(project, scope.reason, projects, graph));
    else if (projects === undefined) diagnostics.push(uncheckedProject(project));
    else diagnostics.push(...otherNameWarnings(project, projects));
  }
  diagnostics.push(...duplicateScopes([...organizationsOf(graph), ...graph.projects], scopes));
  return { scopes, diagnostics };
}

/** `unknown_project` is a mistake in the configuration. A service that lists no projects is not. */
function unresolvedProject(
  project: ProjectScope,
  message: string,
  projects: readonly ListedProject[] | undefined,
  graph: DesiredGraph,
): Diagnostic {
  const common = { severity: "error" as const, message, address: project.address, ...project.position };
  if (projects === undefined)
    return { ...common, code: CODES.projectsNotListed, hint: "The key may not be allowed to see them." };
  const close =
    project.name === undefined
      ? undefined
      : suggest(
          project.name,
          projects.map((one) => one.name),
        );
  const known = projects.map(({ id, name }) => `${quoted(name)} (id ${visible(id)})`).join(", ");
  if (close !== undefined && close === project.name)
    return { ...common, code: CODES.unknownProject, hint: "Declare the `id` of the project." };
  const created =
    project.id === undefined
      ? " driftline never creates a project: make it in the service's web interface, or with Terraform."
      : "";
  const hint =
    didYouMean(declaredKeyNear(project, graph.projects) ?? (close && quoted(close))) ??
    `Its projects are ${known || "none that the key can see"}.${created}`;
  return { ...common, code: CODES.unknownProject, hint };
}

/** A project that is only a key may be meant for one that another file declares. */
function declaredKeyNear(
  { address, organization, name }: ProjectScope,
  projects: DesiredGraph["projects"],
): string | undefined {
  if (name !== keyIn(address)) return undefined;
  const others = projects.filter((one) => one.address !== address && one.organization === organization);
  return suggest(
    name,
    others.map((one) => keyIn(one.address)),
  );
}

/** A project that is found by its id, and declared with another name than it has: somebody expects that it gets that name. */
function otherNameWarnings(project: ProjectScope, projects: readonly ListedProject[]): readonly Diagnostic[] {
  const { id, name } = project;
  const live = projects.find((one) => one.id === id);
  if (live === undefined || name === undefined || name === live.name) return [];
  const message = `the project is called ${quoted(live.name)}, not ${quoted(name)}`;
  const hint = "Declare the name that it has, or none: driftline does not rename projects.";
  return [warningAt(project, { code: "project_name_differs", message, hint })];
}

/** A project of an organization that does not exist yet. The interface has no operation that creates one. */
function newOrganizationWarnings({ resources }: DesiredGraph, project: ProjectScope): readonly Diagnostic[] {
  const { organization, name } = project;
  const parent = resources.find((one) => one.address === organization && one.lifecycle.state !== "absent");
  if (parent === undefined) return [];
  const made = `a new organization has one project, ${quoted(FIRST_PROJECT)}, and driftline cannot create others`;
  const message = `the organization of the project does not exist yet: ${made}`;
  const hint =
    name === FIRST_PROJECT
      ? "Apply again once the organization exists."
      : `Declare the project with the name ${quoted(FIRST_PROJECT)}, or create it in the service's web interface once the organization exists. Then apply again.`;
  return [warningAt(project, { code: "project_not_created", message, hint })];
}

/** A given project id that could not be checked. */
export function uncheckedProject(
  project: Pick<ProjectScope, "id" | "address"> & Partial<Pick<ProjectScope, "position">>,
): Diagnostic {
  const message = `the organization does not list its projects, so the project id ${project.id ?? ""} was not checked`;
  const hint = "Make sure that the id is right. The key may not be allowed to see the projects.";
  return warningAt(project, { code: CODES.projectsNotListed, message, hint });
}

/** The organization of a declared id, if the key may not read organizations. */
function trustedOrganization({ pin }: Resource, match: Match): LiveObject | undefined {
  return pin !== undefined && match.type === "unknown" && match.isDenied ? scopeOnly(pin.value) : undefined;
}

function organizationScope(resource: Resource, match: Match, live: LiveObject | undefined): LiveScope {
  if (live !== undefined) return { status: "known", path: { organization_id: live.id } };
  if (match.type === "absent") return { status: "absent" };
  const reason = match.type === "unknown" ? match.reason : `organization ${resource.address} could not be identified`;
  return { status: "unknown", reason, isDenied: match.type === "unknown" && match.isDenied };
}

function projectScope(project: ProjectScope, organization: LiveObject): LiveScope {
  const unknown = (reason: string): LiveScope => ({ status: "unknown", reason, isDenied: false });
  const projects = projectsOf(organization);
  if (projects === undefined)
    return project.id === undefined || listsProjects(organization)
      ? unknown(`the organization of project ${project.address} does not list its projects`)
      : { status: "known", path: { project_id: project.id } };
  const [field, wanted] =
    project.id === undefined ? (["name", project.name ?? ""] as const) : (["id", project.id] as const);
  const matching = projects.filter((one) => one[field] === wanted);
  const [first] = matching;
  if (first === undefined)
    return unknown(`project ${project.address}: the organization has no project with the ${field} ${quoted(wanted)}`);
  if (matching.length > 1) {
    const ids = matching.map((one) => one.id).join(", ");
    return unknown(
      `project ${project.address}: several projects have the ${field} ${quoted(wanted)} (ids ${visible(ids)})`,
    );
  }
  return { status: "known", path: { project_id: first.id } };
}

/**
 * The errors about organizations and projects that another declaration, which comes first, declares as well. Only the service shows
 * that an id and a name, or two ids under two organizations, are one. Each of two declarations would take the objects of the other one
 * for undeclared, or for missing.
 */
function duplicateScopes(
  declared: readonly Pick<ProjectScope, "address" | "position">[],
  scopes: ReadonlyMap<string, LiveScope>,
): readonly Diagnostic[] {
  const seen = new Map<string, string>();
  return declared.flatMap(({ address, position }): readonly Diagnostic[] => {
    const scope = scopes.get(address);
    if (scope?.status !== "known") return [];
    const id = canonicalJson(scope.path);
    const first = seen.get(id);
    seen.set(id, first ?? address);
    if (first === undefined) return [];
    const message = `${first} declares the same one (id ${visible(Object.values(scope.path).join(" "))})`;
    const hint = `Declare both under one key: move what is in ${address} to ${first}.`;
    return [{ severity: "error", code: CODES.duplicateScope, message, hint, address, ...position }];
  });
}
