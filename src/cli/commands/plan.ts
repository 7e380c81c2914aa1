import { resolve } from "node:path";
import { removeLeftovers, writeAtomically } from "../../files/atomic-write.ts";
import { documentJson } from "../../model/document-json.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { safeJson } from "../../report/escape.ts";
import { loadConfiguration, requireFilled } from "../steps/config.ts";
import {
  exitCodeOf,
  exitCodesOfDiagnostics,
  exitCodesOfDifferences,
  exitCodesOfPlan,
  type ExitCode,
} from "../exit-codes.ts";
import { cannotWrite } from "../failure.ts";
import { planReadOnly, type ReportedPlanOptions, showPlan } from "../steps/read-only-plan.ts";
import { reportHeader, requireWritable } from "../steps/report-files.ts";
import type { Runtime } from "../runtime.ts";

interface PlanCommandOptions extends ReportedPlanOptions {
  readonly out?: string | undefined;
  readonly detailedExitcode?: boolean;
}

/** `driftline plan`: what differs, and what would be done about it. Sends GET only. */
export async function planCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: PlanCommandOptions,
): Promise<ExitCode> {
  requireFilled(options.out);
  const config = await loadConfiguration(runtime, paths, options);
  await requireWritable(runtime, options, config.readPaths);
  const run = await planReadOnly(runtime, { purpose: "plan", config, paths }, options);
  // A report as JSON can be applied just as well.
  const savedAs = options.out ?? options.reports?.find(({ format }) => format === "json")?.file;
  if (options.out !== undefined) await savePlan(runtime, options.out, run.document);
  const saved = savedAs === undefined ? undefined : { file: savedAs, document: run.document };
  const here = { ...runtime, invocation: runtime.invocation.about({ saved }) };
  showPlan(here, run, { ...options, out: savedAs }, await reportHeader(runtime, config, options));
  return exitCodeOf(runtime, [
    ...exitCodesOfDiagnostics(run.document.diagnostics),
    ...exitCodesOfPlan(run.plan),
    ...(options.detailedExitcode === true ? exitCodesOfDifferences(run.plan.changes) : []),
  ]);
}

async function savePlan(runtime: Runtime, file: string, document: PlanDocument): Promise<void> {
  const text = safeJson(documentJson(document));
  const path = resolve(runtime.cwd, file);
  await writeAtomically(path, text).catch(cannotWrite(file));
  await removeLeftovers(path);
}
