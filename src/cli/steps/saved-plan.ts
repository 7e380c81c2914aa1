import { command } from "../../model/command.ts";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { publicUrlOf, urlProblem } from "../../api/http/service-url.ts";
import { registerRequestSecrets } from "../../api/redact/redact.ts";
import { parseSavedPlan, SAVE_A_PLAN } from "../../engine/apply/saved-plan.ts";
import type { PlanSource } from "../../model/plan.ts";
import { requireFilled, planSource, type SourceOptions } from "./config.ts";
import { invalidError, reportedWith } from "../failure.ts";
import { readText } from "./read-text.ts";
import type { Arguments, OptionValue, SavedPlan } from "../invocation.ts";
import type { Runtime } from "../runtime.ts";

/** The plan of 100,000 resources has a few dozen MiB, so a larger file is not a plan. Bytes. */
const MAX_SIZE = 256 * 1024 * 1024;

/**
 * Does something with the file of a saved plan, and with a runtime whose suggestions are about this plan.
 *
 * @throws EngineError if it cannot be read, or is not a saved plan
 */
export async function withSavedPlan<T>(
  runtime: Runtime,
  file: string,
  work: (runtime: Runtime, saved: SavedPlan) => T | Promise<T>,
): Promise<T> {
  const { env, redactor, invocation } = runtime;
  // Before anything is reported: a message may quote what was typed.
  registerRequestSecrets(env, redactor);
  const text = readText(runtime, file, { limit: MAX_SIZE, code: "plan_unreadable", hint: SAVE_A_PLAN });
  const saved = { file, document: parseSavedPlan(text, file) };
  const here = { ...runtime, invocation: invocation.about({ saved }) };
  return reportedWith(here, () => work(here, saved));
}

/**
 * How a saved plan was made, with the secret values that only the command line has. Paths and options may be given again, to
 * make sure which plan it is. A plan that no command made does not know how it was made, so it needs them.
 *
 * @throws EngineError if they differ from those of the plan, if a secret value is missing, or if the files are elsewhere
 */
export function repeatedSource(
  { cwd, invocation }: Runtime,
  { file, document }: SavedPlan,
  paths: readonly string[],
  options: SourceOptions,
): PlanSource {
  requireFilled(...paths);
  const current = planSource(cwd, paths, options);
  const { options: typed } = invocation.typed();
  requireAgreement({ file, document }, { ...current, paths: paths.length === 0 ? [] : current.paths }, typed);
  const { source } = document;
  if (source === undefined) return current;
  requireFiles(cwd, file, source);
  return { ...source, variables: withTypedSecrets(file, source.variables, current.variables) };
}

/**
 * A plan may come from a pull request, so it cannot choose where the key goes: its `--url` counts only if nothing else names a
 * service.
 *
 * @param own the service that the command, the environment or the configuration names; empty for none
 * @throws EngineError `invalid` if the plan is for another one
 */
export function requireOwnService({ file, document }: SavedPlan, own: string): void {
  const { source, url } = document;
  if (own === "" || source === undefined || source.url === null || urlProblem(own) !== undefined) return;
  if (publicUrlOf(own) === url) return;
  const message = `${file} was made for ${url}, but DRIFTLINE_URL or service.url names ${publicUrlOf(own)}`;
  throw invalidError(
    "usage",
    message,
    "The key is sent only where you say. If that service is meant, add --url with it.",
  );
}

/** Compares what was typed with the plan, and names both. @throws EngineError `invalid` */
function requireAgreement(
  { file, document: { source, options, url } }: SavedPlan,
  given: PlanSource,
  typed: Arguments["options"],
): void {
  const require = (what: string, wanted: OptionValue, planned: OptionValue): void => {
    if (wanted === undefined || isDeepStrictEqual(asSet(wanted), asSet(planned))) return;
    throw disagreement(file, what, optionText(wanted), optionText(planned));
  };
  require("--prune", typed["prune"], options.prune);
  require("--only", typed["only"], options.only);
  require("--rotate", typed["rotate"], options.rotate);
  require("--recreate", typed["recreate"], options.recreate ?? []);
  require("--url", given.url ?? undefined, url);
  if (source === undefined) return;
  require("the paths", given.paths.length === 0 ? undefined : given.paths, source.paths);
  require("--profile", typed["profile"], source.profile);
  if (typed["vars"] !== undefined && !isDeepStrictEqual(given.variable_files, source.variable_files))
    throw disagreement(file, "--vars", optionText(given.variable_files), optionText(source.variable_files));
  for (const { name, value } of given.variables) {
    const planned = lastValue(source.variables, name);
    if (planned === null || planned === value) continue;
    // The value of a variable that the plan does not know may be a secret.
    if (planned === undefined) throw disagreement(file, `--var ${name}`, "a value", "none");
    throw disagreement(file, `--var ${name}`, optionText(value ?? ""), optionText(planned));
  }
}

function asSet(value: OptionValue): unknown {
  return typeof value === "object" ? new Set(value) : value;
}

function optionText(value: OptionValue): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return JSON.stringify(value);
  return value.length === 0 ? "none" : value.map((one) => JSON.stringify(one)).join(", ");
}

function disagreement(file: string, what: string, wanted: string, planned: string): Error {
  const message = `${what}: the command has ${wanted}, but ${file} was made with ${planned}`;
  const hint = { hint: "To change the plan, make it again. To apply it as it is:", command: command("apply") };
  return invalidError("usage", message, hint);
}

/** The value of a variable: null if it is a secret, undefined if the plan was made without it. */
function lastValue(variables: PlanSource["variables"], name: string): string | null | undefined {
  return variables.findLast((variable) => variable.name === name)?.value;
}

function withTypedSecrets(
  file: string,
  planned: PlanSource["variables"],
  typed: PlanSource["variables"],
): PlanSource["variables"] {
  return planned.map(({ name, value }) => {
    const given = value ?? lastValue(typed, name);
    if (given !== undefined && given !== null) return { name, value: given };
    const message = `${file} does not hold the value of the variable ${name}, because it is a secret`;
    const hint = { hint: "Give it again in the place of VALUE:", command: command("apply") };
    throw invalidError("variable_needed", message, hint);
  });
}

function requireFiles(cwd: string, file: string, { paths, variable_files }: PlanSource): void {
  const missing = [...paths, ...variable_files].find((path) => !existsSync(resolve(cwd, path)));
  if (missing === undefined) return;
  const message = `${file} was made from ${missing}, which does not exist here`;
  const hint =
    "The paths in a plan start from the folder in which it was made. Apply it there, or in the same folder of another checkout.";
  throw invalidError("plan_source_missing", message, hint);
}
