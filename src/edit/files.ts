/**
 * Edits of the YAML files of a configuration.
 *
 * Premise: the files belong to people, who may be editing them at this moment. A person approves an edit by its difference.
 * Algorithm: prepare the edits of all files without writing anything. Then write each file as a whole, in one step, and only if
 * it is still as it was when the configuration was loaded. A lock beside the file keeps other commands out, and an editor has no
 * time to save between the last look at the file and the step.
 */
import { groupBy } from "../model/group-by.ts";
import { errorReason } from "../model/text/error-reason.ts";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { readFile, realpath, unlink } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import type { LoadedConfig } from "../config/index.ts";
import { displayPath } from "../config/source/files.ts";
import { textHash } from "../config/source/read.ts";
import { removeLeftovers, SHARED_MODE, writeAtomically } from "../files/atomic-write.ts";
import { acquireLock, LockedError, type Lock } from "../files/lock.ts";
import { EngineError, engineError } from "../model/engine-error.ts";
import type { ValueObject } from "../model/json/json.ts";
import type { Edit, EditSource, ManualEdit } from "./edit.ts";
import { isEmptied } from "./emptied-file.ts";
import { editYaml } from "./yaml/edit-yaml.ts";
import type { MayWrite, NewIncludedText } from "./yaml/source-text.ts";
import { pointerKeys } from "../model/pointer.ts";

/** A file with its edits, not written yet. */
export interface PreparedFile<Source extends EditSource = EditSource> {
  /** Relative to the working directory, as positions name it. */
  readonly file: string;
  /** The path of the file itself if `file` is a link. */
  readonly path: string;
  /** Set if there is no such file yet: the text of one that has only some of the edits. */
  readonly textWith?: ((edits: readonly Pick<Edit, "value">[]) => string) | undefined;
  readonly before: string;
  /** Undefined if the file goes. */
  readonly after: string | undefined;
  readonly edits: readonly Edit<Source>[];
}

/** The files that edits change, and what remains for a person to do. */
export interface PreparedEdits<Source extends EditSource> {
  readonly files: readonly PreparedFile<Source>[];
  readonly manual: readonly ManualEdit<Source>[];
}

/**
 * Prepares edits, file by file. Writes nothing.
 *
 * @param cwd the folder that the names of the files are relative to
 * @throws EngineError `stale` if a file is no longer as it was loaded
 */
export async function prepareEdits<Source extends EditSource>(
  edits: readonly Edit<Source>[],
  { fileHashes, included }: Pick<LoadedConfig, "fileHashes" | "included">,
  cwd: string,
): Promise<PreparedEdits<Source>> {
  // Values in a program have no line.
  const inPrograms = edits.filter(({ at }) => at.line === undefined);
  const inFiles = groupBy(
    edits.filter(({ at }) => at.line !== undefined),
    ({ at }) => at.file ?? "",
  );
  const loaded = new Set([...fileHashes.keys()].map((file) => resolve(cwd, file)));
  const unedited = [...fileHashes.keys()].filter((file) => !inFiles.has(file));
  const files = { fileHashes, included, cwd, loaded, unedited };
  const prepared = await Promise.all([...inFiles].map(([file, ofFile]) => prepareFile(file, ofFile, files)));
  const ofPrograms = inPrograms.map((edit) => {
    return { edit, reason: `${edit.at.file ?? "its file"} is a program`, at: edit.at };
  });
  return {
    files: prepared.flatMap((one) => one.files.filter((file) => file.edits.length > 0)),
    manual: [...ofPrograms, ...prepared.flatMap(({ manual }) => manual)],
  };
}

/** The files of a configuration, as they were loaded. */
interface LoadedFiles extends Pick<LoadedConfig, "fileHashes" | "included"> {
  readonly cwd: string;
  /** Their absolute paths. */
  readonly loaded: ReadonlySet<string>;
  /** Those that no edit is for. */
  readonly unedited: readonly string[];
}

