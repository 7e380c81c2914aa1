import { CODES } from "../../model/diagnostic-codes.ts";
import { notAttributed, onlyAttributed } from "../../engine/accept/attributed.ts";
import { loadConfiguration, requireFilled } from "../steps/config.ts";
import { requireAnswer } from "../steps/write-files.ts";
import {
  EXIT,
  exitCodeOf,
  exitCodesOfDiagnostics,
  exitCodesOfDifferences,
  exitCodesOfUnknown,
  type ExitCode,
} from "../exit-codes.ts";
import { reportDiagnostics } from "../terminal/output.ts";
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

/**
 * `driftline drift`: the same comparison, for a nightly check. Sends GET only; `--accept` writes configuration files.
 *
 * @param given paths of the configuration; with `--accept` also the addresses that are accepted
 */
export async function driftCommand(
  runtime: Runtime,
  given: readonly string[],
  options: DriftCommandOptions,
): Promise<ExitCode> {
  const isAccepting = options.accept === true;
  const { addresses, paths, config } = isAccepting
    ? await loadAddressed(runtime, given, options)
    : { addresses: [], paths: given, config: await loadConfiguration(runtime, given, options) };
  await requireWritable(runtime, options, config.readPaths);
  if (isAccepting && options.branch === undefined) requireAnswer(runtime, "drift --accept", options);
  requireFilled(options.branch);
  // What is wrong with the repository is said before anything is read.
  const takeOver =
    options.branch === undefined
      ? accept
      : await (await import("./drift/accept-branch.ts")).acceptanceOnBranch(runtime, options.branch);
  const only = [...(options.only ?? []), ...addresses];
  const run = await planReadOnly(runtime, { type: "driftline.drift", config, paths }, { ...options, only });
  showPlan(runtime, run, options, await reportHeader(runtime, config, options));
  const { run: attributed, left: unattributed } = onlyAttributed(run);
  if (isAccepting) reportDiagnostics(runtime, unattributed.map(notAttributed));
  const left =
    isAccepting && !runtime.signal.aborted
      ? [...(await takeOver(runtime, attributed, { ...options, only: addresses, paths })), ...unattributed]
      : run.plan.changes;
  return exitCodeOf(runtime, [
    ...exitCodesOfDiagnostics(run.diagnostics),
    // A nightly check that compares nothing would be green for ever.
    ...(run.diagnostics.some(({ code }) => code === CODES.nothingDeclared) ? [EXIT.invalid] : []),
    ...exitCodesOfUnknown(run.plan),
    ...exitCodesOfDifferences({ changes: left }),
  ]);
}
