/**
 * Edits of the YAML files of a configuration.
 *
 * Premise: the files belong to people, who may be editing them at this moment. A person approves an edit by its difference.
 * Algorithm: prepare the edits of all files without writing anything. Then write each file as a whole, in one step, and only if
 * it is still as it was when the configuration was loaded. A lock beside the file keeps other commands out, and an editor has no
 * time to save between the last look at the file and the step.
 */
import { existsSync, readFileSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { Clock } from "../api/client.ts";
import { removeLeftovers, writeAtomically } from "../files/atomic-write.ts";
import { acquireLock, LockedError, type Lock } from "../files/lock.ts";
import { type Edit, editYaml, type RefusedEdit, refuseEdits } from "./yaml/edit-yaml.ts";
import type { LoadedConfig } from "../config/index.ts";
import { textHash } from "../config/source/read.ts";
import { EngineError, engineError } from "../engine/errors.ts";

/** An edit, with the file that it is for. */
export interface FileEdit {
  /** Relative to the working directory, as positions name it. */
  readonly file: string;
  readonly edit: Edit;
  /** Why it must not be made, if that is known already. Then only its place in the file is found. */
  readonly why?: string | undefined;
}

/** A file with its edits, not written yet. */
export interface PreparedFile<T extends FileEdit> {
  readonly file: string;
  /** The path of the file itself if `file` is a link. */
  readonly path: string;
  /** Set if there is no such file yet. */
  readonly isNew?: boolean | undefined;
  readonly before: string;
  readonly after: string;
  readonly made: readonly T[];
  readonly refused: readonly RefusedFileEdit<T>[];
}

/** An edit that is not made, with the reason and the place of the value that cannot be changed. */
export interface RefusedFileEdit<T extends FileEdit> extends Omit<RefusedEdit, "edit"> {
  readonly edit: T;
}

/**
 * Prepares edits, file by file. Writes nothing.
 *
 * @param cwd the folder that the names of the files are relative to
 * @throws EngineError `stale` if a file is no longer as it was loaded
 */
export async function prepareFiles<T extends FileEdit>(
  edits: readonly T[],
  config: Pick<LoadedConfig, "fileHashes">,
  cwd: string,
): Promise<readonly PreparedFile<T>[]> {
  const files = [...new Set(edits.map(({ file }) => file))];
  return Promise.all(
    files.map(async (file) => {
      const own = edits.filter((one) => one.file === file);
      // A link is followed: the file that it points to is replaced, not the link.
      const path = await realpath(resolve(cwd, file));
      const before = await readFile(path, "utf8");
      if (textHash(before) !== config.fileHashes.get(file)) throw changedMeanwhile(file);
      const known = own.flatMap(({ edit, why }) => (why === undefined ? [] : [{ edit, why }]));
      const edited = editYaml(
        before,
        own.flatMap(({ edit, why }) => (why === undefined ? [edit] : [])),
      );
      const refused = new Map([...refuseEdits(before, known), ...edited.refused].map((one) => [one.edit, one]));
      return {
        file,
        path,
        before,
        after: edited.text,
        made: own.filter(({ edit }) => !refused.has(edit)),
        refused: own.flatMap((one) => {
          const found = refused.get(one.edit);
          return found === undefined ? [] : [{ ...found, edit: one }];
        }),
      };
    }),
  );
}

/**
 * Writes a prepared file, and removes what killed writes of it left behind. After a crash it holds the old text or the new one, never a part.
 *
 * @throws EngineError `stale` if the file was changed since it was prepared, or is being changed; `failed` if it cannot be
 * written
 */
export async function writeFile(prepared: PreparedFile<FileEdit>, clock: Clock): Promise<void> {
  const { file, path, before, after } = prepared;
  if (after === before) return;
  let lock: Lock | undefined;
  try {
    lock = await acquireLock(`${path}.lock`, () => clock.now());
    await writeAtomically(path, after, MODE, () => requireUnchanged(prepared));
  } catch (error) {
    throw notWritten(file, error);
  } finally {
    await lock?.release();
  }
  await removeLeftovers(path);
}

/** Mode of a new file: what the user's own umask says. */
const MODE = 0o666;

/** @throws EngineError `stale` */
function requireUnchanged({ file, path, isNew, before }: PreparedFile<FileEdit>): void {
  const found = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (found !== (isNew === true ? undefined : before)) throw changedMeanwhile(file);
}

function changedMeanwhile(file: string): EngineError {
  const message = `${file} was changed while the command ran`;
  return engineError("stale", "file_changed", message, "Nothing was written to it. Run the command again.");
}

function notWritten(file: string, error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  if (error instanceof LockedError) {
    const message = `another command is changing ${file} (${error.owner})`;
    return engineError("stale", "file_changed", message, `Nothing was written to it. ${error.hint}`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  return engineError("failed", "cannot_write", `${file} cannot be written: ${reason}`, "It is as it was.");
}
