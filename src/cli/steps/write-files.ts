import type { EditSource, ManualEdit } from "../../edit/edit.ts";
import { type PreparedFile, writeFile } from "../../edit/files.ts";
import { groupBy } from "../../model/group-by.ts";
import { aliasOf, formatPosition, linesToAdd } from "../../edit/manual-edits.ts";
import { MAX_ADDRESSES, plural } from "../../model/text/plural.ts";
import { sanitize } from "../../model/text/quote.ts";
import { renderFileDiff } from "../../report/index.ts";
import { choose, requireConfirmable } from "../terminal/confirm.ts";
import type { Runtime } from "../runtime.ts";

/** @throws EngineError if files are to be edited, and there is neither `--yes` nor a person to ask */
export function requireAnswer(runtime: Runtime, what: string, options: Pick<WriteOptions<EditSource>, "yes">): void {
  requireConfirmable(runtime, options, { what, hint: "Use --yes to write the files without a question." });
}

/** What is said of a file, or of several that are alike. */
type WrittenFile<T extends EditSource> = Pick<PreparedFile<T>, "file" | "after" | "edits">;

/** How {@link writeFiles} asks and reports. */
export interface WriteOptions<T extends EditSource> {
  /** Whether to write without a question. */
  readonly yes?: boolean | undefined;
  /** What was written into a file, such as `Wrote driftline.yaml: 3 ids`. Without `most`, it decides how many of them are named. */
  readonly describe: (file: WrittenFile<T>, most?: number) => string;
  /** Whether each file has a line, however many are alike. */
  readonly verbose?: boolean | undefined;
  /** Where that is printed. */
  readonly print: (text: string) => void;
}

/**
 * Writes files, after a question with the difference of each one unless `yes` is set, or "all" is the answer. Difference and question go
 * to stderr, because stdout may lead to a file.
 *
 * @returns the files that were written
 * @throws EngineError `stale` if a file was changed meanwhile
 */
export async function writeFiles<T extends EditSource>(
  runtime: Runtime,
  files: readonly PreparedFile<T>[],
  { yes, describe, verbose, print }: WriteOptions<T>,
): Promise<readonly PreparedFile<T>[]> {
  const written: PreparedFile<T>[] = [];
  const unsaid: PreparedFile<T>[] = [];
  let isAll = yes === true;
  try {
    for (const [index, prepared] of files.entries()) {
      const answer = isAll ? "all" : await answerFor(runtime, prepared, files.length - index - 1);
      if (runtime.signal.aborted || answer === "quit") {
        const left = files.length - index;
        print(`${plural(left, "file")} ${left === 1 ? "stays as it is" : "stay as they are"}.\n`);
        break;
      }
      isAll = answer === "all";
      if (answer === "no") {
        print(`${sanitize(prepared.file)} stays as it is.\n`);
        continue;
      }
      await writeFile(prepared, runtime.clock);
      written.push(prepared);
      if (isAll) unsaid.push(prepared);
      else print(`${sanitize(describe(prepared))}.\n`);
    }
  } finally {
    // What was written is said also if a file cannot be.
    sayWritten(unsaid, { describe, verbose, print });
  }
  return written;
}

/** More files that are alike are one line. */
const MAX_LINES = 10;

function sayWritten<T extends EditSource>(
  files: readonly PreparedFile<T>[],
  { describe, verbose, print }: Pick<WriteOptions<T>, "describe" | "verbose" | "print">,
): void {
  const wordsOf = (one: PreparedFile<T>): string => describe({ ...one, file: "" }, 0);
  const groups = groupBy(files, wordsOf);
  for (const prepared of files) {
    const alike = groups.get(wordsOf(prepared)) ?? [prepared];
    const isFolded = verbose !== true && alike.length > MAX_LINES;
    if (isFolded && prepared !== alike[0]) continue;
    const edits = alike.flatMap((file) => file.edits);
    const said = isFolded ? { ...prepared, file: plural(alike.length, "file"), edits } : prepared;
    print(`${sanitize(describe(said))}.\n`);
  }
}

/** @param left how many files come after this one */
function answerFor(runtime: Runtime, { file, before, after }: PreparedFile, left: number): ReturnType<typeof choose> {
  runtime.err(`\n${renderFileDiff(file, before, after ?? "", { color: runtime.color.stderr })}\n`);
  const question = `${after === undefined ? "Remove" : "Write this into"} ${sanitize(file)}`;
  return choose(runtime, question, left === 0 ? undefined : `the next ${left === 1 ? "file" : plural(left, "file")}`);
}

/** Prints the lines that people have to add themselves. */
export function printManualEdits(runtime: Runtime, manual: readonly ManualEdit[]): void {
  for (const manualEdit of manual) {
    const { edit, reason } = manualEdit;
    const alias = aliasOf(manualEdit);
    const lines = linesToAdd(manualEdit).trimEnd().split("\n");
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
