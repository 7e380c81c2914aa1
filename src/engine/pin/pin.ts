/**
 * Finds the ids of objects that were found by name, so that they can be declared.
 *
 * Premise: a name may be changed in the web interface; an id never changes. A pinned object that is renamed there is drift
 * that apply can put right, while without a pin it looks as if it were missing.
 */
import { withArticle } from "../../model/text/plural.ts";
import type { LoadedConfig } from "../../config/index.ts";
import { pinValue } from "../../export/identity.ts";
import { projectsOf } from "../../kinds/live-organization.ts";
import { webPageOf } from "../../kinds/web-page.ts";
import { listKey, scopePathAt } from "../../model/live.ts";
import { isSelected } from "../../model/plan.ts";
import type { Change } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { CODES } from "../../model/diagnostic-codes.ts";
import { isWanted, isWithin, type DesiredGraph, type ProjectScope, type Resource } from "../../model/resource.ts";
import { formerNamesOf, matchBeside } from "../../plan/former-names.ts";
import { indexOf, mayContain } from "../../plan/match.ts";
import type { Edit } from "../../edit/edit.ts";
import { requireResources } from "../addresses.ts";
import { engineError, EngineError } from "../../model/engine-error.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { addPin, shownPage } from "./pin-edits.ts";

/** A declaration without a pin, and the reason that it gets none. */
export interface Unpinned {
  readonly address: string;
  readonly reason: string;
}

export interface FoundPins {
  readonly edits: readonly Edit[];
  readonly unpinned: readonly Unpinned[];
}

/** An id that a person gives, for an object that has another name by now. */
export interface GivenId {
  readonly address: string;
  readonly id: string;
}

/** `acme/projects/web/insights/signups=7` or `acme=7`: an address with an id. Undefined if the text has none. */
export function parseGivenId(text: string): GivenId | undefined {
  const [, address, id] = /^((?:.+\/)?[^/=]+)=([^/=]+)$/u.exec(text) ?? [];
  return address === undefined || id === undefined ? undefined : { address, id };
}

/**
 * The configuration with the given ids as pins, so that a plan finds the objects by them.
 *
 * @throws EngineError `invalid` if nothing is declared at an address, or if it cannot be pinned by that id
 */
export function withGivenIds(config: LoadedConfig, given: readonly GivenId[]): LoadedConfig {
  if (given.length === 0) return config;
  const { graph } = config;
  const projects = graph.projects.map((project): ProjectScope => {
    const id = givenId(given, project.address);
    if (id !== undefined && project.id !== undefined) throw pinnedAlreadyError(project.address);
    return id === undefined ? project : { ...project, id };
  });
  const ofProjects = new Set(projects.map(({ address }) => address));
  requireResources(
    config,
    given.flatMap(({ address }) => (ofProjects.has(address) ? [] : [address])),
  );
  const resources = graph.resources.map((resource): Resource => {
    const { address, kind, pin } = resource;
    const id = givenId(given, address);
    if (id === undefined) return resource;
    if (pin !== undefined) throw pinnedAlreadyError(address);
    if (pinValue(kind, id) === undefined)
      throw engineError("invalid", "invalid_id", `${address} cannot be pinned by the id ${id}`, "Check the id.");
    return { ...resource, pin: { field: "id", value: id } };
  });
  return { ...config, graph: { ...graph, resources, projects } };
}

function givenId(given: readonly GivenId[], address: string): string | undefined {
  return given.find((one) => one.address === address)?.id;
}

function pinnedAlreadyError(address: string): EngineError {
  const message = `${address} is pinned already`;
  return engineError("invalid", "duplicate_pin", message, "Change its pin in the file yourself.");
}

/**
 * The configuration without the projects that a plan did not find, if nothing was asked for about them. An organization
 * with an id asks for nothing below it.
 *
 * @throws the error otherwise
 */
export function withoutUnknownProjects(
  config: LoadedConfig,
  only: readonly string[],
  given: readonly GivenId[],
  error: unknown,
): LoadedConfig {
  const problems = error instanceof EngineError ? error.diagnostics : [];
  const unknown = problems.flatMap(({ code, address }) => (code === CODES.unknownProject ? (address ?? []) : []));
  const isAsked = (project: string): boolean =>
    only.some((one) => isWithin(one, project) || (givenId(given, one) === undefined && isWithin(project, one)));
  if (only.length === 0 || unknown.length < problems.length || unknown.length === 0 || unknown.some(isAsked))
    throw error;
  const isKept = (scope: string): boolean => !unknown.some((project) => isWithin(scope, project));
  const { graph } = config;
  const projects = graph.projects.filter(({ address }) => isKept(address));
  return { ...config, graph: { ...graph, projects, resources: graph.resources.filter(({ scope }) => isKept(scope)) } };
}

/**
 * The ids of all objects and projects that a plan found by name, and those that were given. An address with an id asks for
 * nothing that is below it.
 *
 * @param run a plan of the configuration that {@link withGivenIds} returned
 * @throws EngineError `invalid` if there is no object with a given id
 */
