import { refers } from "../../kinds/references.ts";
import type { Change } from "../../model/change.ts";

/**
 * The order of the steps that take objects away: replaces first, then removals, and both with children before their parents, and what
 * may refer to an object before that. The steps of one group may run at the same time. A group begins after the one before it has ended.
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
  return depths.flatMap((depth) => {
    const here = steps.filter((step) => depthOf(step) === depth);
    const isReferring = ({ change: { kind } }: Step): boolean => refers(kind);
    return [here.filter(isReferring), here.filter((step) => !isReferring(step))].filter(({ length }) => length > 0);
  });
}
