import { CODES } from "../../model/diagnostic-codes.ts";
import { redacted } from "../../engine/redact.ts";
import { loadConfiguration, requireFilled } from "../steps/config.ts";
import { requireAnswer } from "../steps/write-files.ts";
import {
  EXIT,
  exitCodeOf,
  exitCodesOfDiagnostics,
  exitCodesOfDrift,
  exitCodesOfUnknown,
  type ExitCode,
} from "../exit-codes.ts";
import { planReadOnly, type ReportedPlanOptions, showPlan } from "../steps/read-only-plan.ts";
import { reportHeader, requireWritable } from "../steps/report-files.ts";
import type { Runtime } from "../runtime.ts";
import { loadAddressed } from "../steps/split-paths.ts";
import { accept } from "./drift/accept.ts";

interface DriftCommandOptions extends ReportedPlanOptions {
  readonly accept?: boolean;
  /** With `accept`: the branch that gets the commits, in the place of the files. */
  readonly branch?: string;
  readonly yes?: boolean;
}

/** What accepts a drift: into the files, or on a branch. */
async function acceptanceFor(runtime: Runtime, branch: string | undefined): Promise<typeof accept> {
  if (branch === undefined) return accept;
  const { acceptanceOnBranch } = await import("./drift/accept-branch.ts");
  return acceptanceOnBranch(runtime, branch);
}

/**
 * `driftline drift`: the same comparison, for a nightly check. Sends GET only; `--accept` writes configuration files.
 */
export async function driftCommand(
  runtime: Runtime,
  given: readonly string[],
  options: DriftCommandOptions,
): Promise<ExitCode> {
  const isAccepting = options.accept === true;
  const { only, paths, config } = isAccepting
    ? await loadAddressed(runtime, given, options)
    : { only: options.only ?? [], paths: given, config: await loadConfiguration(runtime, given, options) };
  await requireWritable(runtime, options, config.readPaths);
  if (isAccepting && options.branch === undefined) requireAnswer(runtime, "drift --accept", options);
  requireFilled(options.branch);
  // What is wrong with the repository is said before anything is read.
  const takeOver = await acceptanceFor(runtime, options.branch);
  const purpose = isAccepting ? "acceptance" : "drift";
  const run = await planReadOnly(runtime, { purpose, config, paths }, { ...options, only });
  const header = await reportHeader(runtime, config, options);
  // People read the report before the question. A document says also what was not accepted.
  const isDocument = isAccepting && options.format === "json";
  if (!isDocument) showPlan(runtime, run, options, header);
  const accepted =
    isAccepting && !runtime.signal.aborted ? await takeOver(runtime, run, { ...options, only, paths }) : undefined;
  const said = redacted(accepted?.diagnostics ?? [], runtime.redactor);
  if (isDocument) showPlan(runtime, run, { ...options, said }, header);
  const { diagnostics } = run.document;
  return exitCodeOf(runtime, [
    ...exitCodesOfDiagnostics(diagnostics),
    // A nightly check that compares nothing would be green for ever.
    ...(diagnostics.some(({ code }) => code === CODES.nothingDeclared) ? [EXIT.invalid] : []),
    ...exitCodesOfUnknown(run.plan),
    ...exitCodesOfDrift({
      changes: accepted?.remaining ?? run.plan.changes,
      diagnostics: diagnostics.filter(({ address = "" }) => accepted?.declared.has(address) !== true),
    }),
  ]);
}
