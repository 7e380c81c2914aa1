import type { ApplyCommandOptions } from "./apply/options.ts";
import { resolve } from "node:path";
import { reportHeader, requireWritable } from "../steps/report-files.ts";
import { command, type Hint } from "../../model/command.ts";
import { applyPrepared } from "../../engine/apply/apply-plan.ts";
import { type Approval, isStale, prepareApproval } from "../../engine/apply/approval.ts";
import { EngineError } from "../../model/engine-error.ts";
import { refusedOutcomes } from "../../engine/apply/outcomes-document.ts";
import { planConfig, type PlannedRun } from "../../engine/plan/plan-config.ts";
import { requireSameSource } from "../../engine/apply/stale-plan.ts";
import { pipelineRun } from "../../forge/pipeline-run.ts";
import type { OutcomesDocument } from "../../model/outcome.ts";
import type { PlanDocument } from "../../model/plan.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { firstOf, MAX_NAMES, plural } from "../../model/text/plural.ts";
import { rightsLines } from "../../report/person.ts";
import { wrapLine } from "../../report/wrap.ts";
import { redacted } from "../../engine/redact.ts";
import { sanitize } from "../../model/text/quote.ts";
import { configHash, type LoadedConfig } from "../../config/index.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { loadConfiguration, optionsOf, planSource } from "../steps/config.ts";
import { withConnection } from "../steps/connect.ts";
import { removedLines, withRemovedLines } from "../steps/removed-lines.ts";
import { findServiceUrl } from "../steps/service-and-key.ts";
import { EXIT, exitCodeOf, exitCodesOfDiagnostics, exitCodesOfOutcomes, type ExitCode } from "../exit-codes.ts";
import { countNamed } from "../steps/write-files.ts";
import { confirm, requireConfirmable } from "../terminal/confirm.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";
import { Reported } from "../failure.ts";
import type { SavedPlan } from "../invocation.ts";
import { withSavedPlan, repeatedSource, requireOwnService } from "../steps/saved-plan.ts";
import { ApplyReport } from "./apply/report.ts";
import { planOptions } from "../steps/plan-options.ts";

/** `driftline apply`: shows a plan, asks, and writes exactly that plan. */
export async function applyCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: ApplyCommandOptions,
): Promise<ExitCode> {
  if (options.plan === undefined) return applyConfiguration(runtime, paths, options);
  return withSavedPlan(runtime, options.plan, (here, saved) => applyConfiguration(here, paths, options, saved));
}

async function applyConfiguration(
  runtime: Runtime,
  paths: readonly string[],
  options: ApplyCommandOptions,
  saved?: SavedPlan,
): Promise<ExitCode> {
  const planned = saved === undefined ? undefined : repeatedSource(runtime, saved, paths, options);
  const repeated = planned === undefined ? options : { ...options, ...optionsOf(planned) };
  const config = await loadConfiguration(runtime, planned?.paths ?? paths, repeated);
  const plans = saved === undefined ? [] : [resolve(runtime.cwd, saved.file)];
  await requireWritable(runtime, options, [...config.readPaths, ...plans]);
  // Without a configuration there is nothing to confirm, so this comes second.
  requireConfirmable(runtime, options, { what: "apply", hint: withoutQuestion(options) });
  const source = planned ?? planSource(runtime.cwd, paths, options);
  const limits = saved?.document.options ?? planOptions(options);
  const configured = configuredService(runtime, options, config, saved);
  return withConnection(
    runtime,
    { ...repeated, url: options.url },
    { configured, mode: "write" },
    async ({ client, progress, context }) => {
      const origin = { ...config, configHash: configHash(config.graph), url: client.url };
      if (saved !== undefined) requireSameSource(saved.document, saved.file, origin);
      const { unmanaged, allowLoss: losses } = options;
      const partial = options.approve === undefined ? undefined : "approved";
      const header = await reportHeader(runtime, config, options, true);
      const made = { unmanaged, losses, source, context };
      const planning = planConfig({ config, client, options: limits, partial, ...made });
      const removed = removedLines(runtime, config, planned?.paths ?? paths, repeated);
      const run = await withRemovedLines(runtime, planning, removed);
      const shown = saved?.document ?? run.document;
      const facts = { progress, header, client };
      const task = { run, shown, commit: header.commit };
      return await applyShown(runtime, task, options, new ApplyReport(runtime, options, facts));
    },
  );
}

