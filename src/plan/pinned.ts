/** What pins already tell before anything is read: where to list, and which organizations need no look. */
import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { LiveList, LiveObject, LiveScope } from "../model/live.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { isSelected } from "./plan.ts";

/**
 * Scopes whose ids are declared. Whether they are there, and a project its organization's own, is for `resolveScopes` to say
 * once the organizations were read: until then nothing of what these scopes hold may be believed.
 */
export function pinnedScopes({ resources, projects }: DesiredGraph): ReadonlyMap<string, LiveScope> {
  const organizations = resources.flatMap(({ kind, address, pin }): [string, LiveScope][] =>
    kind === "organization" && pin !== undefined
      ? [[address, { status: "known", path: { organization_id: pin.value.toLowerCase() } }]]
      : [],
  );
  const known = projects.flatMap(({ address, id }): [string, LiveScope][] =>
    id === undefined ? [] : [[address, { status: "known", path: { project_id: id } }]],
  );
  return new Map([...organizations, ...known]);
}

/**
 * The organizations as their pins tell, where that is enough to plan the resources at `only`: each is nothing but a scope,
 * whose own lists prove that it is there, and no project has to be looked up in it.
 */
export function organizationsFromPins(graph: DesiredGraph, only: readonly string[]): LiveList | undefined {
  const { resources, projects } = graph;
  const organizations = resources.filter(({ kind }) => kind === "organization");
  const listed = new Set(resources.filter(({ address }) => isSelected(address, only)).map(({ scope }) => scope));
  const ids = organizations.flatMap(({ address, pin, values, lifecycle }) => {
    const isScope = Object.keys(values).length === 0 && lifecycle.state !== "absent" && listed.has(address);
    return pin !== undefined && isScope ? [pin.value.toLowerCase()] : [];
  });
  if (ids.length === 0 || ids.length < organizations.length || projects.length > 0) return undefined;
  return { status: "known", objects: ids.map(scopeOnly) };
}

function scopeOnly(id: string): LiveObject {
  return { kind: "organization", scope: "", id, pins: { id }, keys: [], values: {}, onDifference: "update" };
}

/**
 * Whether a plan made with them has to be made again with the organizations themselves: they tell which level the key's own user
 * has, and why nothing could be listed in them.
 */
export function needsOrganizations(changes: readonly Change[]): boolean {
  return changes.some(
    ({ action, kind }) =>
      action === "unknown" || (kinds[kind].managesPeople === true && (action === "update" || action === "delete")),
  );
}
