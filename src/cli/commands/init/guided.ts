import { resolve } from "node:path";
import type { ExportFile } from "../../../export/types.ts";
import { escapeDollar } from "../../../edit/yaml/yaml-text.ts";
import { schemaLine } from "../../../export/document.ts";
import type { ExportSnapshot } from "../../../engine/export/export.ts";
import { command, withCommand } from "../../../model/command.ts";
import { listOperationsOfExport } from "../../../engine/doctor/needed-permissions.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { KindName } from "../../../model/kind-name.ts";
import { requireFilled } from "../../steps/config.ts";
import { withConnection } from "../../steps/connect.ts";
import { exitCodesOfDiagnostics, worst, type ExitCode } from "../../exit-codes.ts";
import { DEFAULT_FILE } from "../../invocation.ts";
import type { ServiceOptions } from "../../program/options.ts";
import { reportDiagnostics } from "../../terminal/output.ts";
import { schemaFor } from "../../program/package.ts";
import { requireRunning } from "../../terminal/ask.ts";
import { reportedWith } from "../../failure.ts";
import type { Runtime } from "../../runtime.ts";
import { writeExport } from "../export/files.ts";
import { choiceSummary, exportSummary } from "../export/summary.ts";
import { renderConfiguration } from "../../steps/render-configuration.ts";
import { planCommand } from "../plan.ts";
import { chooseFolder, requireNoConfiguration } from "./folder.ts";
import { initNextSteps } from "./next-steps.ts";
import { chooseComplete, chooseSelf, readSelection, type SelectionOptions, wantedKinds } from "./selection.ts";
import { checkService, chooseOtherKey, chooseService, type ChosenService } from "./service.ts";

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
  const first = await chooseService(runtime, options, listOperationsOfExport(wantedKinds(options)));
  return reportedWith(first.runtime, () => exportFrom(first, runtime, options));
}

/** @param runtime without the answers, which the files hold in the end */
async function exportFrom(
  first: ChosenService,
  { invocation }: Runtime,
  options: GuidedInitOptions,
): Promise<ExitCode> {
  const { out, ...service } = options;
  const kinds = wantedKinds(options);
  let chosen = first;
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
  const { runtime } = chosen;
  requireRunning(runtime);
  const { files, summary } = renderConfiguration(runtime, snapshot, { folder: out });
  const exclusive = await chooseComplete(runtime, snapshot);
  const self = await chooseSelf(runtime, snapshot);
  if (runtime.interactive && files.length > 0) runtime.err(choiceSummary(summary, exclusive, self));
  const folder = files.length === 0 ? undefined : await chooseFolder(runtime, out);
  const codes = exitCodesOfDiagnostics(await writeFiles(runtime, snapshot, { folder, url, exclusive, self }));
  if (folder === undefined) return worst(codes);
  // What is suggested from now on is about the files, and one of them has the URL.
  const here = { ...runtime, invocation: invocation.about({ paths: [folder] }) };
  const plan = { ...service, format: "text", quiet: true } as const;
  const planned = await reportedWith(here, () => planCommand(here, [folder], plan));
  runtime.out(initNextSteps(here, { folder, isKeyAnswered: chosen.isKeyAnswered }));
  return worst([...codes, planned]);
}

interface FilesToWrite {
  readonly folder: string | undefined;
  readonly url: string;
  /** The kinds that are declared completely. */
  readonly exclusive: readonly KindName[];
  /** The e-mail of the key's user. */
  readonly self: string | undefined;
}

/** Writes what was read, reports what was not, and returns the latter. Without a folder nothing is written. */
async function writeFiles(
  runtime: Runtime,
  { unread, diagnostics, ...snapshot }: ExportSnapshot,
  { folder, url, exclusive, self }: FilesToWrite,
): Promise<readonly Diagnostic[]> {
  const rendered = renderConfiguration(runtime, snapshot, { folder, exclusive });
  const all = [...diagnostics, ...rendered.diagnostics];
  reportDiagnostics(runtime, all);
  if (folder !== undefined)
    await writeExport(runtime, folder, [serviceFile(runtime, folder, { url, self }), ...rendered.files]);
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
function serviceFile({ cwd }: Runtime, folder: string, { url, self }: Pick<FilesToWrite, "url" | "self">): ExportFile {
  const text = `${schemaLine(schemaFor(resolve(cwd, folder)))}driftline: 1

# DRIFTLINE_URL and --url override it. The API key comes from DRIFTLINE_API_KEY only.
service: { url: ${JSON.stringify(url)}${self === undefined ? "" : `, self: ${JSON.stringify(escapeDollar(self))}`} }
`;
  return { name: "service.yaml", text };
}
