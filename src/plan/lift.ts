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

function isLifted({ blocked, work }: Change, { approved, organizations }: Lifts): boolean {
  if (blocked?.rule === "delete_limit") return approved;
  const name = work?.live?.keys[0];
  return blocked?.rule === "confirm_organization" && name !== undefined && organizations.includes(name);
}
