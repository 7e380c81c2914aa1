import { Acceptance, chosenUnmanaged, undeclaredChanges } from "../../../engine/accept/acceptance.ts";
import { declareObjects, importableChanges, importableUnmanaged } from "../../../engine/accept/import-undeclared.ts";
import { removalPolicy } from "../../../engine/accept/refusals.ts";
import { lostProtections, peopleWritten } from "../../../engine/accept/review.ts";
import { alreadySet, type NeededSecret, secretsOf } from "../../../engine/import/needed-secrets.ts";
import type { ImportFolders } from "../../../engine/import/target-file.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { pathText } from "../../../model/pointer.ts";
import { undeclaredAddress } from "../../../model/plan.ts";
import { highRights } from "../../../report/index.ts";
import type { ConfigOptions, ServiceOptions } from "../../program/options.ts";
import type { Runtime } from "../../runtime.ts";
import { readImportable } from "../../steps/imports.ts";
import { putBack } from "../../steps/put-back.ts";

/** What is accepted of a drift. */
export interface AcceptCommandOptions extends ServiceOptions, ConfigOptions {
  /** Addresses that are accepted; everything if there is none. */
  readonly only: readonly string[];
  /** Paths of the configuration. */
  readonly paths: readonly string[];
}

interface PrepareOptions extends AcceptCommandOptions {
  /** Whether each file is shown in a question. */
  readonly isAsked: boolean;
  /** Where new files are written. */
  readonly where: ImportFolders;
}

/** What can be accepted, and what has to be known about that. */
export interface PreparedAcceptance {
  readonly acceptance: Acceptance;
  /** About lists that had to be read for it. */
  readonly diagnostics: readonly Diagnostic[];
  /** A warning for each secret that the new declarations in some of its files need. */
  readonly neededSecrets: (files: Acceptance["files"]) => readonly Diagnostic[];
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
  { only, isAsked, where, paths, ...options }: PrepareOptions,
): Promise<PreparedAcceptance> {
  const undeclared = undeclaredChanges(run, only);
  const listed = chosenUnmanaged(run, only);
  const addresses = [...undeclared.map(({ address }) => address), ...listed.map(undeclaredAddress)];
  const { config } = run.input;
  const importable = addresses.length === 0 ? undefined : await readImportable(runtime, config, addresses, options);
  const among = { candidates: importable?.candidates ?? [] };
  const undeclaredNow = [...importableChanges(undeclared, among), ...importableUnmanaged(listed, among)];
  const remove = removalPolicy({ only, isAsked });
  const back = await putBack(
    runtime,
    config,
    undeclaredNow.map(({ candidate }) => candidate),
    { ...options, paths, isMeant: remove === "all" },
  );
  const objects = undeclaredNow.filter(({ candidate }) => back.candidates.includes(candidate));
  const added = importable && declareObjects(objects, importable, config, where);
  const secrets = secretsOf(objects.map(({ candidate }) => candidate));
  const acceptance = await Acceptance.prepare(run, runtime.cwd, { only, remove, added });
  return {
    acceptance,
    diagnostics: [
      ...(importable?.diagnostics ?? []),
      ...back.diagnostics,
      ...lostProtections(run, acceptance),
      ...rightsWritten(acceptance),
    ],
    neededSecrets: (files) => {
      const sources = files.flatMap(({ edits }) => edits.map(({ source }) => source));
      const declared = new Set(sources.flatMap((source) => (source.type === "addition" ? source.added : [])));
      const needed = secrets.filter(({ address }) => declared.has(address));
      const names = needed.map(({ name }) => name);
      return [...needed.map(secretNeeded), ...alreadySet(names, runtime.env)];
    },
  };
}

/** A declaration approves what somebody may do. */
function rightsWritten(acceptance: Acceptance): readonly Diagnostic[] {
  const rights = highRights(peopleWritten(acceptance));
  const message = `the files declare ${rights}`;
  const hint = "Make sure that these levels are meant: no drift reports them afterwards.";
  return rights === "" ? [] : [{ severity: "warning", code: "rights_accepted", message, hint }];
}

function secretNeeded({ name, address, path }: NeededSecret): Diagnostic {
  const message = `the service does not show ${pathText(path)}, so the file has \${secret:${name}}`;
  const hint = `Set the environment variable ${name} before an apply that sends it.`;
  return { severity: "warning", code: "secret_needed", message, hint, address };
}
