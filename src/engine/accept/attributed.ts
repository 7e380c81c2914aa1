import { type Change, isDifference } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { withChanges } from "../../plan/summarize.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { notAccepted } from "./refusals.ts";

/**
 * Divides what a filtered drift report shows: what is known to be changed then, or by that person, and what may be. The first can be
 * accepted as it was asked for. Without a filter all is known.
 */
export function onlyAttributed(run: PlannedRun): { readonly run: PlannedRun; readonly left: readonly Change[] } {
  const { since, by } = run.input.modified ?? {};
  const isKnown = (change: Change): boolean => {
    const { at, by: person } = change.work?.live?.modified ?? {};
    return (
      !isDifference(change) ||
      ((since === undefined || typeof at === "string") && (by === undefined || typeof person === "string"))
    );
  };
  const left = run.plan.changes.filter((change) => !isKnown(change));
  if (left.length === 0) return { run, left };
  return { run: { ...run, plan: withChanges(run.plan, run.plan.changes.filter(isKnown)) }, left };
}

/** Says why a difference of a filtered report is not accepted. */
export function notAttributed(change: Change): Diagnostic {
  const reason = "the service does not say when it was changed, or by whom";
  return notAccepted(change, reason, "Leave out --since and --by to accept it.");
}
