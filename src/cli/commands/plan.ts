import { notAttributed, onlyAttributed } from "../../engine/modified-filter.ts";
import { footerOf, inAFile, reportHeader, requireFolders, writeReports } from "../report-files.ts";
import type { Change } from "../../model/change.ts";
import { documentJson } from "../../model/document-json.ts";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/index.ts";
import { planConfig, type PlannedRun } from "../../engine/plan.ts";
import { removeLeftovers, writeAtomically } from "../../files/atomic-write.ts";
import { nothingCouldBeRead, type PlanDocument, type PlanOptions } from "../../model/plan.ts";
import { safeJson } from "../../report/escape.ts";
import { renderPlan, type RenderOptions } from "../../report/index.ts";
import { loadAddressed } from "../split-paths.ts";
import { loadConfiguration, requireFilled, sourceOf } from "../config.ts";
import { connect, engineContext } from "../connect.ts";
import {
  EXIT,
  exitCodesOfDiagnostics,
  exitCodesOfDifferences,
  exitCodesOfPlan,
  exitCodesOfUnknown,
  worst,
  type ExitCode,
} from "../exit-codes.ts";
import { cannotWrite } from "../failure.ts";
import {
  sinceWhen,
  type ConfigOptions,
  type FormatOptions,
  type QuietOptions,
  type ServiceOptions,
} from "../options.ts";
import { describeReads, printResult, reportDiagnostics, requestSummary } from "../output.ts";
import type { Runtime } from "../runtime.ts";
import { accept } from "./accept.ts";
import { requireAnswer } from "../edit.ts";
import { type EffectFlags, withEffects } from "../effect.ts";

export interface PlanCommandOptions extends ConfigOptions, ServiceOptions, FormatOptions, QuietOptions, EffectFlags {
  readonly out?: string | undefined;
  readonly detailedExitcode?: boolean;
  readonly prune?: boolean;
  readonly only?: readonly string[];
  readonly rotate?: readonly string[];
  readonly recreate?: readonly string[];
  readonly unmanaged?: boolean;
  /** Of a drift report: only what was changed since then, and by whom. */
  readonly since?: string;
  readonly by?: string;
  readonly accept?: boolean;
  /** With `accept`: the branch that gets the commits, in the place of the files. */
  readonly branch?: string;
  readonly yes?: boolean;
}

/** `driftline plan`: what differs, and what would be done about it. Sends GET only. */
export async function planCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: PlanCommandOptions,
): Promise<ExitCode> {
  requireFilled(options.out);
  await requireFolders(runtime, options);
  const config = await loadConfiguration(runtime, paths, options);
  const run = await planReadOnly(runtime, { type: "driftline.plan", config, paths }, options);
  // A report as JSON can be applied just as well.
  const savedAs = options.out ?? options.reports?.find(({ format }) => format === "json")?.file;
  if (options.out !== undefined) await savePlan(runtime, options.out, run.document);
  if (savedAs !== undefined) runtime.invocation.setSavedPlan({ file: savedAs, document: run.document });
  showPlan(runtime, run, { ...options, out: savedAs }, await reportHeader(runtime, config, options));
  return exitCodeOf(runtime, [
    ...exitCodesOfDiagnostics(run.diagnostics),
    ...exitCodesOfPlan(run.plan),
    ...(options.detailedExitcode === true ? exitCodesOfDifferences(run.plan) : []),
  ]);
}

/**
 * `driftline drift`: the same comparison, for a nightly check. Sends GET only; `--accept` writes configuration files.
 *
 * @param given paths of the configuration; with `--accept` also the addresses that are accepted
 */
