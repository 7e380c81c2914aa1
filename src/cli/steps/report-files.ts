/** Reports that a run writes into files, beside its result on stdout: `--format html=report.html`. */
import type { ReportFile, FormatOptions, QuietOptions } from "../program/options.ts";
import { isRedacted, printResult, reportDiagnostics } from "../terminal/output.ts";
import { writeFileSync } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlanDocument } from "../../model/plan.ts";
import { isInReport } from "../../report/change-warnings.ts";
import type { Format } from "../../report/options.ts";
import type { LoadedConfig } from "../../config/index.ts";
import { isWrittenOutside } from "../../config/source/files.ts";
import type { RenderOptions } from "../../report/index.ts";
import { cannotWrite, invalidError } from "../failure.ts";
import type { Runtime } from "../runtime.ts";

/** A report, which can go to stdout and into files. */
export interface Report<Shown extends Hashed> {
  readonly document: Shown;
  /** How it is shown on stdout. */
  readonly view: RenderOptions;
  readonly render: (document: Shown, format: Format, view: RenderOptions) => string;
  /** Whether stdout has no use for it. */
  readonly onlyInFiles?: boolean;
}

type Hashed = Pick<PlanDocument, "hash">;

/** The options that say how a report is shown. */
export interface ViewOptions extends QuietOptions {
  readonly unmanaged?: boolean;
  readonly verbose?: boolean;
}

/** How a report is shown on stdout, as far as every command says it in the same way. */
export function viewOf(
  { color, hyperlinks, columns, invocation }: Runtime,
  { unmanaged, verbose, quiet }: ViewOptions,
): RenderOptions {
  return {
    color: color.stdout,
    hyperlinks,
    width: columns,
    unmanaged: unmanaged === true,
    verbose: verbose === true,
    detail: quiet === true ? "line" : undefined,
    toRunnable: invocation.toRunnable,
  };
}

/** How a report in a file is shown, other than on stdout: whole, and without what only a terminal has. */
function inAFile(view: RenderOptions, format: Format, document: Hashed): RenderOptions {
  const terminal = { color: false, hyperlinks: false, width: undefined };
  const footer = format === "text" ? hashLine(document) : undefined;
  return { ...view, ...terminal, detail: undefined, outcomesAlreadyPrinted: false, footer };
}

/** The last line of a report on stdout. A text beside other reports names the plan, as they do. */
export function footerOf(
  { format, reports = [] }: FormatOptions,
  document: Hashed,
  requests?: string,
): string | undefined {
  const hash = format === "text" && reports.length > 0 ? hashLine(document) : [];
  const parts = [requests ?? [], hash].flat();
  return parts.length === 0 ? undefined : parts.join(", ");
}

function hashLine({ hash }: Hashed): string {
  return `plan ${hash}`;
}

/** Reports what the text of a report does not show: it has the warnings about its changes. */
export function reportBesideText(
  runtime: Runtime,
  diagnostics: readonly Diagnostic[],
  { changes }: Pick<PlanDocument, "changes">,
  options: { readonly verbose?: boolean },
): void {
  const isInText = runtime.jsonLines === true ? () => false : isInReport(changes);
  reportDiagnostics(
    runtime,
    diagnostics.filter((one) => !isInText(one)),
    options,
  );
}

/** When a report was made, and from which commit. A plan has them only in HTML, so git is asked for no other format. */
export async function reportHeader(
  { cwd, env, clock, redactor }: Runtime,
  { files }: Pick<LoadedConfig, "files">,
  { format, reports = [] }: FormatOptions,
  hasAll = false,
): Promise<Pick<RenderOptions, "madeAt" | "commit">> {
  const madeAt = new Date(clock.now());
  if (!hasAll && ![format, ...reports.map((report) => report.format)].includes("html")) return { madeAt };
  const { describeHead } = await import("../../git/git.ts");
  const commit = await describeHead(resolve(cwd, dirname(files[0] ?? "")), env);
  return commit === undefined ? { madeAt } : { madeAt, commit: redactor.text(commit) };
}

/**
 * Fails before anything is sent if a file could not be written at the end, because its folder is missing or locked, or if the run
 * has read it: the only copy of a configuration would be lost.
 *
 * @param readPaths absolute paths of the files that were read
 */
export async function requireWritable(
  { cwd }: Runtime,
  { out, reports = [] }: { readonly out?: string | undefined; readonly reports?: readonly ReportFile[] },
  readPaths: readonly string[],
): Promise<void> {
  const files = [out ?? [], ...reports.map((report) => report.file)].flat();
  const read = files.length === 0 ? [] : await Promise.all(readPaths.map(identityOf));
  for (const file of files) {
    const path = resolve(cwd, file);
    requireInside(cwd, file);
    await access(dirname(path), constants.W_OK | constants.X_OK).catch(cannotWrite(file));
    const identity = await identityOf(path);
    if (identity === undefined || !read.includes(identity)) continue;
    throw invalidError(
      "usage",
      `${file} is a file that this run reads, so nothing is written into it`,
      "Name another file.",
    );
  }
}

/**
 * A pull request can bring a link to any file of the machine, in the place of a file that its pipeline writes.
 *
 * @throws EngineError if the path is in the working directory, and a link leads out of that
 */
export function requireInside(cwd: string, file: string): void {
  if (!isWrittenOutside(resolve(cwd, file), cwd)) return;
  const message = `${file} is a link that leads out of the working directory, or lies behind one`;
  throw invalidError("file_outside", message, "Give the path that it leads to.");
}

/** The same text for all paths of one file, also through links; undefined if it is no file. */
async function identityOf(path: string): Promise<string | undefined> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats?.isFile() === true ? `${String(stats.dev)}:${String(stats.ino)}` : undefined;
}

/**
 * Writes a report to stdout, and into the files of a run. It waits for nothing, so that a run that is stopped at once writes them as
 * well.
 *
 * @throws EngineError if a file cannot be written
 */
export function showReport<Shown extends Hashed>(
  runtime: Runtime,
  { format, reports = [] }: FormatOptions,
  { document, view, render, onlyInFiles = false }: Report<Shown>,
): void {
  if (!onlyInFiles) printResult(runtime, format, render(document, format, view));
  for (const other of reports) {
    try {
      const text = render(document, other.format, inAFile(view, other.format, document));
      writeFileSync(resolve(runtime.cwd, other.file), isRedacted(other.format) ? text : runtime.redactor.text(text));
    } catch (error) {
      cannotWrite(other.file)(error as NodeJS.ErrnoException);
    }
  }
}
