import { resolve } from "node:path";
import type { ExportFile } from "../../../export/types.ts";
import { schemaLine } from "../../../export/document.ts";
import type { ExportSnapshot } from "../../../engine/export/export.ts";
import { command, withCommand } from "../../../model/command.ts";
import { listOperationsOfExport } from "../../../engine/doctor/needed-scopes.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { KindName } from "../../../model/kind-name.ts";
import { requireFilled } from "../../steps/config.ts";
import { withConnection } from "../../steps/connect.ts";
import { exitCodesOfDiagnostics, worst, type ExitCode } from "../../exit-codes.ts";
import { DEFAULT_FILE } from "../../invocation.ts";
import type { ServiceOptions } from "../../program/options.ts";
import { reportDiagnostics } from "../../terminal/output.ts";
import { schemaFor } from "../../steps/package.ts";
import { requireRunning } from "../../terminal/ask.ts";
import type { Runtime } from "../../runtime.ts";
import { writeExport } from "../export/files.ts";
import { exportSummary } from "../export/summary.ts";
import { renderConfiguration } from "../../steps/render-configuration.ts";
import { planCommand } from "../plan.ts";
import { chooseFolder, requireNoConfiguration } from "./folder.ts";
import { initNextSteps } from "./next-steps.ts";
import { chooseComplete, readSelection, type SelectionOptions, wantedKinds } from "./selection.ts";
import { checkService, chooseOtherKey, chooseService } from "./service.ts";

export interface GuidedInitOptions extends ServiceOptions, SelectionOptions {
  readonly out?: string;
}

/**
 * `driftline init` on a terminal: asks for what no option says, exports it, and plans what was exported. Sends GET only. Nothing is
 * written before the last answer.
 */
export async function guidedInitCommand(runtime: Runtime, options: GuidedInitOptions): Promise<ExitCode> {
  requireFilled(options.out);
  requireNoConfiguration(runtime, options.out);
  if (runtime.interactive) runtime.err(introduction());
  const { out, ...service } = options;
  const kinds = wantedKinds(options);
  let chosen = await chooseService(runtime, service, listOperationsOfExport(kinds));
  let checked = await checkService(chosen, service);
  while (checked.isRetryable) {
    chosen = await chooseOtherKey(chosen);
    checked = await checkService(chosen, service);
  }
  const { isAccepted, exitCode } = checked;
  if (!isAccepted) return exitCode;
  const { url, ...snapshot } = await withConnection(chosen.runtime, service, { mode: "read" }, async ({ client }) => ({
    ...(await readSelection(chosen.runtime, client, { ...options, kinds })),
    url: client.url,
  }));
  requireRunning(runtime);
  const isEmpty = renderConfiguration(runtime, snapshot.organizations, { folder: out }).files.length === 0;
  const exclusive = await chooseComplete(runtime, snapshot);
  const folder = isEmpty ? undefined : await chooseFolder(runtime, out);
  const codes = exitCodesOfDiagnostics(await writeFiles(runtime, snapshot, { folder, url, exclusive }));
  if (folder === undefined) return worst(codes);
  // What is suggested from now on is about the files, and one of them has the URL.
  runtime.invocation.setAnsweredUrl(undefined);
  runtime.invocation.setPaths([folder]);
  const planned = await planCommand(chosen.runtime, [folder], { ...service, format: "text", quiet: true });
  runtime.out(initNextSteps(runtime, { folder, isKeyAnswered: chosen.isKeyAnswered }));
  return worst([...codes, planned]);
}

interface FilesToWrite {
  readonly folder: string | undefined;
  readonly url: string;
  /** The kinds that are declared completely. */
  readonly exclusive: readonly KindName[];
}

/** Writes what was read, reports what was not, and returns the latter. Without a folder nothing is written. */
async function writeFiles(
  runtime: Runtime,
  { organizations, unread, diagnostics }: ExportSnapshot,
  { folder, url, exclusive }: FilesToWrite,
): Promise<readonly Diagnostic[]> {
  const rendered = renderConfiguration(runtime, organizations, { folder, exclusive });
  const all = [...diagnostics, ...rendered.diagnostics];
  reportDiagnostics(runtime, all);
  if (folder !== undefined) await writeExport(runtime, folder, [serviceFile(runtime, folder, url), ...rendered.files]);
  runtime.err(exportSummary(rendered.summary, unread));
  return all;
}

function introduction(): string {
  const empty = withCommand("For an empty file to begin with:", command("init", {}, DEFAULT_FILE));
  return `This writes an organization that you have into files. It only reads from the
service, and writes no file before the last answer. Ctrl-C leaves.
${empty}

`;
}

/** The file that says which service the others are about, so that a plan needs only the key. */
function serviceFile({ cwd }: Runtime, folder: string, url: string): ExportFile {
  const text = `${schemaLine(schemaFor(resolve(cwd, folder)))}driftline: 1

# DRIFTLINE_URL and --url override it. The API key comes from DRIFTLINE_API_KEY only.
service: { url: ${JSON.stringify(url)} }
`;
  return { name: "service.yaml", text };
}
