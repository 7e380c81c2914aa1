/** Checks that a plan after an apply is empty. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Emulator, LoggedRequest } from "../../src/emulator/index.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { cli, type CliOptions } from "./cli.ts";

/** Options of an apply, with a value, that a plan does not have or that change the plan. */
const DROPPED: ReadonlySet<string> = new Set([
  "--plan",
  "--approve",
  "--allow-loss",
  "--confirm-organization",
  "--settle-after",
  "--rotate",
  "--format",
  "--progress",
  "--out",
]);

/**
 * Plans what was just applied, in this process, and throws where something is left to do. The service is as it was
 * before: its log of requests too.
 */
export async function mustBeAtRest(emulator: Emulator, apply: readonly string[], options: CliOptions): Promise<void> {
  const before = [...emulator.requests];
  const { code, stdout, stderr } = await cli(await planOfApply(apply, options.cwd), options);
  emulator.clearRequests();
  // The log is one array for the life of the emulator.
  (emulator.requests as LoggedRequest[]).push(...before);
  // Undeclared owners and admins differ, and no apply does anything about them.
  const isAtRest = code === 0 || (code === 2 && /Nothing else\s+differs/u.test(stdout));
  if (!isAtRest)
    throw new Error(`after ${apply.join(" ")} the plan is not empty: ${String(code)}\n${stderr}\n${stdout}`);
}

async function planOfApply([, ...apply]: readonly string[], cwd: string): Promise<readonly string[]> {
  const kept: string[] = ["plan", "--detailed-exitcode"];
  for (let index = 0; index < apply.length; index += 1) {
    const [name = "", value] = (apply[index] ?? "").split("=");
    if (name === "--yes" || name === "--pin") continue;
    if (!DROPPED.has(name)) kept.push(apply[index] ?? "");
    else if (value === undefined) index += 1;
  }
  const at = apply.indexOf("--plan");
  if (at < 0) return kept;
  const saved = JSON.parse(await readFile(resolve(cwd, apply[at + 1] ?? ""), "utf8")) as PlanDocument;
  return [...kept.filter((one) => one !== "--prune"), ...argumentsOf(saved, kept)];
}

/** A saved plan has its own limits, and its own paths and variables if they are not given as well. */
function argumentsOf({ options, source }: PlanDocument, given: readonly string[]): readonly string[] {
  const repeated = [
    ...(source?.variable_files ?? []).map((file) => ["--vars", file]),
    ...(source?.variables ?? []).map(({ name, value }) => ["--var", `${name}=${value ?? ""}`]),
    ...(source?.paths ?? []).map((path) => [path]),
  ];
  return [
    ...(options.prune ? ["--prune"] : []),
    ...options.only.flatMap((address) => ["--only", address]),
    ...repeated.filter((words) => !given.includes(words.at(-1) ?? "")).flat(),
  ];
}
