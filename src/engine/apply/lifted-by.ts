/** Which options lifted a block, for the record of an apply. */
import { isPruned } from "../../model/change.ts";
import { commandLine, optionWords } from "../../model/command.ts";
import { CODES } from "../../model/diagnostic-codes.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { liftingOptions } from "../../plan/guard/override.ts";
import type { PlannedRun } from "../plan/plan-config.ts";

/** The options that lifted the blocks of what was tried, each as it is typed. @param shown the plan before it was approved */
export function liftedBy(
  { plan, document: { diagnostics } }: Pick<PlannedRun, "plan" | "document">,
  { hash, options: { recreate = [] } }: PlanDocument,
  outcomes: readonly Outcome[],
): readonly string[] {
  const tried = new Set(
    outcomes.flatMap(({ address, blocked, status }) => (blocked === null && status !== "skipped" ? address : [])),
  );
  const planned = plan.changes.filter(({ address }) => tried.has(address));
  // Without --recreate, only what is in a new organization is created in spite of its pin.
  const recreated = planned.filter(
    ({ address, action, work }) =>
      action === "create" && work?.resource?.pin !== undefined && recreate.includes(address),
  );
  const prunes = planned.some(isPruned);
  const isPartial = prunes && diagnostics.some(({ code }) => code === CODES.partialConfiguration);
  const given = [
    ...(prunes ? [optionWords("prune", true)] : []),
    ...(isPartial ? [optionWords("approve", hash)] : []),
    ...recreated.map(({ address }) => optionWords("recreate", address)),
    ...planned.flatMap((change) => liftingOptions(change, hash)),
  ];
  return [...new Set(given.map(commandLine))];
}
