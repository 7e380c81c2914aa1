import { type LeftAddition, linesToAdd, placeOf } from "../edit/manual-edits.ts";
import { type FileEdit, type PreparedFile, writeFile } from "../edit/files.ts";
import { plural } from "../model/messages.ts";
import { renderFileDiff, sanitize } from "../report/index.ts";
import { EXIT } from "./exit-codes.ts";
import { failure } from "./failure.ts";
import { confirm } from "./question.ts";
import type { Runtime } from "./runtime.ts";

/** @throws Failure if files are to be edited, and there is neither `--yes` nor a person to ask */
export function requireAnswer({ interactive }: Runtime, command: string, yes: boolean | undefined): void {
  if (yes === true || interactive) return;
  const message = `${command} needs confirmation, but stdin is not a terminal`;
  throw failure(EXIT.invalid, "not_confirmed", message, "Use --yes to write the files without a question.");
}

/** How {@link writeFiles} asks and reports. */
export interface WriteOptions<T extends FileEdit> {
  /** Whether to write without a question. */
  readonly yes: boolean | undefined;
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
export async function writeFiles<T extends FileEdit>(
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

async function isApproved(runtime: Runtime, { file, before, after }: PreparedFile<FileEdit>): Promise<boolean> {
  runtime.err(`\n${renderFileDiff(file, before, after, { color: runtime.color.stderr })}\n`);
  return confirm(runtime, `Write this into ${sanitize(file)}`);
}

/** Prints the lines that people have to add themselves. */
export function printLeft(runtime: Runtime, left: readonly LeftAddition[]): void {
  for (const { addition, why, alias } of left) {
    const { address } = addition;
    const lines = linesToAdd({ addition, alias }).trimEnd().split("\n");
    const what = alias === undefined ? "Add this" : `In the place of ${alias}, write this`;
    runtime.out(`\n${sanitize(`${address} is not written, because ${why}. ${what} at ${placeOf(addition)}:`)}\n`);
    runtime.out(`${lines.map((line) => `  ${sanitize(line)}`).join("\n")}\n`);
  }
}

const MAX_NAMED = 5;

/** How many there are, such as "3 ids", with their addresses if they are few. */
export function countNamed(addresses: readonly string[], noun: string): string {
  return plural(addresses.length, noun) + (addresses.length > MAX_NAMED ? "" : ` (${addresses.join(", ")})`);
}