/** The service that the files name, or else the plan: its address counts as one in a file. */
function configuredService(
  { env }: Runtime,
  options: ApplyCommandOptions,
  { graph: { service } }: LoadedConfig,
  saved: SavedPlan | undefined,
): Pick<DesiredGraph["service"], "url"> {
  if (saved !== undefined) requireOwnService(saved, findServiceUrl(options, env, service));
  return service.url === undefined ? { url: saved?.document.url } : service;
}

/** The hash belongs to the plan that would be applied. Of a later plan, it would approve nothing. */
function withoutQuestion({ approve }: ApplyCommandOptions): Hint {
  return { hint: "To apply without a question:", command: command("apply", { yes: true, approve }) };
}

interface ApplyTask extends Pick<Approval, "commit"> {
  readonly run: PlannedRun;
  /** The plan that is approved: the run's own document, or a saved one. */
  readonly shown: PlanDocument;
}

async function applyShown(
  runtime: Runtime,
  task: ApplyTask,
  options: ApplyCommandOptions,
  report: ApplyReport,
): Promise<ExitCode> {
  const { run } = task;
  const confirmed = (changes: number): Promise<boolean> => confirmApply(runtime, run, permitted, changes);
  const prepared = prepareApproval(run, approvalOf(runtime, task, options, confirmed));
  const { document: permitted } = prepared;
  if (!runtime.signal.aborted && !isStale(prepared)) report.showPlan(run, permitted);
  try {
    const applying = applyPrepared(prepared, {
      settleAfter: options.settleAfter,
      onOutcome: (outcome) => report.showOutcome(outcome),
      onWait: report.progress.wait,
      onStart: (interim) => {
        report.start(permitted);
        runtime.onStop(() => report.showStop(interim()));
      },
    });
    const document = await applying.catch((error: unknown) => {
      // A refusal is part of the result as well, because machines read only that.
      if (error instanceof EngineError) report.showRefusal(refusedOutcomes(prepared, error));
      throw error;
    });
    runtime.onStop(undefined);
    report.showEnd(document, permitted);
    const isPinned = await writeNewPins(runtime, run, document, options);
    return exitCodeOf(runtime, [
      ...exitCodesOfOutcomes(document.changes),
      ...exitCodesOfDiagnostics(document.diagnostics),
      ...(isPinned ? [] : [EXIT.partial]),
    ]);
  } catch (error) {
    throw new Reported(error, report.invocation);
  }
}

function approvalOf(
  { env }: Runtime,
  { shown: document, commit }: ApplyTask,
  { plan: file, approve: hash, confirmOrganization: organizations, allowLoss: losses, yes }: ApplyCommandOptions,
  confirmed: NonNullable<Approval["confirm"]>,
): Approval {
  const from = { commit, pipeline: pipelineRun(env) };
  return { ...from, document, file, hash, organizations, losses, confirm: yes === true ? undefined : confirmed };
}

/** Asks, with what would be read last: the warnings, and the people whose rights change. */
function confirmApply(
  runtime: Runtime,
  { document: { diagnostics } }: PlannedRun,
  permitted: PlanDocument,
  changes: number,
): Promise<boolean> {
  runtime.err(warningsLine(runtime, diagnostics));
  const people = rightsLines(redacted(permitted, runtime.redactor).changes);
  runtime.err(people.map((line) => `${wrapLine(line, runtime.errColumns ?? Infinity, 0)}\n`).join(""));
  return confirm(runtime, `Apply ${plural(changes, "change")} to ${permitted.url}`);
}

/** What kinds of warnings there are: of a long plan, they have scrolled away. "" if there is none. */
function warningsLine({ quiet }: Runtime, diagnostics: readonly Diagnostic[]): string {
  const codes = diagnostics.flatMap(({ severity, code }) => (severity === "warning" ? code : []));
  if (codes.length === 0) return "";
  const named = firstOf([...new Set(codes)], MAX_NAMES);
  return `${plural(codes.length, "warning")}${quiet === true ? "" : " above"}: ${named}.\n`;
}

/** Writes the ids of what was made into the configuration, and reports it. Returns whether nothing is left to add by hand. */
async function writeNewPins(
  runtime: Runtime,
  run: PlannedRun,
  { changes }: OutcomesDocument,
  { pin }: ApplyCommandOptions,
): Promise<boolean> {
  const { writePins } = await import("../../engine/pin/write-pins.ts");
  const { written, diagnostics } = await writePins(run, changes, runtime.cwd, pin === true ? "all" : "outdated");
  for (const { file, addresses } of written)
    runtime.err(`${sanitize(`Wrote ${file}: ${countNamed(addresses, "id")}`)}.\n`);
  reportDiagnostics(runtime, diagnostics);
  return diagnostics.length === 0;
}
