import { writeFile } from "../../edit/files.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { acceptedName } from "./accept-edit.ts";
import { Acceptance, type AcceptOptions } from "./acceptance.ts";

/** What {@link acceptDrift} wrote, and what it could not. */
export interface Accepted {
  /**
   * Addresses with paths of the fields that were written, by file. The address alone stands for a declaration that was added or
   * removed.
   */
  readonly written: ReadonlyMap<string, readonly string[]>;
  /** Changes that still differ from the configuration, in whole or in part. */
  readonly left: readonly Change[];
  /** A warning for each field that was not accepted, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes the live value of every field that differs into the YAML that declares it, and the keys that a drift report counts as
 * undeclared. Everything else in the files stays as it is. Sends nothing.
 *
 * @param run a drift, as `planConfig` returns it
 * @param cwd folder that the paths of the configuration are relative to
 * @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile, `failed` if a file
 * cannot be written; it is then as it was
 */
export async function acceptDrift(run: PlannedRun, cwd: string, options: AcceptOptions = {}): Promise<Accepted> {
  const acceptance = await Acceptance.prepare(run, cwd, options);
  const { files, diagnostics } = acceptance;
  for (const prepared of files) await writeFile(prepared, run.input.context.clock);
  const written = new Map(files.map(({ file, edits }) => [file, edits.map(({ source }) => acceptedName(source))]));
  return { written, left: acceptance.remainingAfter(files), diagnostics };
}
