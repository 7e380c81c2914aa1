import { referencesIn } from "../../kinds/references.ts";
import type { Change } from "../../model/change.ts";

/**
 * The order of the steps that take objects away: replaces first, then removals, and both with children before their parents, and what
 * refers to an object before that. The steps of one group may run at the same time. A group begins after the one before it has ended.
 */
export function inRemovalOrder<Step extends { readonly change: Change }>(
  steps: readonly Step[],
): readonly (readonly Step[])[] {
  const isReplace = ({ change }: Step): boolean => change.action === "replace";
  return [...byDepth(steps.filter(isReplace)), ...byDepth(steps.filter((step) => !isReplace(step)))];
}

function byDepth<Step extends { readonly change: Change }>(steps: readonly Step[]): readonly (readonly Step[])[] {
  const depthOf = ({ change }: Step): number => change.address.split("/").length;
  const depths = [...new Set(steps.map(depthOf))].toSorted((a, b) => b - a);
  return depths.flatMap((depth) => referringFirst(steps.filter((step) => depthOf(step) === depth)));
}

function referringFirst<Step extends { readonly change: Change }>(
  steps: readonly Step[],
): readonly (readonly Step[])[] {
  const referred = new Set(steps.flatMap(({ change }) => referredIds(change)));
  const isReferred = ({ change: { id } }: Step): boolean => referred.has(id?.toLowerCase() ?? "");
  const free = steps.filter((step) => !isReferred(step));
  if (free.length === 0 || free.length === steps.length) return steps.length === 0 ? [] : [steps];
  return [free, ...referringFirst(steps.filter(isReferred))];
}

/** The ids to which an object that is removed refers. */
function referredIds({ kind, action, work }: Change): readonly string[] {
  const live = action === "delete" ? work?.live : undefined;
  return live === undefined ? [] : referencesIn(kind, live.values).map(({ text }) => text.toLowerCase());
}
