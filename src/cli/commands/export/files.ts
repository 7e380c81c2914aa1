import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { ExportFile } from "../../../export/types.ts";
import { SHARED_MODE, writeAtomically } from "../../../files/atomic-write.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import type { Hint } from "../../../model/command.ts";
import { groupBy } from "../../../model/group-by.ts";
import { plural } from "../../../model/text/plural.ts";
import { MAX_BYTES } from "../../../config/source/read.ts";
import { engineError } from "../../../model/engine-error.ts";
import { cannotWrite, filesExist } from "../../failure.ts";
import type { Runtime } from "../../runtime.ts";
import { requireInside } from "../../steps/report-files.ts";

/** More files of one folder are named as a count. */
const MAX_NAMED = 10;

/** Writes to stdout, or to new files. */
export async function writeExport(
  runtime: Runtime,
  out: string | undefined,
  files: readonly ExportFile[],
): Promise<void> {
  // `text` is a getter that renders the file. It is read once here, and for all files before one is written.
  const texts = files.map(({ name, text }) => ({ name, text }));
  requireReadable(texts);
  if (out === undefined) return texts.forEach(({ text }) => runtime.raw("stdout", text));
  const made = await writeNewFiles(runtime, out, texts, "Export into an empty folder.");
  if (runtime.quiet !== true) for (const line of writtenLines(made, runtime.cwd)) runtime.out(`${line}\n`);
}

/**
 * Writes all or none. An existing configuration is never overwritten: it may have comments.
 *
 * @param hint what to do if one exists
 * @returns the absolute paths
 */
export async function writeNewFiles(
  { cwd }: Runtime,
  out: string,
  files: readonly ExportFile[],
  hint: Hint,
): Promise<readonly string[]> {
  for (const { name } of files) requireInside(cwd, join(out, name));
  const paths = files.map((file) => ({ file, path: join(resolve(cwd, out), file.name) }));
  const existing = paths.flatMap(({ path }) => (existsSync(path) ? relative(cwd, path) : []));
  if (existing.length > 0) throw filesExist(existing, hint);
  const made: string[] = [];
  try {
    for (const { file, path } of paths) {
      await makeFolder(dirname(path)).catch(cannotWrite(out));
      await writeAtomically(path, file.text, SHARED_MODE).catch(cannotWrite(join(out, file.name)));
      made.push(path);
    }
  } catch (error) {
    // A part of a configuration would look like a whole one.
    await Promise.all(made.map((path) => rm(path, { force: true })));
    throw error;
  }
  return made;
}

/** The files that were written, those of a full folder in one line. */
function writtenLines(paths: readonly string[], cwd: string): readonly string[] {
  return [...groupBy(paths, dirname)].flatMap(([folder, files]) =>
    files.length > MAX_NAMED
      ? [`${relative(cwd, folder)}${sep} (${plural(files.length, "file")})`]
      : files.map((file) => relative(cwd, file)),
  );
}

/** Refuses to write what the next command would not read. Only a collection on its own, or in a single file, gets so large. */
function requireReadable(files: readonly ExportFile[]): void {
  const large = files.find(({ text }) => Buffer.byteLength(text) > MAX_BYTES);
  if (large === undefined) return;
  const message = `${large.name} would have more than the 10 MiB that a configuration file may have`;
  const hint =
    "Export into a folder, with --out and without --single-file: large collections have several files there.";
  throw engineError("failed", "too_large", message, hint);
}