export async function driftCommand(
  runtime: Runtime,
  given: readonly string[],
  options: PlanCommandOptions,
): Promise<ExitCode> {
  await requireFolders(runtime, options);
  const isAccepting = options.accept === true;
  const { addresses, paths, config } = isAccepting
    ? await loadAddressed(runtime, given, options)
    : { addresses: [], paths: given, config: await loadConfiguration(runtime, given, options) };
  if (isAccepting && options.branch === undefined) requireAnswer(runtime, "drift --accept", options);
  requireFilled(options.branch);
  // What is wrong with the repository is said before anything is read.
  const onBranch = options.branch === undefined ? undefined : await import("./accept-branch.ts");
  const target = await onBranch?.findAcceptBranch(runtime, options.branch ?? "");
  const only = [...(options.only ?? []), ...addresses];
  const run = await planReadOnly(runtime, { type: "driftline.drift", config, paths }, { ...options, only });
  showPlan(runtime, run, options, await reportHeader(runtime, config, options));
  const { run: attributed, left: unattributed } = onlyAttributed(run);
  const takeOver = (): Promise<readonly Change[]> =>
    onBranch === undefined || target === undefined
      ? accept(runtime, attributed, { ...options, only: addresses, paths })
      : onBranch.acceptOnBranch(runtime, attributed, target, { ...options, only: addresses });
  if (isAccepting) reportDiagnostics(runtime, unattributed.map(notAttributed));
  const left = isAccepting && !runtime.signal.aborted ? [...(await takeOver()), ...unattributed] : run.plan.changes;
  return exitCodeOf(runtime, [
    ...exitCodesOfDiagnostics(run.diagnostics),
    ...exitCodesOfUnknown(run.plan),
    ...exitCodesOfDifferences({ changes: left }),
  ]);
}

/** The options of a command, as the engine takes them. */
export function planOptions({ prune, only, rotate, recreate }: PlanCommandOptions): PlanOptions {
  const options = { prune: prune === true, only: only ?? [], rotate: rotate ?? [] };
  return recreate === undefined ? options : { ...options, recreate };
}

/** What is planned, and for which document. */
interface PlanTask extends Pick<PlanDocument, "type"> {
  readonly config: LoadedConfig;
  readonly paths: readonly string[];
}

async function planReadOnly(
  runtime: Runtime,
  { type, config, paths }: PlanTask,
  options: PlanCommandOptions,
): Promise<PlannedRun> {
  const limits = planOptions(options);
  const mode = options.effect === true ? "calculate" : "read";
  const { client, close } = connect(runtime, options, { configuredUrl: config.graph.service.url, mode });
  try {
    const source = sourceOf(runtime.cwd, paths, options);
    const { unmanaged, since, by } = options;
    const modified = { since: since === undefined ? undefined : sinceWhen(since, runtime.clock.now()), by };
    const input = { config, client, options: limits, unmanaged, modified, source, context: engineContext(runtime) };
    const run = await withEffects(await planConfig(input, type), options);
    if (options.verbose === true) runtime.err(describeReads(run.stats));
    return run;
  } finally {
    await close();
  }
}

async function savePlan(runtime: Runtime, file: string, document: PlanDocument): Promise<void> {
  const text = `${safeJson(documentJson(document))}\n`;
  const path = resolve(runtime.cwd, file);
  await writeAtomically(path, text).catch(cannotWrite(file));
  await removeLeftovers(path);
}

/** Prints the plan. If nothing at all could be read, only the reasons are reported. */
function showPlan(
  runtime: Runtime,
  { document, diagnostics, stats, input }: PlannedRun,
  options: FormatOptions & Pick<PlanCommandOptions, "unmanaged" | "verbose" | "quiet" | "out" | "accept">,
  header: Pick<RenderOptions, "madeAt" | "commit">,
): void {
  const isVerbose = options.verbose === true;
  reportDiagnostics(runtime, diagnostics, options);
  const view: RenderOptions = {
    ...header,
    color: runtime.color.stdout,
    hyperlinks: runtime.hyperlinks,
    width: runtime.columns,
    unmanaged: options.unmanaged === true,
    verbose: isVerbose,
    toRunnable: runtime.invocation.toRunnable,
    savedAs: options.out,
    footer: footerOf(options, document, isVerbose ? requestSummary(input.client.requests(), stats) : undefined),
    // Accepting is the next step.
    showsNextSteps: options.accept !== true,
    detail: options.quiet === true ? "line" : undefined,
  };
  if (!nothingCouldBeRead(document) || options.format !== "text")
    printResult(runtime, options.format, renderPlan(document, options.format, view));
  writeReports(runtime, options, (format) => renderPlan(document, format, inAFile(view, format, document)));
}

function exitCodeOf(runtime: Runtime, codes: readonly ExitCode[]): ExitCode {
  return runtime.signal.aborted ? EXIT.interrupted : worst(codes);
}
