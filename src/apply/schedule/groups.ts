import { refers } from "../../kinds/references.ts";
import { kinds } from "../../kinds/registry.ts";
import { isReady, type Change } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { reaches } from "../../model/reaches.ts";
import type { PrerequisitesOf } from "./prerequisites.ts";

type Group = readonly Change[];

/** Whether a change ends by removing an object: a removal, or a replace that creates before it removes. */
export function isLastStep({ action, kind }: Change): boolean {
  return action === "delete" || (action === "replace" && kinds[kind].writes.onePerKey !== true);
}

/**
 * Returns the changes of a plan in the groups in which they are executed. A group begins after the one before it has ended.
 *
 * 1. The first group has all changes that wait for no last step, in any way.
 * 2. Then come the changes that do, one by one. Each comes right after the last step that it waits for, such as the removal that frees
 *    its name.
 * 3. The other last steps come at the end: replaces, then removals, and both with children before their parents, and what may refer to an
 *    object before that.
 */
export function inGroups({ changes }: Plan, prerequisitesOf: PrerequisitesOf): readonly Group[] {
  const lastSteps = new Set(changes.filter((change) => isReady(change) && isLastStep(change)));
  const before = (change: Change): readonly Change[] =>
    prerequisitesOf(change).flatMap((other) => (other.isAwaited ? [other.change] : []));
  const isLate = (change: Change): boolean =>
    lastSteps.size > 0 && reaches(change, before, (other) => lastSteps.has(other));
  const late = new Set(changes.filter(isLate));
  const oneByOne = new Set<Change>();
  const begun = new Set<Change>();
  const add = (change: Change): void => {
    if (begun.has(change) || !(late.has(change) || lastSteps.has(change))) return;
    begun.add(change);
    before(change).forEach(add);
    oneByOne.add(change);
  };
  late.forEach(add);
  return [
    changes.filter((change) => !late.has(change) && !lastSteps.has(change)),
    ...[...oneByOne].map((change) => [change]),
    ...inRemovalOrder([...lastSteps].filter((change) => !oneByOne.has(change))),
  ];
}

function inRemovalOrder(lastSteps: Group): readonly Group[] {
  const isReplace = ({ action }: Change): boolean => action === "replace";
  return [...byDepth(lastSteps.filter(isReplace)), ...byDepth(lastSteps.filter((change) => !isReplace(change)))];
}

function byDepth(lastSteps: Group): readonly Group[] {
  const depthOf = ({ address }: Change): number => address.split("/").length;
  const depths = [...new Set(lastSteps.map(depthOf))].toSorted((a, b) => b - a);
  return depths.flatMap((depth) => {
    const here = lastSteps.filter((change) => depthOf(change) === depth);
    const isReferring = ({ kind }: Change): boolean => refers(kind);
    return [here.filter(isReferring), here.filter((change) => !isReferring(change))].filter(({ length }) => length > 0);
  });
}
