/** What pins already tell before anything is read: where to list, and which organizations need no look. */
import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { LiveList, LiveScope } from "../model/live.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
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
export function organizationsAsPinned(graph: DesiredGraph, only: readonly string[]): LiveList | undefined {
  const { resources, projects } = graph;
  const organizations = resources.filter(({ kind }) => kind === "organization");
  const listed = new Set(resources.flatMap(({ scope, address }) => (isSelected(address, only) ? [scope] : [])));
  const isScope = ({ address, pin, values, lifecycle }: Resource): boolean =>
    pin !== undefined && Object.keys(values).length === 0 && lifecycle.state !== "absent" && listed.has(address);
  if (organizations.length === 0 || projects.length > 0 || !organizations.every(isScope)) return undefined;
  return {
    status: "known",
    objects: organizations.flatMap(({ pin }) => {
      const id = pin?.value.toLowerCase() ?? "";
      return [
        {
          kind: "organization",
          scope: "",
          id,
          pins: { id },
          keys: [],
          values: {},
          onDifference: "update",
        },
      ];
    }),
  };
}

/**
 * Whether a plan made with them has to be made again with the organizations themselves: they tell which level the key's own user
 * has, and why nothing could be listed in them.
 */
export function needsOrganizations(changes: readonly Change[]): boolean {
  return changes.some(
    ({ action, kind }) =>
      action === "unknown" || (kinds[kind].people === true && (action === "update" || action === "delete")),
  );
}
