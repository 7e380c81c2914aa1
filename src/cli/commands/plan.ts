import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isEntirelyUnknown, planConfig, type PlannedRun } from "../../engine/plan.ts";
import type { Change } from "../../model/change.ts";
import { plural } from "../../model/plural.ts";
import type { PlanDocument, PlanOptions } from "../../model/plan.ts";
import { safeJson } from "../../report/escape.ts";
import { renderPlan, sanitize } from "../../report/index.ts";
import { loadConfiguration, requireFilled } from "../config.ts";
import { connect } from "../connect.ts";
import { EXIT, ofDiagnostics, ofDifferences, ofPlan, ofUnknown, worst, type ExitCode } from "../exit-codes.ts";
import { cannotWrite } from "../failure.ts";
import type { ConfigOptions, FormatOptions, ServiceOptions } from "../options.ts";
import { describeReads, printResult, reportDiagnostics, requestSummary } from "../output.ts";
import { engineContext, type Runtime } from "../runtime.ts";

export interface PlanCommandOptions extends ConfigOptions, ServiceOptions, FormatOptions {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  readonly prune?: boolean;
  readonly only?: readonly string[];
  readonly rotate?: readonly string[];
  readonly recreate?: readonly string[];
  readonly unmanaged?: boolean;
  readonly accept?: boolean;
}

/** `driftline plan`: what differs, and what would be done about it. Sends GET only. */
export async function planCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: PlanCommandOptions,
): Promise<ExitCode> {
  requireFilled(options.out);
  const run = await planReadOnly(runtime, paths, options, "driftline.plan");
  if (options.out !== undefined) await savePlan(runtime, options.out, run.document);
  showPlan(runtime, run, options);
  return exitCodeOf(runtime, [
    ...ofDiagnostics(run.diagnostics),
    ...ofPlan(run.plan, options.detailedExitcode === true),
  ]);
}

/** `driftline drift`: the same comparison, for a nightly check. Sends GET only; `--accept` writes configuration files. */
export async function driftCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: PlanCommandOptions,
): Promise<ExitCode> {
  const run = await planReadOnly(runtime, paths, options, "driftline.drift");
  showPlan(runtime, run, options);
  const isAccepting = options.accept === true && !runtime.signal.aborted;
  const left = isAccepting ? await accept(runtime, run) : run.plan.changes;
  return exitCodeOf(runtime, [
    ...ofDiagnostics(run.diagnostics),
    ...ofUnknown(run.plan),
    ...ofDifferences({ changes: left }),
  ]);
}

/** The options of a command, as the engine takes them. */
export function planOptions({ prune, only, rotate, recreate }: PlanCommandOptions): PlanOptions {
  const options = { prune: prune === true, only: only ?? [], rotate: rotate ?? [] };
  return recreate === undefined ? options : { ...options, recreate };
}

/** Writes live values into the configuration. Returns the changes that still differ. */
async function accept(runtime: Runtime, run: PlannedRun): Promise<readonly Change[]> {
  const { acceptDrift } = await import("../../engine/accept/accept.ts");
  const { written, left, diagnostics } = await acceptDrift(run, runtime.cwd);
  reportDiagnostics(runtime, diagnostics);
  for (const [file, fields] of written)
    runtime.err(`Accepted into ${file}: ${plural(fields.length, "field")} (${sanitize(fields.join(", "))}).\n`);
  return left;
}

async function planReadOnly(
  runtime: Runtime,
  paths: readonly string[],
  options: PlanCommandOptions,
  type: PlanDocument["type"],
): Promise<PlannedRun> {
  const config = await loadConfiguration(runtime, paths, options);
  const limits = planOptions(options);
  const { client, close } = connect(runtime, options, config.graph.service.url, "read");
  try {
    const run = await planConfig({ config, client, options: limits, context: engineContext(runtime) }, type);
    if (options.verbose === true) runtime.err(describeReads(run.stats));
    return run;
  } finally {
    await close();
  }
}

async function savePlan(runtime: Runtime, file: string, document: PlanDocument): Promise<void> {
  const text = `${safeJson(document)}\n`;
  await writeFile(resolve(runtime.cwd, file), text, { mode: 0o600 }).catch(cannotWrite(file));
}

/** Prints the plan. If nothing at all could be read, only the reasons are reported. */
function showPlan(
  runtime: Runtime,
  { document, diagnostics, stats, input }: PlannedRun,
  options: FormatOptions & Pick<PlanCommandOptions, "unmanaged" | "verbose">,
): void {
  const isVerbose = options.verbose === true;
  reportDiagnostics(runtime, diagnostics, isVerbose);
  if (isEntirelyUnknown(document) && options.format === "text") return;
  const view = {
    color: runtime.color.stdout,
    unmanaged: options.unmanaged === true,
    verbose: isVerbose,
    footer: isVerbose ? requestSummary(input.client.requests(), stats) : undefined,
  };
  printResult(runtime, options.format, renderPlan(document, options.format, view));
}

function exitCodeOf(runtime: Runtime, codes: readonly ExitCode[]): ExitCode {
  return runtime.signal.aborted ? EXIT.interrupted : worst(codes);
}
