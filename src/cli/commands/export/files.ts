import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import type { ExportFile } from "../../../export/types.ts";
import { SHARED_MODE, writeAtomically } from "../../../files/atomic-write.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import { MAX_BYTES } from "../../../config/source/read.ts";
import { EXIT } from "../../exit-codes.ts";
import { cannotWrite, Failure, failure } from "../../failure.ts";
import type { Runtime } from "../../runtime.ts";
import { requireInside } from "../../steps/report-files.ts";

/** Writes to stdout, or to new files, all or none. An existing configuration is never overwritten: it may have comments. */
export async function writeExport(
  runtime: Runtime,
  out: string | undefined,
  files: readonly ExportFile[],
): Promise<void> {
  // `text` is a getter that renders the file. It is read once here, and for all files before one is written.
  const texts = files.map(({ name, text }) => ({ name, text }));
  requireReadable(texts);
  if (out === undefined) return texts.forEach(({ text }) => runtime.raw("stdout", text));
  for (const { name } of texts) requireInside(runtime.cwd, join(out, name));
  const paths = texts.map((file) => ({ file, path: join(resolve(runtime.cwd, out), file.name) }));
  const existing = paths.filter(({ path }) => existsSync(path));
  if (existing.length > 0) {
    throw new Failure(
      EXIT.invalid,
      existing.map(({ path }) => ({
        severity: "error",
        code: "file_exists",
        message: `${relative(runtime.cwd, path)} already exists`,
        hint: "Export into an empty folder.",
      })),
    );
  }
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
  if (runtime.quiet !== true) for (const path of made) runtime.out(`${relative(runtime.cwd, path)}\n`);
}

/** Refuses to write what the next command would not read. Only a collection on its own, or in a single file, gets so large. */
function requireReadable(files: readonly ExportFile[]): void {
  const large = files.find(({ text }) => Buffer.byteLength(text) > MAX_BYTES);
  if (large === undefined) return;
  const message = `${large.name} would have more than the 10 MiB that a configuration file may have`;
  const hint =
    "Export into a folder, with --out and without --single-file: large collections have several files there.";
  throw failure(EXIT.error, "too_large", message, hint);
}
