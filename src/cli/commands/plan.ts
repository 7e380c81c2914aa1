import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Change } from "../../model/change.ts";
import { plural } from "../../model/plural.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { renderPlan, sanitize } from "../../report/index.ts";
import { safeJson } from "../../report/escape.ts";
import { cannotWrite } from "../failure.ts";
import { EXIT, ofDiagnostics, ofDifferences, ofPlan, ofUnknown, worst, type ExitCode } from "../exit-codes.ts";
import { loadConfiguration, requireAddresses, requireFilled } from "../config.ts";
import { splitPaths, type ConfigOptions, type FormatOptions, type ServiceOptions } from "../options.ts";
import { planLive, type Planned } from "../../engine/plan.ts";
import { print, reportDiagnostics } from "../output.ts";
import { requestSummary, describeReads } from "../read-stats.ts";
import type { Runtime } from "../runtime.ts";
import { connect } from "../connect.ts";
import { readEarlierRuns } from "../../engine/state.ts";

export interface PlanCommandOptions extends ConfigOptions, ServiceOptions, FormatOptions {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
  readonly prune?: boolean;
  readonly only?: readonly string[];
  readonly rotate?: readonly string[];
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
  const { planned, requests } = await planReadOnly(runtime, paths, options, "driftline.plan");
  const { document } = planned;
  if (options.out !== undefined)
    await writeFile(resolve(runtime.cwd, options.out), `${safeJson(document)}\n`, { mode: 0o600 }).catch(
      cannotWrite(options.out),
    );
  show(runtime, planned, options, requests);
  return codeOf(runtime, [
    ...ofDiagnostics(planned.diagnostics),
    ...ofPlan(planned.plan, options.detailedExitcode === true),
  ]);
}

/** `driftline drift`: the same comparison, for whoever watches. Sends GET only; `--accept` writes configuration files. */
export async function driftCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: PlanCommandOptions,
): Promise<ExitCode> {
  const { planned, requests } = await planReadOnly(runtime, paths, options, "driftline.drift");
  show(runtime, planned, options, requests);
  const codes = [...ofDiagnostics(planned.diagnostics), ...ofUnknown(planned.plan)];
  if (options.accept !== true || runtime.signal.aborted)
    return codeOf(runtime, [...codes, ...ofDifferences(planned.plan)]);
  return codeOf(runtime, [...codes, ...ofDifferences({ changes: await accept(runtime, planned) })]);
}

/** Takes what is live into the configuration. Gives the changes that are left. */
async function accept(runtime: Runtime, { plan }: Planned): Promise<readonly Change[]> {
  const { acceptDrift } = await import("../../engine/accept.ts");
  const { written, left, diagnostics } = await acceptDrift(plan.changes, runtime.cwd, runtime.redactor);
  reportDiagnostics(runtime, diagnostics);
  for (const [file, fields] of written)
    runtime.err(`Accepted into ${file}: ${plural(fields.length, "field")} (${sanitize(fields.join(", "))}).\n`);
  return left;
}

interface ReadOnlyPlan {
  readonly planned: Planned;
  readonly requests: number;
}

async function planReadOnly(
  runtime: Runtime,
  paths: readonly string[],
  options: PlanCommandOptions,
  type: PlanDocument["type"],
): Promise<ReadOnlyPlan> {
  const only = splitPaths(options.only ?? []);
  const rotate = splitPaths(options.rotate ?? []);
  const loaded = await loadConfiguration(runtime, [...paths, ...only.paths, ...rotate.paths], options);
  requireAddresses(loaded, only.addresses, false);
  requireAddresses(loaded, rotate.addresses, true);
  const { client, progress } = connect(runtime, options, loaded.graph.service.url, "read");
  try {
    const planned = await planLive(
      client,
      loaded,
      { prune: options.prune === true, only: only.addresses, rotate: rotate.addresses },
      { type, redactor: runtime.redactor, ...(await readEarlierRuns(runtime, client)) },
    );
    if (options.verbose === true) runtime.err(describeReads(planned.notes));
    return { planned, requests: client.requests() };
  } finally {
    progress.done();
    await client.close();
  }
}

/** The result on stdout; where nothing at all could be read, only why, on stderr. */
function show(
  runtime: Runtime,
  { document, diagnostics, notes }: Planned,
  options: FormatOptions & { readonly unmanaged?: boolean },
  requests: number,
): void {
  reportDiagnostics(runtime, diagnostics);
  if (isEntirelyUnknown(document) && options.format === "text") return;
  const footer = requestSummary(requests, notes);
  const shown = { color: runtime.color.stdout, unmanaged: options.unmanaged === true, footer };
  print(runtime, options.format, renderPlan(document, options.format, shown));
}

/** Whether nothing at all could be read: then there is nothing to show but why. */
export function isEntirelyUnknown({ changes }: PlanDocument): boolean {
  return changes.length > 0 && changes.every(({ action }) => action === "unknown");
}

function codeOf(runtime: Runtime, codes: readonly ExitCode[]): ExitCode {
  return runtime.signal.aborted ? EXIT.interrupted : worst(codes);
}
