/** Reads from git what was taken out of the files lately. What that is, and what is said of it, is decided in the engine. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/index.ts";
import { findRemovedLines, type RemovedLines } from "../../engine/history/removed-lines.ts";
import { removedLineWarnings } from "../../engine/history/taken-out.ts";
import { type PlannedRun, withDiagnostics } from "../../engine/plan/plan-config.ts";
import { redacted } from "../../engine/redact.ts";
import { historyOf } from "../../git/old-versions.ts";
import { nothingCouldBeRead } from "../../model/plan.ts";
import type { ConfigOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import { configurationPaths } from "./config.ts";

const NOTHING_REMOVED: RemovedLines = { former: [], lost: [], cut: undefined };

/** Finds what was taken out of the files. Nothing without git, or if that fails. Sends nothing. */
export function removedLines(...given: Parameters<typeof findInHistory>): Promise<RemovedLines> {
  return findInHistory(...given).catch(() => NOTHING_REMOVED);
}

async function findInHistory(
  { cwd, env, redactor }: Runtime,
  config: LoadedConfig,
  given: readonly string[],
  options: ConfigOptions,
): Promise<RemovedLines> {
  const from = await realpath(cwd);
  const paths = configurationPaths(cwd, given).map((path) => resolve(from, path));
  const history = await historyOf(config.root, env, paths);
  if (history === undefined) return NOTHING_REMOVED;
  const varFiles = (options.vars ?? []).map((file) => resolve(cwd, file));
  const settings = { paths, cwd: from, env, vars: options.var ?? [], varFiles, redactor };
  return findRemovedLines(config, history, settings);
}

/** The run, with what was taken out of the files in its report. Git is asked while the service answers. */
export async function withRemovedLines(
  { cwd, redactor }: Runtime,
  planning: Promise<PlannedRun>,
  removing: Promise<RemovedLines>,
): Promise<PlannedRun> {
  const run = await planning.catch(async (error: unknown) => {
    await removing;
    throw error;
  });
  const removed = await removing;
  // The error already says that nothing was read.
  if (nothingCouldBeRead(run.document)) return run;
  return withDiagnostics(run, redacted(removedLineWarnings(run, removed, cwd), redactor));
}
