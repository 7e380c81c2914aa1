/** Which options lifted a block, for the record of an apply. The block itself names those that lift it. */
import { isPruned } from "../../model/change.ts";
import { commandLine, flagOf, optionWords, type CommandWords } from "../../model/command.ts";
import { CODES } from "../../model/diagnostic-codes.ts";
import { withPlanHash } from "../../model/document-json.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { PlanDocument } from "../../model/plan.ts";
import type { PlannedRun } from "../plan/plan-config.ts";

const ALLOW_LOSS = flagOf("allowLoss");

/** The options that lifted the blocks of what was tried, each as it is typed. @param shown the plan before it was approved */
export function liftedBy(
  { plan, document: { diagnostics } }: Pick<PlannedRun, "plan" | "document">,
  { hash, options: { recreate = [] }, changes }: PlanDocument,
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
    ...changes.flatMap(({ address, blocked }) =>
      tried.has(address) ? optionsIn(withPlanHash(blocked?.command ?? [], hash), address) : [],
    ),
  ];
  return [...new Set(given.map(commandLine))];
}

/** The options of a command, each with its value. It may name another change that has to be allowed as well. */
function optionsIn([, , ...words]: CommandWords, address: string): readonly CommandWords[] {
  const pairs = words.flatMap((word, index) => (index % 2 === 0 ? [[word, words[index + 1] ?? ""]] : []));
  return pairs.filter(([flag, value]) => flag !== ALLOW_LOSS || value === address);
}
