import { Acceptance } from "../../../engine/accept/accept.ts";
import { declareObjects, undeclaredObjects } from "../../../engine/accept/import-undeclared.ts";
import { removalPolicy } from "../../../engine/accept/refusals.ts";
import { type NeededSecret, secretsOf } from "../../../engine/import/secrets.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { ServiceOptions } from "../../program/options.ts";
import type { Runtime } from "../../runtime.ts";
import { importFolders, readImportable } from "../../steps/imports.ts";

/** What is accepted of a drift. */
export interface AcceptCommandOptions extends ServiceOptions {
  /** Addresses that are accepted; everything if there is none. */
  readonly only: readonly string[];
  /** Paths of the configuration. */
  readonly paths: readonly string[];
}

/** What can be accepted, and what has to be known about that. */
export interface PreparedAcceptance {
  readonly acceptance: Acceptance;
  readonly notes: readonly Diagnostic[];
}

/**
 * Prepares what can be accepted, with a declaration for each undeclared object of an exclusive kind: the next apply could delete it.
 * Sends GET only, and writes nothing.
 *
 * @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile
 */
export async function prepareAcceptance(
  runtime: Runtime,
  run: PlannedRun,
  { only, paths, isAsked, ...options }: AcceptCommandOptions & { readonly isAsked: boolean },
): Promise<PreparedAcceptance> {
  const accepted = { only, remove: removalPolicy({ only, isAsked }) };
  const acceptance = await Acceptance.prepare(run, runtime.cwd, accepted);
  const { undeclared } = acceptance;
  if (undeclared.length === 0) return { acceptance, notes: [] };
  const { config } = run.input;
  const addresses = undeclared.map(({ address }) => address);
  const importable = await readImportable(runtime, config, addresses, options);
  const objects = undeclaredObjects(undeclared, importable);
  const added = declareObjects(objects, importable, config, importFolders(runtime, paths));
  const needed = secretsOf(objects.map(({ candidate }) => candidate)).map(secretNeeded);
  return {
    acceptance: await Acceptance.prepare(run, runtime.cwd, { ...accepted, added }),
    notes: [...importable.diagnostics, ...needed],
  };
}

function secretNeeded({ name, address, path }: NeededSecret): Diagnostic {
  const message = `the service does not show ${path}, so the file has \${secret:${name}}`;
  const hint = `Set the environment variable ${name} before an apply that sends it.`;
  return { severity: "warning", code: "secret_needed", message, hint, address };
}
