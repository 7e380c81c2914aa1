import { linesToAdd, type Addition, type AdditionEdit, type LeftAddition } from "../engine/additions.ts";
import { writeFile, type PreparedFile } from "../engine/edit-files.ts";
import { renderFileDiff, sanitize } from "../report/index.ts";
import { EXIT } from "./exit-codes.ts";
import { failure } from "./failure.ts";
import type { Runtime } from "./runtime.ts";

/** @throws Failure if files are to be edited, and there is neither `--yes` nor a person to ask */
export function requireAnswer({ interactive }: Runtime, command: string, yes: boolean | undefined): void {
  if (yes === true || interactive) return;
  const message = `${command} needs confirmation, but stdin is not a terminal`;
  throw failure(EXIT.invalid, "not_confirmed", message, "Use --yes to write the files without a question.");
}

/**
 * Writes files, after a question with the difference of each one unless `yes` is set.
 *
 * @param describe says what was added to a file
 * @returns the files that were written
 * @throws EngineError `stale` if a file was changed meanwhile
 */
export async function writeFiles(
  runtime: Runtime,
  files: readonly PreparedFile<AdditionEdit>[],
  yes: boolean | undefined,
  describe: (file: PreparedFile<AdditionEdit>) => string,
): Promise<readonly PreparedFile<AdditionEdit>[]> {
  const written: PreparedFile<AdditionEdit>[] = [];
  for (const prepared of files) {
    const name = sanitize(prepared.file);
    if (runtime.signal.aborted) return written;
    if (yes !== true) {
      const { file, before, after } = prepared;
      runtime.out(`${renderFileDiff(file, before, after, { color: runtime.color.stdout })}\n`);
      const answer = await runtime.ask(`Write ${name}? Type "yes" to confirm: `);
      if (answer?.trim() !== "yes") {
        runtime.out(`${name} stays as it is.\n`);
        continue;
      }
    }
    await writeFile(prepared);
    written.push(prepared);
    runtime.out(`Wrote ${name}: ${sanitize(describe(prepared))}.\n`);
  }
  return written;
}

/** Prints the lines that people have to add themselves. */
export function printLeft(runtime: Runtime, left: readonly LeftAddition[]): void {
  for (const { addition, why } of left) {
    const { address } = addition;
    const lines = linesToAdd(addition).trimEnd().split("\n");
    runtime.out(`\n${sanitize(`${address} is not written, because ${why}. Add this at ${placeOf(addition)}:`)}\n`);
    runtime.out(`${lines.map((line) => `  ${sanitize(line)}`).join("\n")}\n`);
  }
}

/** Where an addition belongs: "driftline.yaml:12/insights". */
export function placeOf({ position: { file = "", line, pointer = "" }, path }: Addition): string {
  return (line === undefined ? `${file}#${pointer}` : `${file}:${line}`) + path;
}
