import { command, withCommand } from "../../model/command.ts";
import { applyPlan } from "../../engine/apply.ts";
import { documentAfterOverrides, type Approval } from "../../engine/approval.ts";
import { EngineError } from "../../model/engine-error.ts";
import { refusedOutcomes } from "../../engine/outcomes.ts";
import { planConfig, type PlannedRun } from "../../engine/plan.ts";
import { redactDocument } from "../../engine/redact.ts";
import { requireSameSource } from "../../engine/saved-plan.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Outcome, OutcomesDocument } from "../../model/outcome.ts";
import { isUnread, type PlanDocument } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { renderOutcomes, renderPlan, sanitize, type RenderOptions } from "../../report/index.ts";
import { isClean } from "../../report/summary.ts";
import { isReported, outcomeLine } from "../../report/text/outcomes.ts";
import { configHash } from "../../config/index.ts";
import { loadConfiguration, optionsOf, sourceOf } from "../config.ts";
import { connect, type Connection, engineContext, findServiceUrl } from "../connect.ts";
import { EXIT, ofDiagnostics, ofOutcomes, worst, type ExitCode } from "../exit-codes.ts";
import { failure } from "../failure.ts";
import { countNamed } from "../edit.ts";
import { confirm } from "../question.ts";
import { printResult, reportDiagnostics } from "../output.ts";
import type { Runtime } from "../runtime.ts";
import { readSavedPlan, repeatedSource, requireOwnService } from "../saved-plan.ts";
import { planOptions, type PlanCommandOptions } from "./plan.ts";

export interface ApplyCommandOptions extends PlanCommandOptions {
  readonly plan?: string;
  readonly yes?: boolean;
  readonly approve?: string;
  readonly confirmOrganization?: readonly string[];
  readonly allowLoss?: readonly string[];
  readonly pin?: boolean;
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
  const planned = saved === undefined ? undefined : repeatedSource(runtime, saved, paths, options);
  const repeated = planned === undefined ? options : { ...options, ...optionsOf(planned) };
  const config = await loadConfiguration(runtime, planned?.paths ?? paths, repeated);
  // Without a configuration there is nothing to confirm, so this comes second.
  requireConfirmable(runtime, options);
  const source = planned ?? sourceOf(runtime.cwd, paths, options);
  const limits = saved?.options ?? planOptions(options);
  if (saved !== undefined)
    requireOwnService(options.plan ?? "", saved, findServiceUrl(options, runtime.env, config.graph.service.url));
  const connection = connect(runtime, repeated, config.graph.service.url ?? saved?.url, "write");
  const { client } = connection;
  try {
    if (saved !== undefined)
      requireSameSource(saved, options.plan ?? "", {
        configHash: configHash(config.graph),
        url: client.url,
        files: config.files,
      });
    const { unmanaged } = options;
    const run = await planConfig({
      config,
      client,
      options: limits,
      unmanaged,
      source,
      context: engineContext(runtime),
    });
    return await applyShown(runtime, run, saved ?? run.document, options, connection);
  } finally {
    await connection.close();
  }
}

function requireConfirmable({ interactive }: Runtime, { yes }: ApplyCommandOptions): void {
  if (yes === true || interactive) return;
  const message = "apply needs confirmation, but stdin is not a terminal";
  throw failure(EXIT.invalid, "not_confirmed", message, {
    hint: "To apply without a question:",
    command: command("apply", { yes: true }),
  });
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
    file: options.plan,
    hash: options.approve,
    organizations: options.confirmOrganization,
    losses: options.allowLoss,
    confirm:
      options.yes === true
        ? undefined
        : (changes) => confirm(runtime, `Apply ${plural(changes, "change")} to ${shown.url}`),
  };
  const permitted = documentAfterOverrides(run, approval);
  const reportOutcome = createOutcomeReport(runtime, options, permitted);
  if (!runtime.signal.aborted) showPlan(runtime, run, permitted, options);
  try {
    const document = await applyPlan(run, approval, {
      settleAfter: options.settleAfter,
      onOutcome: (outcome) => {
        progress.outcome(outcome);
        reportOutcome(outcome);
      },
      onWait: progress.wait,
      onStart: (interim) => {
        runtime.invocation.markPlanApplied();
        runtime.onStop(() => reportStop(runtime, interim(), print));
      },
    });
    runtime.onStop(undefined);
    progress.done();
    // "Nothing differs" was the last line of the plan.
    const isSaid =
      options.format === "text" && options.quiet !== true && options.verbose !== true && isClean(permitted);
    if (!isSaid || runtime.signal.aborted) print(document);
    const isPinned = await writeNewPins(runtime, run, document, options.pin === true);
    if (runtime.signal.aborted) return EXIT.interrupted;
    const pins = isPinned ? [] : [EXIT.partial];
    return worst([...ofOutcomes(document.changes), ...ofDiagnostics(document.diagnostics), ...pins]);
  } catch (error) {
    // A refusal is part of the result as well, because machines read only that.
    if (error instanceof EngineError && options.format !== "text") print(refusedOutcomes(run, shown, error));
    throw error;
  }
}

