import { CODES } from "../../model/diagnostic-codes.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { plural } from "../../model/plural.ts";
import type { Plan } from "../../model/plan.ts";
import { type Change, isDifference } from "../../model/change.ts";
import { withChanges } from "../../plan/summarize.ts";

/** Which differences a drift report shows. */
export interface ModifiedFilter {
  /** Those of objects that were changed at this time or later. Milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Those of objects that this person changed last: the e-mail or the first name, as the service shows it. */
  readonly by?: string | undefined;
}

/**
 * Leaves out the differences of objects that others changed last, or earlier. If the service does not say who or when, a difference
 * stays: unknown is not another person.
 */
export function onlyModified(
  plan: Plan,
  filter: ModifiedFilter,
): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const changes = plan.changes.filter((change) => isShown(change, filter));
  const left = plan.changes.length - changes.length;
  if (left === 0) return { plan, diagnostics: [] };
  const message = `${plural(left, "difference")} ${left === 1 ? "is" : "are"} left out: older, or made by somebody else`;
  const hint = "Leave out --since and --by to see everything.";
  return {
    plan: withChanges(plan, changes),
    diagnostics: [{ severity: "warning", code: CODES.filtered, message, hint }],
  };
}

function isShown(change: Change, { since, by }: ModifiedFilter): boolean {
  const modified = change.work?.live?.modified;
  if (!isDifference(change) || modified === undefined) return true;
  const isLater = since === undefined || modified.at === null || !(Date.parse(modified.at) < since);
  const isTheirs = by === undefined || modified.by === null || modified.by.toLowerCase() === by.toLowerCase();
  return isLater && isTheirs;
}
