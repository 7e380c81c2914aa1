import { type Blocked, nameToConfirm, type Change } from "../../model/change.ts";
import { type CommandWords, optionWords } from "../../model/command.ts";
import type { Plan } from "../../model/plan.ts";
import { isLoss, type Need, RULES, ruleText } from "../../model/rules.ts";

export interface Overrides {
  /** The plan's hash was approved. */
  readonly approved: boolean;
  /** The names of organizations that the user typed to confirm their deletion. */
  readonly organizations: readonly string[];
  /** The addresses whose change may lose something for good. */
  readonly losses?: readonly string[] | undefined;
}

/** Returns the same plan without the blocks that the user has overridden for this run. */
export function applyOverrides(plan: Plan, overrides: Overrides): Plan {
  return {
    ...plan,
    changes: plan.changes.map((change) => {
      if (!isOverridden(change, overrides)) return change;
      return withoutBlock(change, overrides.approved ? null : (change.work?.needsApproval ?? null));
    }),
  };
}

/**
 * A change without its block, or with the one that is left. What was allowed stays in its reason, so that the question
 * and the record of an apply have it.
 */
export function withoutBlock<C extends Pick<Change, "reason" | "blocked">>(change: C, left: Blocked | null): C {
  const { reason, blocked } = change;
  const allowed = blocked !== null && isLoss(blocked) ? `; allowed: ${ruleText(blocked)}` : "";
  return { ...change, blocked: left, reason: `${reason}${allowed}` };
}

function isOverridden(change: Change, { approved, organizations, losses }: Overrides): boolean {
  const isLifted: Readonly<Record<Need, boolean>> = {
    repair: false,
    decision: false,
    approval: approved,
    loss: losses?.includes(change.address) === true,
    name: organizations.some((typed) => typed === nameToConfirm(change)),
  };
  return change.blocked !== null && isLifted[RULES[change.blocked.rule].needs];
}

/** The options of an apply that lift the blocks of a change, each with its value. @param hash of the plan */
export function liftingOptions(change: Change, hash: string): readonly CommandWords[] {
  const { address, blocked, work } = change;
  const options: Readonly<Record<Need, readonly CommandWords[]>> = {
    repair: [],
    decision: [],
    approval: [optionWords("approve", hash)],
    loss: [optionWords("allowLoss", address)],
    name: [optionWords("confirmOrganization", nameToConfirm(change) ?? "")],
  };
  return [blocked, work?.needsApproval].flatMap((block) => (block ? options[RULES[block.rule].needs] : []));
}
