/**
 * Resources that were taken out of the files lately, and that nothing declares now: the service keeps their objects. And what
 * protects in the others, and is watched no longer: it is declared no more, or `lifecycle` leaves it to others.
 *
 * Algorithm: read which of them the replaced contents of the files declare. Only if the files lack one now, load the whole
 * configuration as it was, with the variables of this run.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../../config/index.ts";
import { isProgram } from "../../config/source/files.ts";
import { textHash } from "../../config/source/read.ts";
import { textIn } from "../../config/source/unread-files.ts";
import { declaredIn } from "../../config/tree/addresses.ts";
import { type PlannedRun, withDiagnostics } from "../../engine/plan/plan-config.ts";
import { redacted } from "../../engine/redact.ts";
import { type History, historyOf } from "../../git/old-versions.ts";
import {
  type Declared,
  isLeftToOthers,
  isOfPeople,
  LEVEL,
  levelText,
  PROTECT,
  protectionsIn,
  watchedIn,
} from "../../kinds/people/index.ts";
import { declaredKeys, shareIds } from "../../kinds/registry.ts";
import { declaredNow, liveOf, staysText } from "../../kinds/removed-lines.ts";
import type { Hint } from "../../model/command.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import type { Value } from "../../model/json.ts";
import { firstOf, MAX_FILES } from "../../model/plural.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { isNamedBy } from "../../model/pointer.ts";
import { isSelected, nothingCouldBeRead } from "../../model/plan.ts";
import { isWanted, type Resource } from "../../model/resource.ts";
import type { ConfigOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import { configurationPaths } from "./config.ts";

/** More former configurations are not loaded, and longer contents of files are not parsed: a plan does not wait for its history. */
const [MAX_LOADED, MAX_CHARACTERS] = [20, 5_000_000];

/** A resource that the files declared. */
export interface FormerResource {
  readonly resource: Resource;
  /** The commit without it; undefined if that is not committed. */
  readonly commit: string | undefined;
  /** A file that declares it has one of these in it. */
  readonly words: readonly string[];
}

/** What protected and is watched no longer, in a resource that is still declared. */
interface Unwatched extends FormerResource {
  /** Undefined for all of it. */
  readonly field: string | undefined;
  readonly prior?: Value | undefined;
}

/** What was taken out of the files lately. */
export interface RemovedLines {
  readonly former: readonly FormerResource[];
  readonly lost: readonly Unwatched[];
  /** Why there may be more. */
  readonly cut: "clone" | "long" | undefined;
}

const NOTHING_REMOVED: RemovedLines = { former: [], lost: [], cut: undefined };

/** Finds what was taken out of the files. Nothing without git, or if that fails. Sends nothing. */
export function removedLines(...given: Parameters<typeof findRemovedLines>): Promise<RemovedLines> {
  return findRemovedLines(...given).catch(() => NOTHING_REMOVED);
}

async function findRemovedLines(
  runtime: Runtime,
  config: LoadedConfig,
  given: readonly string[],
  options: ConfigOptions,
): Promise<RemovedLines> {
  const { cwd, env } = runtime;
  const from = await realpath(cwd);
  const paths = configurationPaths(cwd, given).map((path) => resolve(from, path));
  const history = await historyOf(config.root, env, paths);
  if (history === undefined) return NOTHING_REMOVED;
  const present = new Set(config.fileHashes.values());
  const former: FormerResource[] = [];
  const lost: Unwatched[] = [];
  // The newest version of a resource decides: one that was let go, or is declared under another address, is done with.
  const settled = new Set(config.graph.resources.flatMap(keysOf));
  let [loaded, parsed] = [0, 0];
  let cut: RemovedLines["cut"] = history.isCut ? "clone" : history.isLong ? "long" : undefined;
  for (const { commit, tree, texts } of history.versions) {
    const replaced = texts.filter((text) => !present.has(textHash(text)));
    for (const text of replaced) present.add(textHash(text));
    parsed += replaced.reduce((sum, { length }) => sum + length, 0);
    if (parsed > MAX_CHARACTERS || loaded === MAX_LOADED) {
      cut ??= "long";
      break;
    }
    const keys = replaced.flatMap(declaredIn).flatMap(keysOf);
    const missing = new Set(keys.filter((key) => !settled.has(key)));
    if (missing.size === 0) continue;
    loaded += 1;
    const before = await loadAt(runtime, history, tree, paths, options);
    if (before.length > 0) for (const key of missing) settled.add(key);
    for (const resource of before) {
      if (!isWanted(resource.lifecycle)) continue;
      const now = declaredNow(resource, config.graph);
      const isMissing = (...key: readonly string[]): boolean => missing.has(keyOf(resource.address, ...key));
      if (now === undefined && isMissing()) former.push({ resource, commit, words: wordsOf(resource) });
      if (now === undefined) continue;
      if (now.lifecycle.forget === true) {
        if (isLeftToOthers(now) && isMissing()) lost.push({ resource: now, commit, field: undefined, words: [] });
        continue;
      }
      const [watched, isAbsent] = [watchedIn(now), !isWanted(now.lifecycle)];
      const fields = protectionsIn(resource).filter(
        (field) => isMissing(field) && !watched.includes(field) && (!isAbsent || field === PROTECT),
      );
      lost.push(
        ...fields.map((field) => {
          const words = isIgnored(now, field) ? [] : [field.replace("lifecycle.", "")];
          return { resource: now, commit, field, prior: resource.values[field], words };
        }),
      );
    }
  }
  return { former, lost, cut };
}

