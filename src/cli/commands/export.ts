import { configurationsIn } from "../steps/configurations-in.ts";
import { command, commandLine } from "../../model/command.ts";
import { join, relative, resolve } from "node:path";
import { renderConfiguration } from "../steps/render-configuration.ts";
import { exportImports, type ImportOptions } from "../../export/pulumi/export.ts";
import type { ExportResult, ExportSummary } from "../../export/types.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { invalidError } from "../failure.ts";
import { exportOrganizations, type ExportSnapshot } from "../../engine/export/export.ts";
import type { ExportSelection } from "../../engine/export/selection.ts";
import { EXIT, exitCodesOfDiagnostics, worst, type ExitCode } from "../exit-codes.ts";
import { requireFilled } from "../steps/config.ts";
import type { ServiceOptions } from "../program/options.ts";
import { reportDiagnostics } from "../terminal/output.ts";
import type { Runtime } from "../runtime.ts";
import { configuredService } from "../steps/service-and-key.ts";
import { withConnection } from "../steps/connect.ts";
import { writeExport } from "./export/files.ts";
import { exportSummary, unreadSummary } from "./export/summary.ts";

export interface ExportCommandOptions extends ServiceOptions, ExportSelection {
  readonly out?: string;
  readonly singleFile?: boolean;
  readonly split?: readonly string[];
  readonly allFields?: boolean;
  /** The folder, or true if `--out` names it. */
  readonly pulumi?: string | true;
  readonly provider?: ImportOptions["provider"];
  readonly ids: boolean;
  readonly idsAsVariables?: boolean;
  readonly quiet?: boolean;
}

/** `driftline export`: writes a configuration, or a file for `pulumi import`, from live organizations. Sends GET only. */
export async function exportCommand(runtime: Runtime, options: ExportCommandOptions): Promise<ExitCode> {
  const folder = folderOf(options);
  requireFilled(folder);
  const settings = { configured: await configuredService(runtime, options), mode: "read" } as const;
  return withConnection(runtime, options, settings, async ({ client }) => {
    const snapshot = await exportOrganizations(client, options, { keepsRows: options.pulumi !== undefined });
    if (runtime.signal.aborted) return EXIT.interrupted;
    const result = render(runtime, snapshot, { ...options, folder });
    const inTheWay = options.pulumi === undefined ? existingConfigurationWarnings(runtime, folder) : [];
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
  { rowsOf, unread, ...snapshot }: ExportSnapshot,
  { folder, ...options }: ExportCommandOptions & { readonly folder: string | undefined },
): ExportResult & { readonly next: string } {
  if (options.pulumi !== undefined) {
    const { provider = "packaged" } = options;
    const file = join(relative(runtime.cwd, resolve(runtime.cwd, folder ?? "")), "import.json");
    const next = `${unreadSummary(unread)}${nextSteps(file)[provider]}`;
    return { ...exportImports(snapshot.organizations, { provider, rowsOf, isSecret: runtime.redactor.holds }), next };
  }
  const layout = folder === undefined || options.singleFile === true ? "single" : "tree";
  const { summary, ...result } = renderConfiguration(runtime, snapshot, { ...options, layout, folder });
  // A plan of the whole folder would read what is beside the exported files as well.
  const isBeside = existingConfigurationWarnings(runtime, folder).length > 0;
  const tops = result.files.map(({ name }) => join(folder ?? "", name.split("/")[0] ?? ""));
  const paths = isBeside ? [...new Set(tops)] : folder === undefined ? [] : [folder];
  return { ...result, next: exportSummary(summary, unread, nextCommand(runtime, paths, summary)) };
}

/** Warns about a configuration in the folder: the next command would read both, and an organization is declared in one only. */
function existingConfigurationWarnings({ cwd }: Runtime, folder: string | undefined): readonly Diagnostic[] {
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

/** The command that plans what was exported, after what has to be done before: to save the text, or the values of variables. */
function nextCommand({ invocation }: Runtime, paths: readonly string[], { references }: ExportSummary): string {
  const hasVariables = references.some(({ variable }) => variable !== undefined);
  const options = hasVariables ? { vars: "ids.yaml" } : {};
  const saved = paths.length === 0 ? ["driftline.yaml"] : paths;
  const first = [
    ...(paths.length === 0 ? ["save this text as driftline.yaml"] : []),
    ...(hasVariables ? ["write the variables, with the ids of the other project, into ids.yaml"] : []),
  ];
  const plan = commandLine(invocation.toRunnable(command("plan", options, ...saved)));
  return first.length === 0 ? plan : `${first.join(", ")}, then\n  ${plan}`;
}

/** The folder to write into; undefined for stdout. @throws EngineError if the options contradict each other */
function folderOf(options: ExportCommandOptions): string | undefined {
  const wrong = contradictions(options).find(([isWrong]) => isWrong);
  if (wrong !== undefined) throw invalidError("usage", wrong[1], wrong[2]);
  const { pulumi, out } = options;
  return pulumi === undefined || pulumi === true ? out : pulumi;
}

/** A file for Pulumi needs a folder, and ids. */
function contradictions({
  pulumi,
  out,
  ids,
  idsAsVariables,
  singleFile,
  split,
  provider,
}: ExportCommandOptions): readonly (readonly [isWrong: boolean, message: string, hint: string])[] {
  const isPulumi = pulumi !== undefined;
  const isSingle = singleFile === true;
  const isSplit = split !== undefined;
  return [
    [idsAsVariables === true && ids, "--ids-as-variables is for files without ids", "Add --no-ids, or leave it out."],
    [
      isSplit && (isPulumi || isSingle || out === undefined),
      "--split is for a folder of configuration files",
      "Name one with --out, without --single-file.",
    ],
    [!isPulumi && provider !== undefined, "--provider is for Pulumi", "Add --pulumi, or leave it out."],
    [isPulumi && isSingle, "--pulumi writes a file for Pulumi", "Leave out --single-file."],
    [isPulumi && !ids, "--pulumi needs ids, because the state refers to objects by id", "Leave out --no-ids."],
    [
      typeof pulumi === "string" && out !== undefined,
      "--out and --pulumi both name a folder",
      "Leave out one of them.",
    ],
    [
      pulumi === true && out === undefined,
      "the file for Pulumi needs a folder",
      "Name one, for example: --pulumi live",
    ],
  ];
}

/**
 * The commands that import the exported resources. Pulumi's engine accepts their outputs since 3.254. It writes the program by the
 * schema, which dynamic resources do not have.
 */
function nextSteps(file: string): Readonly<Record<ImportOptions["provider"], string>> {
  const line = (...words: readonly string[]): string =>
    `  ${commandLine(["pulumi", "import", "--file", file, "--yes", ...words])}`;
  return {
    packaged: `
Next, in a project that has the packaged provider, with Pulumi 3.254 or newer, which writes the program:
${line("--out", "index.ts")}  # TypeScript: replace "driftline-pulumi" in it by "driftline/packaged"
${line("--out", "__main__.py")}  # Python
${line("--out", "resources.yaml")}  # YAML: add it to Pulumi.yaml
Then \`pulumi preview\` shows no change. The page docs/pulumi-import.md says how to set the secrets.
`,
    dynamic: `
Next, write the program, from constructors.ts. Then, with Pulumi 3.254 or newer:
${line("--generate-code=false")}
Then \`pulumi preview\` shows no change. Without --provider dynamic, Pulumi writes the program.
`,
  };
}
