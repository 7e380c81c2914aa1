import { configurationsIn } from "../steps/configurations-in.ts";
import { command, commandLine } from "../../model/command.ts";
import { join, relative, resolve } from "node:path";
import type { Client } from "../../api/client.ts";
import { renderConfiguration } from "../steps/render-configuration.ts";
import { exportProgram, type ProgramOptions } from "../../export/pulumi/export.ts";
import type { ExportResult } from "../../export/types.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { invalid } from "../failure.ts";
import { exportOrganizations, type ExportSnapshot } from "../../engine/export/export.ts";
import type { ExportSelection } from "../../engine/export/selection.ts";
import { EXIT, exitCodesOfDiagnostics, worst, type ExitCode } from "../exit-codes.ts";
import { requireFilled } from "../steps/config.ts";
import type { ServiceOptions } from "../program/options.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import { packageSource } from "../steps/package.ts";
import type { Runtime } from "../runtime.ts";
import { configuredService } from "../steps/service-and-key.ts";
import { withConnection } from "../steps/connect.ts";
import { writeExport } from "./export/files.ts";
import { exportSummary, unreadSummary } from "./export/summary.ts";

export interface ExportCommandOptions extends ServiceOptions, ExportSelection {
  readonly out?: string;
  readonly singleFile?: boolean;
  readonly allFields?: boolean;
  /** The folder, or true if `--out` names it. */
  readonly pulumi?: string | true;
  readonly language?: ProgramOptions["language"];
  /** What manages the resources of the program. YAML needs the packaged provider. */
  readonly provider?: ProgramOptions["provider"];
  readonly ids: boolean;
  readonly quiet?: boolean;
}

/** `driftline export`: writes a configuration, or a Pulumi program, from live organizations. Sends GET only. */
export async function exportCommand(runtime: Runtime, options: ExportCommandOptions): Promise<ExitCode> {
  const folder = folderOf(options);
  requireFilled(folder);
  const settings = { configured: await configuredService(runtime, options), mode: "read" } as const;
  return withConnection(runtime, options, settings, async ({ client }) => {
    const snapshot = await exportOrganizations(client, options, { keepsRows: options.pulumi !== undefined });
    if (runtime.signal.aborted) return EXIT.interrupted;
    const result = render(runtime, snapshot, client, { ...options, folder });
    const inTheWay = options.pulumi === undefined ? besideConfiguration(runtime, folder) : [];
    const diagnostics = [...snapshot.diagnostics, ...result.diagnostics, ...inTheWay];
    reportDiagnostics(runtime, diagnostics);
    if (snapshot.organizations.length > 0) {
      await writeExport(runtime, folder, result.files);
      runtime.err(options.quiet === true ? unreadSummary(snapshot.unread) : result.next);
    }
    return worst(exitCodesOfDiagnostics(diagnostics));
  });
}

/** The files, and what comes after them. */
function render(
  runtime: Runtime,
  { organizations, rowsOf, unread }: ExportSnapshot,
  client: Client,
  { folder, ...options }: ExportCommandOptions & { readonly folder: string | undefined },
): ExportResult & { readonly next: string } {
  if (options.pulumi !== undefined) {
    const form = programForm(options);
    const target = resolve(runtime.cwd, folder ?? "");
    const isSecret = runtime.redactor.holds;
    const program = { source: packageSource(target), url: client.url, rowsOf, isSecret, ...form };
    const next = `${unreadSummary(unread)}${nextSteps(relative(runtime.cwd, target), form)}`;
    return { ...exportProgram(organizations, program), next };
  }
  const layout = folder === undefined || options.singleFile === true ? "single" : "tree";
  const { summary, ...result } = renderConfiguration(runtime, organizations, { ...options, layout, folder });
  // A plan of the whole folder would read what is beside the exported files as well.
  const isBeside = besideConfiguration(runtime, folder).length > 0;
  const tops = result.files.map(({ name }) => join(folder ?? "", name.split("/")[0] ?? ""));
  const paths = isBeside ? [...new Set(tops)] : folder === undefined ? [] : [folder];
  return { ...result, next: exportSummary(summary, unread, nextCommand(runtime, paths)) };
}

