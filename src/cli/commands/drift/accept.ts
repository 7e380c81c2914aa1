import type { PreparedFile } from "../../../edit/files.ts";
import type { AcceptSource } from "../../../engine/accept/accept-edit.ts";
import type { PlannedRun } from "../../../engine/plan/plan-config.ts";
import type { Change } from "../../../model/change.ts";
import { loadConfiguration } from "../../steps/config.ts";
import { countNamed, writeFiles } from "../../steps/write-files.ts";
import type { ConfigOptions, ServiceOptions } from "../../program/options.ts";
import { reportDiagnostics } from "../../terminal/output.ts";
import type { Runtime } from "../../runtime.ts";

/**
 * Writes what is live into the configuration, after a question with the difference of each file unless `yes` is set. Undeclared
 * objects of exclusive kinds are imported in the same way.
 *
 * @param only addresses that are accepted; everything if there is none
 * @param paths paths of the configuration
 * @returns the changes that still differ
 * @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile
 */
export async function accept(
  runtime: Runtime,
  run: PlannedRun,
  { only, paths, ...options }: AcceptCommandOptions,
): Promise<readonly Change[]> {
  const { Acceptance } = await import("../../../engine/accept/accept.ts");
  const { removalPolicy } = await import("../../../engine/accept/refusals.ts");
  const remove = removalPolicy({ only, isAsked: options.yes !== true });
  const acceptance = await Acceptance.prepare(run, runtime.cwd, { only, remove });
  const { files, undeclared, diagnostics } = acceptance;
  const hints = diagnostics.filter(({ address }) => undeclared.some((change) => change.address === address));
  reportDiagnostics(
    runtime,
    diagnostics.filter((one) => !hints.includes(one)),
  );
  // The report may go to a file, so the rest goes to stderr.
  const written = await writeFiles(runtime, files, { yes: options.yes, describe, print: runtime.err });
  const remaining = acceptance.remainingAfter(written);
  if (undeclared.length === 0 || runtime.signal.aborted) return remaining;
  const imported = await importUndeclared({ ...runtime, out: runtime.err }, undeclared, { paths, ...options });
  reportDiagnostics(
    runtime,
    hints.filter(({ address }) => !imported.some((change) => change.address === address)),
  );
  return remaining.filter((change) => !imported.includes(change));
}

interface AcceptCommandOptions extends ConfigOptions, ServiceOptions {
  readonly only: readonly string[];
  readonly paths: readonly string[];
  readonly yes?: boolean;
}

/** Imports undeclared objects. Returns those that are declared now. */
async function importUndeclared(
  runtime: Runtime,
  undeclared: readonly Change[],
  { paths, ...options }: Omit<AcceptCommandOptions, "only">,
): Promise<readonly Change[]> {
  const { readImportable, writeImports } = await import("../../steps/imports.ts");
  const { undeclaredObjects } = await import("../../../engine/accept/import-undeclared.ts");
  // The files may have been written by now.
  const config = await loadConfiguration(runtime, paths, { ...options, verbose: false });
  const addresses = undeclared.map(({ address }) => address);
  const importable = await readImportable(runtime, config, addresses, options);
  reportDiagnostics(runtime, importable.diagnostics);
  const chosen = undeclaredObjects(undeclared, importable);
  const imports = { config, importable, chosen: chosen.map(({ candidate }) => candidate) };
  const written = await writeImports(runtime, imports, { paths, yes: options.yes });
  return chosen.flatMap(({ change, candidate }) => (written.has(candidate.address) ? [change] : []));
}

/** What a file accepts: "Accepted into a.yaml: 2 fields (acme/name, acme/enforce_2fa) and 1 removed declaration (acme/domains/corp)". */
function describe({ file, edits }: PreparedFile<AcceptSource>): string {
  const sources = edits.map(({ source }) => source);
  const fields = sources.flatMap((one) => (one.type === "field" ? [one.address + one.path] : []));
  const removed = sources.flatMap(({ type, address }) => (type === "removal" ? [address] : []));
  const phrase = (names: readonly string[], noun: string): readonly string[] =>
    names.length === 0 ? [] : [countNamed(names, noun)];
  const accepted = [...phrase(fields, "field"), ...phrase(removed, "removed declaration")];
  return `Accepted into ${file}: ${accepted.join(" and ")}`;
}
