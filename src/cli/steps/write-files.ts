import type { EditSource, ManualEdit } from "../../edit/edit.ts";
import { type PreparedFile, writeFile } from "../../edit/files.ts";
import { aliasOf, formatPosition, linesToAdd } from "../../edit/manual-edits.ts";
import { MAX_ADDRESSES, plural } from "../../model/plural.ts";
import { sanitize } from "../../model/quote.ts";
import { renderFileDiff } from "../../report/index.ts";
import { confirm, requireConfirmable } from "../terminal/confirm.ts";
import type { Runtime } from "../runtime.ts";

/** @throws Failure if files are to be edited, and there is neither `--yes` nor a person to ask */
export function requireAnswer(runtime: Runtime, what: string, options: Pick<WriteOptions<EditSource>, "yes">): void {
  requireConfirmable(runtime, options, { what, hint: "Use --yes to write the files without a question." });
}

/** How {@link writeFiles} asks and reports. */
export interface WriteOptions<T extends EditSource> {
  /** Whether to write without a question. */
  readonly yes?: boolean | undefined;
  /** What was written into a file, such as `Wrote driftline.yaml: 3 ids`. */
  readonly describe: (file: PreparedFile<T>) => string;
  /** Where that is printed. */
  readonly print: (text: string) => void;
}

/**
 * Writes files, after a question with the difference of each one unless `yes` is set. Difference and question go to stderr, because
 * stdout may lead to a file.
 *
 * @returns the files that were written
 * @throws EngineError `stale` if a file was changed meanwhile
 */
export async function writeFiles<T extends EditSource>(
  runtime: Runtime,
  files: readonly PreparedFile<T>[],
  { yes, describe, print }: WriteOptions<T>,
): Promise<readonly PreparedFile<T>[]> {
  const written: PreparedFile<T>[] = [];
  for (const prepared of files) {
    if (runtime.signal.aborted) break;
    if (yes !== true && !(await isApproved(runtime, prepared))) {
      print(`${sanitize(prepared.file)} stays as it is.\n`);
      continue;
    }
    await writeFile(prepared, runtime.clock);
    written.push(prepared);
    print(`${sanitize(describe(prepared))}.\n`);
  }
  return written;
}

async function isApproved(runtime: Runtime, { file, before, after }: PreparedFile): Promise<boolean> {
  runtime.err(`\n${renderFileDiff(file, before, after, { color: runtime.color.stderr })}\n`);
  return confirm(runtime, `Write this into ${sanitize(file)}`);
}

/** Prints the lines that people have to add themselves. */
export function printManualEdits(runtime: Runtime, manual: readonly ManualEdit[]): void {
  for (const one of manual) {
    const { edit, reason } = one;
    const alias = aliasOf(one);
    const lines = linesToAdd(one).trimEnd().split("\n");
    const what = alias === undefined ? "Add this" : `In the place of ${alias}, write this`;
    const place = formatPosition(edit);
    runtime.out(`\n${sanitize(`${edit.source.address} is not written, because ${reason}. ${what} at ${place}:`)}\n`);
    runtime.out(`${lines.map((line) => `  ${sanitize(line)}`).join("\n")}\n`);
  }
}

/** How many there are, such as "3 ids", with their addresses if they are few. */
export function countNamed(addresses: readonly string[], noun: string, most = MAX_ADDRESSES): string {
  return plural(addresses.length, noun) + (addresses.length > most ? "" : ` (${addresses.join(", ")})`);
}