/** Writes the ids of what was made into the configuration, and reports it. Returns whether nothing is left to add by hand. */
async function writeNewPins(
  runtime: Runtime,
  run: PlannedRun,
  { changes }: OutcomesDocument,
  created: boolean,
): Promise<boolean> {
  const { writePins } = await import("../../engine/pin/write-pins.ts");
  const { written, diagnostics } = await writePins(run, changes, runtime.cwd, { created });
  for (const { file, addresses } of written)
    runtime.err(`${sanitize(`Wrote ${file}: ${countNamed(addresses, "id")}`)}.\n`);
  reportDiagnostics(runtime, diagnostics);
  return diagnostics.length === 0;
}

/**
 * Shows what is approved. Of a saved plan, which was shown when it was made, a terminal shows the summary and the command that
 * shows the rest. Before a question everything is shown that was not saved, even if `--quiet` is given.
 */
function showPlan(runtime: Runtime, run: PlannedRun, shown: PlanDocument, options: ApplyCommandOptions): void {
  reportDiagnostics(runtime, run.diagnostics, options.verbose === true);
  const isHidden = options.quiet === true && options.yes === true;
  if (options.format !== "text" || isHidden || isUnread(run.document)) return;
  const document = redactDocument(shown, runtime.redactor);
  const isSummary = options.plan !== undefined && runtime.terminal && options.verbose !== true;
  const view: RenderOptions = {
    color: runtime.color.stdout,
    width: runtime.columns,
    unmanaged: options.unmanaged === true,
    verbose: options.verbose === true,
    toRunnable: runtime.invocation.toRunnable,
    showsNextSteps: false,
    detail: isSummary ? "summary" : undefined,
  };
  printResult(runtime, "text", renderPlan(document, "text", view));
  if (isSummary) runtime.out(`${withCommand("To see every change:", command("show", {}, options.plan ?? ""))}\n`);
}

/** Returns a function that prints a line for each change when its outcome is known: as a part of the text, else beside the document. */
function createOutcomeReport(
  runtime: Runtime,
  { format, quiet, progress }: ApplyCommandOptions,
  { changes }: PlanDocument,
): (outcome: Outcome) => void {
  const total = changes.filter(
    ({ action, blocked }) => action !== "no_op" && action !== "unknown" && blocked === null,
  ).length;
  let done = 0;
  return (outcome) => {
    if (quiet === true || !isReported(outcome)) return;
    done += 1;
    const isResult = format === "text";
    const color = isResult ? runtime.color.stdout : runtime.color.stderr;
    const line = outcomeLine(outcome, done, Math.max(done, total), { color });
    if (isResult) runtime.out(line);
    else if (progress !== "json") runtime.err(line);
  };
}

function printOutcomes(
  runtime: Runtime,
  { format, quiet, verbose }: ApplyCommandOptions,
  document: OutcomesDocument,
): void {
  const view: RenderOptions = {
    color: runtime.color.stdout,
    width: runtime.columns,
    verbose: verbose === true,
    toRunnable: runtime.invocation.toRunnable,
    outcomesAlreadyPrinted: quiet !== true,
    detail: quiet === true ? "line" : undefined,
    footer: verbose === true ? `${plural(document.requests, "request")} sent` : undefined,
  };
  printResult(runtime, format, renderOutcomes(document, format, view));
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
