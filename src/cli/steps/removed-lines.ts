/**
 * Resources that were taken out of the files lately, and that nothing declares now: the service keeps their objects.
 *
 * Algorithm: read which addresses the replaced contents of the files declare. Only if the files lack one now, load the whole
 * configuration as it was, with the variables of this run.
 */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type LoadedConfig, loadConfig } from "../../config/index.ts";
import { textHash } from "../../config/source/read.ts";
import { addressesIn } from "../../config/tree/addresses.ts";
import type { PlannedRun } from "../../engine/plan/plan-config.ts";
import { redacted } from "../../engine/redact.ts";
import { type History, historyOf } from "../../git/old-versions.ts";
import { shareIds } from "../../kinds/registry.ts";
import { isStillDeclared, liveOf, staysText } from "../../kinds/removed-lines.ts";
import type { Hint } from "../../model/command.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import { firstOf, MAX_FILES } from "../../model/plural.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { isSelected } from "../../model/plan.ts";
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
}

/** What was taken out of the files lately. */
export interface RemovedLines {
  readonly former: readonly FormerResource[];
  /** Why there may be more. */
  readonly cut: "clone" | "long" | undefined;
}

const NOTHING_REMOVED: RemovedLines = { former: [], cut: undefined };

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
  // The newest version of a resource decides: one that was let go, or is declared under another address, is done with.
  const settled = new Set(config.graph.resources.map(({ address }) => address.toLowerCase()));
  let [loaded, parsed] = [0, 0];
  let cut: RemovedLines["cut"] = history.isCut ? "clone" : undefined;
  for (const { commit, tree, texts } of history.versions) {
    const replaced = texts.filter((text) => !present.has(textHash(text)));
    for (const text of replaced) present.add(textHash(text));
    parsed += replaced.reduce((sum, { length }) => sum + length, 0);
    if (parsed > MAX_CHARACTERS || loaded === MAX_LOADED) {
      cut ??= "long";
      break;
    }
    const addresses = replaced.flatMap(addressesIn).map((address) => address.toLowerCase());
    const missing = new Set(addresses.filter((address) => !settled.has(address)));
    if (missing.size === 0) continue;
    loaded += 1;
    const before = await loadAt(runtime, history, tree, paths, options);
    if (before.length > 0) for (const address of missing) settled.add(address);
    for (const resource of before) {
      const address = resource.address.toLowerCase();
      if (!missing.has(address)) continue;
      if (isWanted(resource.lifecycle) && !isStillDeclared(resource, config.graph)) former.push({ resource, commit });
    }
  }
  return { former, cut };
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

/** What to say if files that were not read may declare what seems to be taken out. */
export function partlyGiven(
  { unreadFiles }: Pick<LoadedConfig, "unreadFiles">,
  url: string,
  former: readonly FormerResource[],
): Diagnostic | undefined {
  const scopes = former.map(({ resource: { scope, address } }) => (scope === "" ? address : scope));
  const { files } = scopes.length === 0 ? { files: [] } : unreadFiles(scopes, url);
  if (files.length === 0) return undefined;
  const named = firstOf(files, MAX_FILES);
  const message = `what was taken out of the files is not known, because only a part of them was given: ${named} may declare it`;
  return { severity: "warning", code: "history_cut", message, hint: "Give these files as paths, too." };
}

/** The run, with what was taken out of the files in its report. The plan and its hash stay as they are. */
export function withRemovedLines(runtime: Runtime, run: PlannedRun, { former, cut }: RemovedLines): PlannedRun {
  const removed = former.flatMap((one) => removedDiagnostic(run, one));
  const partly = removed.length === 0 ? undefined : partlyGiven(run.input.config, run.input.client.url, former);
  const said = partly === undefined ? removed : [partly];
  if (said.length === 0 && cut === undefined) return run;
  const more = redacted([...said, ...(cut === undefined ? [] : [CUTS[cut]])], runtime.redactor);
  const diagnostics = [...run.diagnostics, ...more];
  return { ...run, diagnostics, document: { ...run.document, diagnostics: [...run.document.diagnostics, ...more] } };
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

/** What to do if the object is to go as well. */
export const TO_REMOVE = "To remove it from the service, declare it again with lifecycle.state: absent, and apply.";

/** @param end what becomes of it */
export function removedWarning(address: string, commit: string | undefined, end: string, hint: Hint): Diagnostic {
  const where = commit === undefined ? "the files, which is not committed" : `the files in ${commit}`;
  const message = `${address} was removed from ${where}${end}`;
  return warningAt({ address }, { code: "removed_from_files", message, hint });
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
