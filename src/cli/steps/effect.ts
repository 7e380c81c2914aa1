/** The options `--effect`, `--effect-limit` and `--effect-totals`. */
import { type Command, Option } from "commander";
import type { EffectOptions } from "../../engine/effect/effects.ts";
import type { PlannedRun } from "../../engine/plan/plan-config.ts";
import { positiveInteger, rare } from "../program/options.ts";

/** The options of {@link withEffect}. Limit and totals ask for the effect as well. */
export interface EffectFlags {
  readonly effect?: boolean;
  readonly effectLimit?: number;
  readonly effectTotals?: boolean;
}

/** How long all calculations of a plan may take. Milliseconds. */
const BUDGET = 60_000;
const DEFAULT_LIMIT = 20;

/** Adds the options that ask for the numbers of changed insights. */
export function withEffect(command: Command): Command {
  return command
    .option("--effect", "show what changed queries do to their numbers; needs the scope query:read")
    .addOption(
      rare(
        new Option("--effect-limit <n>", `calculate at most this many (default: ${String(DEFAULT_LIMIT)})`)
          .argParser(positiveInteger)
          .implies({ effect: true }),
      ),
    )
    .addOption(
      rare(
        new Option("--effect-totals", "add up the values of breakdowns, which may be personal data").implies({
          effect: true,
        }),
      ),
    );
}

/** The run with the effects in its document, if they were asked for. The plan and its hash stay as they are. */
export async function withEffects(run: PlannedRun, flags: EffectFlags): Promise<PlannedRun> {
  if (flags.effect !== true) return run;
  const { calculateEffects } = await import("../../engine/effect/effects.ts");
  const options: EffectOptions = {
    limit: flags.effectLimit ?? DEFAULT_LIMIT,
    budgetMs: BUDGET,
    breakdowns: flags.effectTotals === true ? "totals" : "shown",
  };
  return { ...run, document: { ...run.document, effects: await calculateEffects(run, options) } };
}