/** Warns about a configuration in the folder: the next command would read both, and an organization is declared in one only. */
function besideConfiguration({ cwd }: Runtime, folder: string | undefined): readonly Diagnostic[] {
  const path = resolve(cwd, folder ?? "");
  const [found] = folder === undefined ? [] : configurationsIn(path);
  if (found === undefined) return [];
  const file = relative(cwd, join(path, found));
  return [
    {
      severity: "warning",
      code: "beside_configuration",
      message: `${file} is a configuration already. A plan of this folder reads both, and ends with exit code ${String(EXIT.invalid)} if they declare the same`,
      hint: "Export into an empty folder. To add to the files that are there only what they do not declare:",
      command: command("import", {}, file),
    },
  ];
}

/** The command that plans what was exported. Without a path, the text has to be saved first. */
function nextCommand({ invocation }: Runtime, paths: readonly string[]): string {
  const plan = (...all: readonly string[]): string => commandLine(invocation.toRunnable(command("plan", {}, ...all)));
  return paths.length === 0 ? `save this text as driftline.yaml, then\n  ${plan("driftline.yaml")}` : plan(...paths);
}

function programForm({
  language = "typescript",
  provider = language === "typescript" ? "dynamic" : "packaged",
}: ExportCommandOptions): Pick<ProgramOptions, "language" | "provider"> {
  return { language, provider };
}

/** The folder to write into; undefined for stdout. A Pulumi program has several files, and needs ids. */
function folderOf(options: ExportCommandOptions): string | undefined {
  const { pulumi, out, ids, singleFile } = options;
  const { language, provider } = options;
  if (pulumi === undefined) {
    const unused = language === undefined ? (provider === undefined ? undefined : "--provider") : "--language";
    if (unused === undefined) return out;
    throw invalid("usage", `${unused} is for a Pulumi program`, "Add --pulumi, or leave it out.");
  }
  if (language !== undefined && language !== "typescript" && provider === "dynamic")
    throw invalid(
      "usage",
      `dynamic resources have no ${language} programs`,
      "Leave out --provider dynamic, or add --language typescript.",
    );
  if (singleFile === true)
    throw invalid("usage", "--pulumi writes a program of several files", "Leave out --single-file.");
  if (!ids)
    throw invalid("usage", "--pulumi needs ids, because the state refers to objects by id", "Leave out --no-ids.");
  if (pulumi !== true && out !== undefined)
    throw invalid("usage", "--out and --pulumi both name a folder", "Leave out one of them.");
  const folder = pulumi === true ? out : pulumi;
  if (folder === undefined)
    throw invalid("usage", "a Pulumi program needs a folder", "Name one, for example: --pulumi live");
  return folder;
}

/** The commands that build a program in each language. */
const BUILD = {
  typescript: "npm install && npm run build",
  yaml: "npm install",
} as const;

/**
 * The commands that import the exported resources. Pulumi's engine accepts the outputs of dynamic resources since 3.254. The
 * packaged provider reads its resources from the service, so it needs the key.
 */
function nextSteps(folder: string, { language, provider }: ReturnType<typeof programForm>): string {
  const needs =
    provider === "packaged"
      ? "Next, with DRIFTLINE_API_KEY set:"
      : "Next, with Pulumi 3.254 or newer (earlier versions cannot import these; with them, `pulumi up` adopts the live objects):";
  return `
${needs}
  cd ${folder === "" ? "." : folder}
  ${BUILD[language]}
  pulumi stack init dev
  pulumi import --file import.json --generate-code=false --yes
  pulumi preview --expect-no-changes
`;
}
