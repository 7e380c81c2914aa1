/** Reports that a run writes into files, beside its result on stdout: `--format html=report.html`. */
import { isRedacted } from "../terminal/output.ts";
import { writeFileSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { PlanDocument } from "../../model/plan.ts";
import type { Format } from "../../report/options.ts";
import type { LoadedConfig } from "../../config/index.ts";
import type { RenderOptions } from "../../report/index.ts";
import type { FormatOptions } from "../program/options.ts";
import { cannotWrite } from "../failure.ts";
import type { Runtime } from "../runtime.ts";

/** One report, and where it goes. */
export interface ReportFile {
  readonly format: Format;
  readonly file: string;
}

/** How a report in a file is shown, other than on stdout: whole, and without what only a terminal has. */
export function inAFile(view: RenderOptions, format: Format, document: Pick<PlanDocument, "hash">): RenderOptions {
  const footer = format === "text" ? hashLine(document) : undefined;
  return { ...view, color: false, hyperlinks: false, width: undefined, detail: undefined, footer };
}

/** The last line of a report on stdout. A text beside other reports names the plan, as they do. */
export function footerOf(
  { format, reports = [] }: FormatOptions,
  document: Pick<PlanDocument, "hash">,
  requests?: string,
): string | undefined {
  const hash = format === "text" && reports.length > 0 ? hashLine(document) : [];
  const parts = [requests ?? [], hash].flat();
  return parts.length === 0 ? undefined : parts.join(", ");
}

function hashLine({ hash }: Pick<PlanDocument, "hash">): string {
  return `plan ${hash}`;
}

/** When a report was made, and from which commit. Only the header of an HTML report has them. */
export async function reportHeader(
  { cwd, env, clock, redactor }: Runtime,
  { files }: Pick<LoadedConfig, "files">,
  { format, reports = [] }: FormatOptions,
): Promise<Pick<RenderOptions, "madeAt" | "commit">> {
  const madeAt = new Date(clock.now());
  if (![format, ...reports.map((report) => report.format)].includes("html")) return { madeAt };
  const { describeHead } = await import("../../git/head.ts");
  const commit = await describeHead(resolve(cwd, dirname(files[0] ?? "")), env);
  return commit === undefined ? { madeAt } : { madeAt, commit: redactor.text(commit) };
}

/** Fails before anything is sent if a file could not be written at the end, because its folder is missing or locked. */
export async function requireFolders(
  { cwd }: Runtime,
  { out, reports = [] }: { readonly out?: string | undefined; readonly reports?: readonly ReportFile[] },
): Promise<void> {
  for (const file of [out ?? [], ...reports.map((report) => report.file)].flat())
    await access(dirname(resolve(cwd, file)), constants.W_OK | constants.X_OK).catch(cannotWrite(file));
}

/**
 * Writes the reports of a run. It waits for nothing, so that a run that is stopped at once writes them as well.
 *
 * @throws Failure if a file cannot be written
 */
export function writeReports(
  { cwd, redactor }: Runtime,
  { reports = [] }: { readonly reports?: readonly ReportFile[] },
  render: (format: Format) => string,
): void {
  for (const { format, file } of reports) {
    try {
      const text = render(format);
      writeFileSync(resolve(cwd, file), isRedacted(format) ? text : redactor.text(text));
    } catch (error) {
      cannotWrite(file)(error as NodeJS.ErrnoException);
    }
  }
}
