/**
 * What the declared ids of organizations and projects are enough for. With them, a plan takes fewer requests, and a key needs fewer
 * scopes.
 *
 * When the organizations are read:
 * - not, if each organization is only a scope with resources of its own in the plan, no project is declared, and no collection of people
 *   is exclusive. Their lists prove that the organizations exist. `needsOrganizations` then says whether the plan needs them after all.
 * - in all other cases, at the same time as the lists of pinned scopes. If the key may not read them, `withScopesFromPins` takes
 *   the declared ids instead, and `needsOnlyPins` says whether that is enough or is reported as an error.
 */
import { addressOf, isPerson } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { LiveList, LiveObject, LiveScope } from "../model/live.ts";
import { isSelected, overlaps } from "../model/plan.ts";
import { type DesiredGraph, isWithin, type Resource } from "../model/resource.ts";
import { needsOrganization } from "./guard/guard.ts";

/** An organization that is only known by its id. */
export function scopeOnly(pin: string): LiveObject {
  const id = pin.toLowerCase();
  return { kind: "organization", scope: "", id, pins: { id }, keys: [], values: {}, onDifference: "update" };
}

export function organizationsOf({ resources }: DesiredGraph): readonly Resource[] {
  return resources.filter(({ kind }) => kind === "organization");
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

/** Returns the organizations by their pins alone, if that is enough to plan the resources at `only`. Otherwise undefined. */
export function organizationsFromPins(graph: DesiredGraph, only: readonly string[]): LiveList | undefined {
  const { resources, projects, exclusive } = graph;
  // Only the organization shows whether the list of people is whole.
  if (exclusive.some((one) => isPerson(one.kind) && overlaps(addressOf(one), only))) return undefined;
  const organizations = organizationsOf(graph);
  const listed = new Set(resources.filter(({ address }) => isSelected(address, only)).map(({ scope }) => scope));
  const ids = organizations.flatMap((one) => (isOnlyScope(one) && listed.has(one.address) ? [one.pin.value] : []));
  if (ids.length === 0 || ids.length < organizations.length || projects.length > 0) return undefined;
  return { status: "known", objects: ids.map(scopeOnly) };
}

/** Whether nothing is declared of an organization but its id. */
function isOnlyScope(resource: Resource): resource is Resource & { readonly pin: NonNullable<Resource["pin"]> } {
  const { pin, values, lifecycle } = resource;
  return pin !== undefined && Object.keys(values).length === 0 && lifecycle.state !== "absent";
}

/** Whether a plan of `only` lists anything in an organization or its projects. If it does, those lists prove that it exists. */
function isListed({ resources, exclusive }: DesiredGraph, only: readonly string[], address: string): boolean {
  const scopes = resources.filter((one) => isSelected(one.address, only)).map(({ scope }) => scope);
  return [...scopes, ...exclusive.map(({ scope }) => scope)].some((one) => isWithin(one, address));
}

/**
 * Whether the declared ids are all that a plan of the resources at `only` has to know of organizations and projects. Then a key
 * needs no right to read organizations.
 */
export function needsOnlyPins(graph: DesiredGraph, only: readonly string[]): boolean {
  const isPinned = (organization: Resource): boolean =>
    organization.pin !== undefined &&
    (!isSelected(organization.address, only) ||
      (isOnlyScope(organization) && isListed(graph, only, organization.address)));
  return (
    organizationsOf(graph).every((one) => !overlaps(one.address, only) || isPinned(one)) &&
    graph.projects.every(({ address, id }) => !overlaps(address, only) || id !== undefined)
  );
}

/** Adds the organizations that are only scopes to a list that the key may not read, by their declared ids. */
export function withScopesFromPins(graph: DesiredGraph, only: readonly string[], organizations: LiveList): LiveList {
  const known = new Set(organizations.objects.map(({ id }) => id));
  const trusted = organizationsOf(graph).flatMap((organization) =>
    isOnlyScope(organization) &&
    isListed(graph, only, organization.address) &&
    !known.has(organization.pin.value.toLowerCase())
      ? [{ ...scopeOnly(organization.pin.value), note: "the key may not read it, so only its id is known" }]
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
    // Only the organization shows whether the list is whole in which nothing was found.
    const mayBeHidden = isPerson(change.kind) && change.work?.live === undefined;
    return mayBeHidden || change.action === "unknown" || needsOrganization(change);
  });
}
