import type { Change } from "../model/change.ts";
import type { Plan } from "../model/plan.ts";

export interface Lifts {
  /** The plan's hash was approved. */
  readonly approved: boolean;
  /** Names of organizations that were typed. */
  readonly organizations: readonly string[];
}

/** The same plan without the blocks that were lifted for this run. */
export function lift(plan: Plan, lifts: Lifts): Plan {
  return {
    ...plan,
    changes: plan.changes.map((change) => (isLifted(change, lifts) ? { ...change, blocked: null } : change)),
  };
}

function isLifted(change: Change, { approved, organizations }: Lifts): boolean {
  const name = nameToType(change);
  if (change.blocked?.rule === "delete_limit") return approved;
  return change.blocked?.rule === "confirm_organization" && organizations.some((typed) => typed === name);
}

/** What has to be typed before an organization is deleted: its name, or its id if it has none. */
export function nameToType({ work, id }: Change): string | null {
  return work?.live?.keys[0] ?? id;
}