/** What is looked for: a resource, or what protects in it. */
function keyOf(...parts: readonly string[]): string {
  return parts.join(" ").toLowerCase();
}

function keysOf(declared: Declared & { readonly address: string }): readonly string[] {
  if (isLeftToOthers(declared)) return [];
  return [[], ...watchedIn(declared).map((field) => [field])].map((field) => keyOf(declared.address, ...field));
}

/** The resources of the configuration as a commit has it. None if it cannot be loaded. */
async function loadAt(
  { cwd, env, redactor }: Runtime,
  { filesAt }: History,
  tree: string,
  paths: readonly string[],
  options: ConfigOptions,
): Promise<readonly Resource[]> {
  const files = await filesAt(tree).catch(() => new Map<string, string>());
  const folder = await realpath(await mkdtemp(join(tmpdir(), "driftline-history-")));
  try {
    const from = await realpath(cwd);
    const root = join(folder, "root");
    // A path above the working directory lies above that folder as well.
    const at = (path: string): string => join(root, resolve("/", path));
    for (const [path, text] of files) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), text, { flag: "wx" });
    }
    await mkdir(at(from), { recursive: true });
    const { graph, diagnostics } = await loadConfig({
      paths: paths.map(at),
      cwd: at(from),
      env,
      vars: options.var ?? [],
      varFiles: (options.vars ?? []).map((file) => resolve(cwd, file)),
      programs: "skip",
      redactor,
    });
    return diagnostics.some(({ severity }) => severity === "error") ? [] : graph.resources;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What was taken out for sure, and what to say about the rest, which files that were not read may declare. */
export function takenOutForSure<T extends FormerResource>(
  { unreadFiles }: Pick<LoadedConfig, "unreadFiles">,
  { url, cwd }: { readonly url: string; readonly cwd: string },
  found: readonly T[],
): { readonly sure: readonly T[]; readonly partly: readonly Diagnostic[] } {
  const scopes = found.map(({ resource: { scope, address } }) => (scope === "" ? address : scope));
  const { files } = scopes.length === 0 ? { files: [] } : unreadFiles(scopes, url);
  // A program, and what cannot be read, may declare anything.
  const texts = files.map(
    (file) => [file, isProgram(file) ? undefined : textIn(resolve(cwd, file))?.toLowerCase()] as const,
  );
  const naming = ({ words }: T): readonly string[] =>
    texts.flatMap(([file, text]) => (words.some((word) => text?.includes(word.toLowerCase()) !== false) ? file : []));
  const unsure = new Map(found.map((one) => [one, naming(one)] as const).filter(([, named]) => named.length > 0));
  if (unsure.size === 0) return { sure: found, partly: [] };
  const listed = (names: readonly string[]): string => firstOf([...new Set(names)], MAX_FILES);
  const what = listed([...unsure.keys()].map(({ resource }) => resource.address));
  const message = `whether lines of ${what} were taken out of the files is not known, because only a part of them was given: ${listed([...unsure.values()].flat())} may have them`;
  return {
    sure: found.filter((one) => !unsure.has(one)),
    partly: [{ severity: "warning", code: "history_cut", message, hint: "Give these files as paths, too." }],
  };
}

/** What a file that declares a resource has in it. A variable may stand for anything but a person. */
function wordsOf(resource: Resource): readonly string[] {
  const { pin, name, kind } = resource;
  return [
    name,
    ...declaredKeys(resource),
    ...(pin === undefined ? [] : [pin.value]),
    ...(isOfPeople(kind) ? [] : ["${"]),
  ];
}

