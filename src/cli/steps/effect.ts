/** What the options of the effect ask for. */
import type { EffectOptions } from "../../engine/effect/effects.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlannedRun } from "../../engine/plan/plan-config.ts";
import { DEFAULT_EFFECT_LIMIT, type EffectFlags } from "../program/options.ts";

/** How long all calculations of a plan may take. Milliseconds. */
const BUDGET = 60_000;

/** The run with the effects in its document, if they were asked for. The plan and its hash stay as they are. */
export async function withEffects(run: PlannedRun, flags: EffectFlags): Promise<PlannedRun> {
  if (flags.effect !== true) return run;
  const { calculateEffects } = await import("../../engine/effect/effects.ts");
  const refused: Diagnostic[] = [];
  const options: EffectOptions = {
    limit: flags.effectLimit ?? DEFAULT_EFFECT_LIMIT,
    budgetMs: BUDGET,
    breakdowns: flags.effectTotals === true ? "totals" : "shown",
    onRefused: (error) => void refused.push(error),
  };
  const effects = await calculateEffects(run, options);
  const diagnostics = [...run.diagnostics, ...refused];
  return { ...run, diagnostics, document: { ...run.document, diagnostics, effects } };
}
