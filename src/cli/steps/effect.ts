/** What `--effect`, `--effect-limit` and `--effect-totals` ask for. */
import type { EffectOptions } from "../../engine/effect/effects.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlannedRun } from "../../engine/plan/plan-config.ts";

/** The options of the effect. Limit and totals ask for the effect as well. */
export interface EffectFlags {
  readonly effect?: boolean;
  readonly effectLimit?: number;
  readonly effectTotals?: boolean;
}

/** How long all calculations of a plan may take. Milliseconds. */
const BUDGET = 60_000;
/** How many insights are calculated if no option says it. */
export const DEFAULT_LIMIT = 20;

/** The run with the effects in its document, if they were asked for. The plan and its hash stay as they are. */
export async function withEffects(run: PlannedRun, flags: EffectFlags): Promise<PlannedRun> {
  if (flags.effect !== true) return run;
  const { calculateEffects } = await import("../../engine/effect/effects.ts");
  const refused: Diagnostic[] = [];
  const options: EffectOptions = {
    limit: flags.effectLimit ?? DEFAULT_LIMIT,
    budgetMs: BUDGET,
    breakdowns: flags.effectTotals === true ? "totals" : "shown",
    onRefused: (error) => void refused.push(error),
  };
  const effects = await calculateEffects(run, options);
  const diagnostics = [...run.diagnostics, ...refused];
  return { ...run, diagnostics, document: { ...run.document, diagnostics, effects } };
}
