import type { Change } from "../model/change.ts";
import type { Plan, Summary } from "../model/plan.ts";

/** The plan with other changes, counted anew. */
export function withChanges(plan: Plan, changes: readonly Change[]): Plan {
  return { ...plan, changes, summary: summarize(changes, plan.unmanaged.length) };
}

export function summarize(changes: readonly Omit<Change, "work">[], unmanaged: number): Summary {
  const count = (test: (change: Omit<Change, "work">) => boolean): number => changes.filter(test).length;
  return {
    create: count(({ action }) => action === "create"),
    update: count(({ action }) => action === "update"),
    replace: count(({ action }) => action === "replace"),
    delete: count(({ action }) => action === "delete"),
    restore: count(({ action }) => action === "restore"),
    no_op: count(({ action }) => action === "no_op"),
    unknown: count(({ action }) => action === "unknown"),
    blocked: count(({ blocked }) => blocked !== null),
    unmanaged,
  };
}