/** The run, with what was taken out of the files in its report. The plan and its hash stay as they are. Git is asked while the service answers. */
export async function withRemovedLines(
  runtime: Runtime,
  planning: Promise<PlannedRun>,
  removing: Promise<RemovedLines>,
): Promise<PlannedRun> {
  const run = await planning.catch(async (error: unknown) => {
    await removing;
    throw error;
  });
  const { former, lost, cut } = await removing;
  // The error already says that nothing was read.
  if (nothingCouldBeRead(run.document)) return run;
  const found = [
    ...former.flatMap((one) => removedDiagnostic(run, one).map((diagnostic) => ({ ...one, diagnostic }))),
    ...lost.flatMap((one) => unwatchedDiagnostic(run, one).map((diagnostic) => ({ ...one, diagnostic }))),
  ];
  const { config, client } = run.input;
  const { sure, partly } = takenOutForSure(config, { url: client.url, cwd: runtime.cwd }, found);
  const said = [...sure.map(({ diagnostic }) => diagnostic), ...partly];
  return withDiagnostics(run, redacted([...said, ...(cut === undefined ? [] : [CUTS[cut]])], runtime.redactor));
}

function removedDiagnostic(run: PlannedRun, { resource, commit }: FormerResource): readonly Diagnostic[] {
  const { address, scope, kind } = resource;
  const { plan, snapshot, stats, input } = run;
  if (!isSelected(address, input.options.only)) return [];
  const isWhole = !stats.some((one) => one.scope === scope && one.kinds.includes(kind) && one.pages === 0);
  const live = liveOf(resource, snapshot.lists.get(listKey(scope, kind)), isWhole);
  // What the plan removes is in it.
  const isPlanned = (one: LiveObject): boolean =>
    plan.changes.some((change) => change.id === one.id && shareIds(change.kind, one.kind));
  if (live === "none" || (live !== "unread" && isPlanned(live))) return [];
  return [removedWarning(address, commit, `; ${staysText(resource, live)}`, TO_REMOVE)];
}

/** What the service has in the place of what protected. Nothing if it does not have the field. */
function unwatchedDiagnostic(
  { planned, input }: PlannedRun,
  { resource, commit, field, prior }: Unwatched,
): readonly Diagnostic[] {
  const { address, kind } = resource;
  if (!isSelected(address, input.options.only)) return [];
  const live = planned.get(address)?.work?.live?.values;
  const hasOf = (one: string): string =>
    live === undefined ? "its live value was not read" : `the service has ${valueText(one, live[one])}`;
  if (field === undefined) {
    const what = `${address} is left to others by lifecycle.forget`;
    const end = `${isOfPeople(kind) ? `; ${hasOf(LEVEL)}` : ""}; nothing watches it now`;
    return [removedWarning(address, commit, end, "To have drift watch it, take out lifecycle.forget.", what)];
  }
  if (field === PROTECT) {
    const hint = "Declare it again if the object is to stay.";
    return [
      removedWarning(address, commit, "; nothing refuses its removal now", hint, takenOut(`${PROTECT} of ${address}`)),
    ];
  }
  if (live !== undefined && live[field] === undefined) return [];
  const what = `${field}: ${valueText(field, prior)} of ${address}`;
  const isLeft = isIgnored(resource, field);
  const hint = `To have drift watch it and apply restore it, ${isLeft ? "take it out of lifecycle.ignore" : "declare it again"}.`;
  const end = `; ${hasOf(field)}, and no apply restores it now`;
  return [
    removedWarning(address, commit, end, hint, isLeft ? `${what} is ignored by lifecycle.ignore` : takenOut(what)),
  ];
}

function isIgnored({ lifecycle: { ignore = [] } }: Resource, field: string): boolean {
  return isNamedBy(ignore, [field]);
}

function valueText(field: string, value: Value | undefined): string {
  return field === LEVEL ? levelText(value) : JSON.stringify(value);
}

/** What to do if the object is to go as well. */
export const TO_REMOVE = "To remove it from the service, declare it again with lifecycle.state: absent, and apply.";

/** @param end what becomes of it */
export function removedWarning(
  address: string,
  commit: string | undefined,
  end: string,
  hint: Hint,
  what = takenOut(address),
): Diagnostic {
  const message = `${what} (${commit === undefined ? "not committed" : `commit ${commit}`})${end}`;
  return warningAt({ address }, { code: "removed_from_files", message, hint });
}

function takenOut(what: string): string {
  return `${what} was removed from the files`;
}

const CUTS: Readonly<Record<NonNullable<RemovedLines["cut"]>, Diagnostic>> = {
  clone: {
    severity: "warning",
    code: "history_cut",
    message:
      "this clone does not have all commits of the last 30 days, so some lines that were taken out of the files are not found",
    hint: "Set fetch-depth: 0 where the pipeline checks out.",
  },
  long: {
    severity: "warning",
    code: "history_cut",
    message:
      "the files were changed too often in 30 days to look at all of it, so some lines that were taken out are not found",
    hint: "Look at the log of the files in git.",
  },
};
