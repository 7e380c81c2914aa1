/** A plan that is reported and not applied: what `plan` and `drift` have in common. */
import type { EffectOptions } from "../../engine/effect/effects.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { requireNotInterrupted } from "../../engine/context.ts";
import { planConfig, type PlannedRun, withDiagnostics } from "../../engine/plan/plan-config.ts";
import type { LoadedConfig } from "../../config/index.ts";
import { nothingCouldBeRead, type PlanPurpose } from "../../model/plan.ts";
import { renderPlan, type RenderOptions } from "../../report/index.ts";
import { planSource } from "./config.ts";
import { withConnection } from "./connect.ts";
import {
  DEFAULT_EFFECT_LIMIT,
  sinceWhen,
  type EffectFlags,
  type FormatOptions,
  type ServiceOptions,
} from "../program/options.ts";
import { describeReads, reportDiagnostics, requestSummary } from "../terminal/output.ts";
import { planOptions, type PlanningOptions } from "./plan-options.ts";
import { removedLines, withRemovedLines } from "./removed-lines.ts";
import { footerOf, reportBesideText, showReport, type ViewOptions, viewOf } from "./report-files.ts";
import { knownPace, showTime } from "./show-time.ts";
import type { Runtime } from "../runtime.ts";

export interface ReportedPlanOptions extends PlanningOptions, EffectFlags {
  /** Of a drift report: only what was changed since then, and by whom. */
  readonly since?: string;
  readonly by?: string;
}

interface ShownPlanOptions extends FormatOptions, ViewOptions, Pick<ServiceOptions, "maxRequestsPerMinute"> {
  readonly out?: string | undefined;
  readonly accept?: boolean;
  /** What was printed before, and is a part of the document. */
  readonly said?: readonly Diagnostic[];
}

/** What is planned, and what for. */
interface PlanTask {
  readonly purpose: PlanPurpose;
  readonly config: LoadedConfig;
  readonly paths: readonly string[];
}

/** Makes a plan for a report. Sends no write. */
export async function planReadOnly(
  runtime: Runtime,
  { purpose, config, paths }: PlanTask,
  options: ReportedPlanOptions,
): Promise<PlannedRun> {
  const limits = planOptions(options);
  const source = planSource(runtime.cwd, paths, options);
  const { unmanaged, since, by } = options;
  const modified = { since: since === undefined ? undefined : sinceWhen(since, runtime.clock.now()), by };
  const mode = options.effect === true ? "calculate" : "read";
  const settings = { configured: config.graph.service, mode } as const;
  return withConnection(runtime, options, settings, async ({ client, context }) => {
    const limited = { options: limits, unmanaged, modified, source, partial: "report" } as const;
    const removed = removedLines(runtime, config, paths, options);
    const planning = planConfig({ config, client, context, ...limited }, purpose);
    const planned = await withRemovedLines(runtime, planning, removed);
    requireNotInterrupted(context, purpose === "plan" ? "plan" : "drift");
    const run = await withEffects(planned, options);
    if (options.verbose === true) runtime.err(describeReads(run.stats));
    return run;
  });
}

/** Prints the plan. If nothing at all could be read, only the reasons are reported. */
export function showPlan(
  runtime: Runtime,
  run: PlannedRun,
  options: ShownPlanOptions,
  header: Pick<RenderOptions, "madeAt" | "commit">,
): void {
  const { stats, input } = run;
  const { diagnostics } = run.document;
  const { document } = withDiagnostics(run, options.said ?? []);
  const onlyInFiles = nothingCouldBeRead(document) && options.format === "text";
  if (options.format === "text" && !onlyInFiles) reportBesideText(runtime, diagnostics, document, options);
  else reportDiagnostics(runtime, diagnostics, options);
  const requests = options.verbose === true ? requestSummary(input.client.requests(), stats) : undefined;
  const view = {
    ...header,
    ...viewOf(runtime, options),
    savedAs: options.out,
    footer: footerOf(options, document, requests),
    // Accepting is the next step.
    showsNextSteps: options.accept !== true,
    accepts: options.accept,
  };
  showReport(runtime, options, { document, view, render: renderPlan, onlyInFiles });
  if (document.type === "driftline.plan" && options.format === "text" && options.quiet !== true)
    showTime(runtime, document, knownPace(input.client, options));
}

/** How long all calculations of a plan may take. Milliseconds. */
const BUDGET = 60_000;

/** The run with the effects in its document, if they were asked for. The plan and its hash stay as they are. */
async function withEffects(run: PlannedRun, flags: EffectFlags): Promise<PlannedRun> {
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
  const { document, ...made } = withDiagnostics(run, refused);
  return { ...made, document: { ...document, effects } };
}
