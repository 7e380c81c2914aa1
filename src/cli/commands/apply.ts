import { applyPlan } from "../../engine/apply.ts";
import { documentWithoutLifted, type Approval } from "../../engine/approval.ts";
import { EngineError } from "../../engine/errors.ts";
import { refusedOutcomes } from "../../engine/outcomes.ts";
import { pinRecreated } from "../../engine/recreated-pins.ts";
import { isEntirelyUnknown, planConfig, type PlannedRun } from "../../engine/plan.ts";
import { redactDocument } from "../../engine/redact.ts";
import { requireSameSource } from "../../engine/saved-plan.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { OutcomesDocument } from "../../model/outcome.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { renderOutcomes, renderPlan, sanitize } from "../../report/index.ts";
import { loadConfiguration } from "../config.ts";
import { connect, type Connection } from "../connect.ts";
import { EXIT, ofDiagnostics, ofOutcomes, worst, type ExitCode } from "../exit-codes.ts";
import { failure } from "../failure.ts";
import { printResult, reportDiagnostics } from "../output.ts";
import { engineContext, type Runtime } from "../runtime.ts";
import { readSavedPlan, warnIgnoredOptions } from "../saved-plan.ts";
import { planOptions, type PlanCommandOptions } from "./plan.ts";

export interface ApplyCommandOptions extends PlanCommandOptions {
  readonly plan?: string;
  readonly yes?: boolean;
  readonly approve?: string;
  readonly confirmOrganization?: readonly string[];
  readonly allowLoss?: readonly string[];
  /** Seconds after which an unanswered create can no longer take effect. */
  readonly settleAfter?: number;
}

/** `driftline apply`: shows a plan, asks, and writes exactly that plan. */
export async function applyCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: ApplyCommandOptions,
): Promise<ExitCode> {
  const saved = options.plan === undefined ? undefined : await readSavedPlan(runtime, options.plan);
  if (saved !== undefined) warnIgnoredOptions(runtime, saved, options);
  const config = await loadConfiguration(runtime, paths, options);
  // Without a configuration there is nothing to confirm, so this comes second.
  requireConfirmable(runtime, options);
  const limits = saved?.options ?? planOptions(options);
  const connection = connect(runtime, options, config.graph.service.url, "write");
  const { client } = connection;
  try {
    if (saved !== undefined) requireSameSource(saved, options.plan ?? "", config.hash, client.url);
    const run = await planConfig({ config, client, options: limits, context: engineContext(runtime) });
    return await applyShown(runtime, run, saved ?? run.document, options, connection);
  } finally {
    await connection.close();
  }
}

function requireConfirmable({ interactive }: Runtime, { yes }: ApplyCommandOptions): void {
  if (yes === true || interactive) return;
  const message = "apply needs confirmation, but stdin is not a terminal";
  throw failure(EXIT.invalid, "not_confirmed", message, "Use --yes to apply without a question.");
}

/** @param shown the plan that is approved: the run's own document, or a saved one */
async function applyShown(
  runtime: Runtime,
  run: PlannedRun,
  shown: PlanDocument,
  options: ApplyCommandOptions,
  { progress }: Connection,
): Promise<ExitCode> {
  const print = (document: OutcomesDocument): void => printOutcomes(runtime, options, document);
  const approval: Approval = {
    document: shown,
    hash: options.approve,
    organizations: options.confirmOrganization,
    losses: options.allowLoss,
    confirm: options.yes === true ? undefined : (changes) => confirm(runtime, changes, shown.url),
  };
  if (!runtime.signal.aborted) showPlan(runtime, run, documentWithoutLifted(run, approval), options);
  try {
    const document = await applyPlan(run, approval, {
      settleAfter: options.settleAfter,
      onOutcome: progress.outcome,
      onWait: progress.wait,
      onStart: (interim) => runtime.onStop(() => reportStop(runtime, interim(), print)),
    });
    runtime.onStop(undefined);
    progress.done();
    print(document);
    await reportPins(runtime, run, document);
    if (runtime.signal.aborted) return EXIT.interrupted;
    return worst([...ofOutcomes(document.changes), ...ofDiagnostics(document.diagnostics)]);
  } catch (error) {
    // A refusal is part of the result as well, because machines read only that.
    if (error instanceof EngineError && options.format !== "text") print(refusedOutcomes(run, shown, error));
    throw error;
  }
}

/** Writes the ids of what was created anew into the configuration, and reports it. */
async function reportPins(runtime: Runtime, run: PlannedRun, document: OutcomesDocument): Promise<void> {
  const { written, diagnostics } = await pinRecreated(run, document.changes, runtime.cwd);
  for (const { address, id, file } of written)
    runtime.err(`Pinned ${sanitize(address)} to the id ${sanitize(id)} in ${sanitize(file)}.\n`);
  reportDiagnostics(runtime, diagnostics);
}

function showPlan(runtime: Runtime, run: PlannedRun, shown: PlanDocument, options: ApplyCommandOptions): void {
  reportDiagnostics(runtime, run.diagnostics, options.verbose === true);
  if (options.format !== "text" || isEntirelyUnknown(run.document)) return;
  const document = redactDocument(shown, runtime.redactor);
  const view = {
    color: runtime.color.stdout,
    unmanaged: options.unmanaged === true,
    verbose: options.verbose === true,
    next: false,
  };
  printResult(runtime, "text", renderPlan(document, "text", view));
}

async function confirm(runtime: Runtime, changes: number, url: string): Promise<boolean> {
  const answer = await runtime.ask(`Apply ${plural(changes, "change")} to ${url}? Type "yes" to confirm: `);
  return answer?.trim() === "yes";
}

function printOutcomes(runtime: Runtime, { format, verbose }: ApplyCommandOptions, document: OutcomesDocument): void {
  printResult(runtime, format, renderOutcomes(document, format, { color: runtime.color.stdout, verbose }));
}

/** Reports the results of an apply that is stopped at once, and its requests with an unknown outcome. */
function reportStop(runtime: Runtime, document: OutcomesDocument, print: (document: OutcomesDocument) => void): void {
  print(document);
  const unknown = document.changes.flatMap(({ address, action, status, error }): readonly Diagnostic[] =>
    status === "unknown" && error !== null
      ? [{ severity: "error", ...error, message: `${action}: ${error.message}`, address }]
      : [],
  );
  reportDiagnostics(runtime, unknown);
}