/** A file and the texts that it includes, with its edits. */
async function prepareFile<Source extends EditSource>(
  file: string,
  edits: readonly Edit<Source>[],
  files: LoadedFiles,
): Promise<PreparedEdits<Source>> {
  const { fileHashes, cwd, unedited } = files;
  // A link is followed: the file that it points to is replaced, not the link.
  const path = await realpath(resolve(cwd, file));
  const before = await readFile(path, "utf8");
  if (textHash(before) !== fileHashes.get(file)) throw changedMeanwhile(file);
  // As the configuration finds an included file.
  const folder = await realpath(dirname(resolve(cwd, file)));
  const { after, manual, texts } = editText(before, edits, (name) => isWritable(resolve(folder, name), files));
  const refused = new Set(manual.map(({ edit }) => edit));
  const kept = after === before ? [] : edits.filter((edit) => !refused.has(edit));
  const ofTexts = texts.map((one) => textFile(one, resolve(folder, one.path), files));
  const isGone = path === resolve(folder, basename(file)) && (await isEmptied(after, kept, unedited, cwd));
  const whole = { file, path, before, after: isGone ? undefined : after, edits: kept };
  return { files: [whole, ...(await Promise.all(ofTexts))], manual };
}

/** Whether the text of a file may be written: one value includes it, and it is no link. */
function isWritable(path: string, { included, loaded }: LoadedFiles): boolean {
  return included.get(path)?.uses === 1 && !loaded.has(path) && realpathSync(path) === path;
}

/** An included text with its edit. */
async function textFile<Source extends EditSource>(
  { edit, text }: NewText<Source>,
  path: string,
  { included, cwd }: LoadedFiles,
): Promise<PreparedFile<Source>> {
  const file = displayPath(path, cwd);
  const before = await readFile(path, "utf8");
  if (textHash(before) !== included.get(path)?.hash) throw changedMeanwhile(file);
  // A service trims the text of a field, and a text file ends with a line end.
  const isTrimmed = text === edit.value && pointerKeys(edit.path).length === 1 && before.endsWith("\n");
  const after = isTrimmed ? `${text.replace(/\n$/u, "")}\n` : text;
  const lineEnd = /\r?\n/u.exec(before)?.[0] ?? "\n";
  return { file, path, before, after: after.replaceAll("\n", lineEnd), edits: [edit] };
}

/** The new text of an included file, for an edit. */
interface NewText<Source extends EditSource> extends NewIncludedText {
  readonly edit: Edit<Source>;
}

/** The text with its edits. Additions to one mapping are made together, because a mapping that is missing can be made only once. */
function editText<Source extends EditSource>(
  before: string,
  edits: readonly Edit<Source>[],
  mayWrite: MayWrite,
): {
  readonly after: string;
  readonly manual: readonly ManualEdit<Source>[];
  readonly texts: readonly NewText<Source>[];
} {
  const groups = groupBy(edits, (edit): unknown => {
    const { at, path, add } = edit;
    return add === true ? `${at.line} ${at.column} ${path}` : edit;
  });
  const combined = new Map([...groups.values()].map((group) => [group.reduce(addMembers), group]));
  const { text: after, refused, texts = [] } = editYaml(before, [...combined.keys()], mayWrite);
  const reasons = new Map<Edit, ManualEdit>(refused.map((one) => [one.edit, one]));
  const manual = [...combined].flatMap(([whole, group]) => {
    const refusal = reasons.get(whole);
    return refusal === undefined ? [] : group.map((edit) => ({ ...refusal, edit }));
  });
  return { after, manual, texts: texts.map((one) => ({ ...one, edit: one.edit as Edit<Source> })) };
}

function addMembers<Source extends EditSource>(edit: Edit<Source>, other: Edit<Source>): Edit<Source> {
  return { ...edit, value: { ...(edit.value as ValueObject), ...(other.value as ValueObject) } };
}

/**
 * Writes the file atomically and deletes temporary files of killed writes.
 *
 * @throws EngineError `stale` if the file was changed since it was prepared, or is being changed; `failed` if it cannot be
 * written
 */
export async function writeFile(prepared: PreparedFile, clock: { readonly now: () => number }): Promise<void> {
  const { file, path, before, after } = prepared;
  if (after === before) return;
  let lock: Lock | undefined;
  try {
    lock = await acquireLock(`${path}.lock`, () => clock.now());
    if (after === undefined) {
      requireUnchanged(prepared);
      await unlink(path);
    } else await writeAtomically(path, after, SHARED_MODE, () => requireUnchanged(prepared));
  } catch (error) {
    throw notWritten(file, error);
  } finally {
    await lock?.release();
  }
  await removeLeftovers(path);
}

/** @throws EngineError `stale` */
function requireUnchanged({ file, path, textWith, before }: PreparedFile): void {
  const text = existsSync(path) ? readFileSync(path, "utf8") : undefined;
  if (text !== (textWith === undefined ? before : undefined)) throw changedMeanwhile(file);
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
  const reason = errorReason(error);
  return engineError("failed", "cannot_write", `Could not write ${file}: ${reason}`, "The file is unchanged.");
}