export function findPins(run: PlannedRun, given: readonly GivenId[], graph: DesiredGraph): FoundPins {
  const { only } = run.input.options;
  const withoutId = only.filter((address) => givenId(given, address) === undefined);
  const isAsked = (address: string): boolean =>
    givenId(given, address) !== undefined ||
    ((only.length === 0 || withoutId.length > 0) && isSelected(address, withoutId));
  const edits: Edit[] = [];
  const unpinned: Unpinned[] = [];
  for (const change of run.plan.changes) {
    const { address } = change;
    const resource = change.work?.resource;
    const wanted = givenId(given, address);
    if (wanted !== undefined && !isFree(change, graph)) throw noSuchObject(change, wanted);
    if (resource === undefined || !isAsked(address) || (resource.pin !== undefined && wanted === undefined)) continue;
    const reason = reasonNotToPin(change);
    const id = pinValue(change.kind, change.id ?? "");
    if (reason !== undefined || id === undefined) unpinned.push({ address, reason: reason ?? cannotBePinned(change) });
    else edits.push(addPin(resource, "id", id, pageOf(run, change)));
  }
  const projects = run.input.config.graph.projects.filter(({ address }) => isAsked(address));
  return {
    edits: [...edits, ...projects.flatMap((project) => pinOfProject(run, project, givenId(given, project.address)))],
    unpinned,
  };
}

/** The page of the object of a change, unless its address holds a secret. */
function pageOf(run: PlannedRun, { work }: Change): string | undefined {
  const live = work?.live;
  const page = live && webPageOf(run.input.client.url, scopePathAt(run.world.scopes, live.scope), live);
  return shownPage(run, page);
}

/**
 * The pin of a project that was found by its name, or by the id that was given.
 *
 * @throws EngineError `invalid` if its organization does not list the given id, or if another project has it
 */
function pinOfProject({ world, input }: PlannedRun, project: ProjectScope, wanted?: string): readonly Edit[] {
  const idAt = (address: string): string | undefined => scopePathAt(world.scopes, address)["project_id"];
  const { address, id } = project;
  const liveId = idAt(address);
  if (wanted === undefined) return id !== undefined || liveId === undefined ? [] : [addPin(project, "id", liveId)];
  const organizations = world.lists.get(listKey("", "organization"))?.objects ?? [];
  const holder = organizations.find((live) => projectsOf(live)?.some((one) => one.id === wanted) === true);
  const isTaken = input.config.graph.projects.some((one) => one.address !== address && idAt(one.address) === wanted);
  if (liveId === wanted && holder !== undefined && !isTaken) return [addPin(project, "id", liveId)];
  if (holder !== undefined && world.scopes.get(project.organization)?.status === "absent") {
    const message = `the organization of the project with the id ${wanted} is not called as ${project.organization} declares`;
    const both = command("pin", { only: [`${project.organization}=${holder.id}`, `${address}=${wanted}`] });
    throw engineError("invalid", "unknown_id", message, { hint: "To pin both:", command: both });
  }
  const message = `no list shows a project with the id ${wanted} that nothing else declares`;
  throw engineError("invalid", "unknown_id", message, CHECK_ID);
}

const CHECK_ID = "Check the id. Nothing was written.";

/**
 * Whether the object that a change found by a given id would be found by no other resource if the id had not been given.
 *
 * Premise: a resource of a scope around or inside may mean the object too, and its list is not read for the addresses of this
 * run. So each resource is matched with the object alone, in the order of a plan.
 */
function isFree({ address, work }: Change, { resources }: DesiredGraph): boolean {
  const { live } = work ?? {};
  if (live === undefined) return false;
  const index = indexOf({ status: "known", objects: [live] });
  const rivals = resources
    .filter((resource) => mayContain(live, resource))
    .map((resource) => (resource.address === address ? { ...resource, pin: undefined } : resource));
  const formerNames = formerNamesOf(rivals);
  const matching = { formerNames, claims: new Set<string>(), contested: new Map(), renamed: new Map() };
  const isFound = (resource: Resource): boolean => {
    const match = matchBeside(matching, resource, [index]);
    // Who pins the successor of a renamed resource says that the object is not the renamed one.
    const isGivenUp = formerNames.rivalsOf(resource).some((rival) => rival.address === address);
    return match.type === "found" && !(match.hasFormerKey === true && isGivenUp);
  };
  const first = formerNames.inOrder.find(isFound);
  return first === undefined || first.address === address;
}

function noSuchObject({ address, kind, action, reason }: Change, id: string): EngineError {
  if (action === "unknown") return engineError("failed", "not_compared", `${address} could not be compared`, reason);
  const message = `no list shows ${withArticle(kind)} with the id ${id} that nothing else declares`;
  return engineError("invalid", "unknown_id", message, CHECK_ID);
}

function reasonNotToPin({ action, work }: Change): string | undefined {
  const { lifecycle } = work?.resource ?? {};
  if (lifecycle !== undefined && !isWanted(lifecycle)) return "driftline does not keep it";
  if (work?.live === undefined) return "it does not exist yet";
  if (work.live.state === "placeholder") return "another object has taken its place";
  return action === "replace" ? "apply will replace it by an object with another id" : undefined;
}

function cannotBePinned({ kind }: Change): string {
  return `${withArticle(kind)} is not identified by an id`;
}
