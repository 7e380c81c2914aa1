/**
 * Writes what is live into the YAML files that declare it.
 *
 * Premise: the files belong to people. Only the values that differ change, and a file never holds anything that the
 * configuration would refuse, a secret, or a number that YAML cannot hold exactly. A declaration is removed only if the caller
 * asks for that.
 * Algorithm: each differing field, and each declaration without an object, becomes an edit or a refusal with its reason. The
 * edits of a file are prepared together. The caller shows them, and writes each file atomically.
 */
import type { Redactor } from "../../api/redact/redact.ts";
import { type Change, isDifference } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { isSelected, type Unmanaged, undeclaredAddress } from "../../model/plan.ts";
import { isWithin, type Resource } from "../../model/resource.ts";
import { type PreparedFile, prepareEdits, writeFile } from "../../edit/files.ts";
import { engineError } from "../../model/engine-error.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { type AcceptEdit, type AcceptSource, type Additions, acceptedName, addressesOf } from "./accept-edit.ts";
import { isConverted } from "./declared-values.ts";
import { editsOf } from "./edits-of-change.ts";
import { editRefused, isUndeclared, mayBeDeclaredUnderFormerName, unwritable, type RemovalPolicy } from "./refusals.ts";
import { refusedByConfig } from "./validate-accepted.ts";

/** What is accepted of a drift. */
export interface AcceptOptions {
  /** Addresses, with what is below them; everything if there is none. */
  readonly only?: readonly string[] | undefined;
  /** Which declarations of objects that do not exist are removed. None by default. */
  readonly remove?: RemovalPolicy | undefined;
  /** What declares objects that nothing declares. */
  readonly added?: Additions | undefined;
}

/** The files that accepting a drift would write, and what remains after that. Writes nothing. */
export class Acceptance {
  readonly files: readonly PreparedFile<AcceptSource>[];
  /** A warning for each field or declaration that is not accepted, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
  readonly #run: PlannedRun;
  readonly #chosen: readonly Change[];

  private constructor(run: PlannedRun, chosen: readonly Change[], prepared: Pick<Acceptance, "files" | "diagnostics">) {
    this.#run = run;
    this.#chosen = chosen;
    this.files = prepared.files;
    this.diagnostics = prepared.diagnostics;
  }

  /** @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile */
  static async prepare(
    run: PlannedRun,
    cwd: string,
    { only = [], remove = "none", added = { edits: [], newFiles: [] } }: AcceptOptions,
  ): Promise<Acceptance> {
    const { config, context } = run.input;
    const chosen = chosenChanges(run, only);
    const results = chosen.map((change) => editsOf(run, change, remove));
    const edits = results.flatMap((one) => ("severity" in one ? [] : one));
    const all = [...withReasons(edits, config.graph.resources, context.redactor), ...added.edits];
    const { files, manual } = await prepareEdits(all, config, cwd);
    // Objects that get a declaration are no longer refused because they have none.
    const additions = [...added.edits, ...added.newFiles.flatMap((file) => file.edits)];
    const declared = new Set([...additions, ...edits].flatMap(({ source }) => addressesOf(source)));
    const refusals = results.flatMap((one) => ("severity" in one && !declared.has(one.address ?? "") ? one : []));
    const refused = manual.map((one) => ({ ...editRefused(one), ...one.at }));
    return new Acceptance(run, chosen, {
      files: [...files, ...added.newFiles],
      diagnostics: [...refusals, ...refused],
    });
  }

  /** The changes that still differ after some of the files were written. */
  remainingAfter(written: readonly PreparedFile<AcceptSource>[]): readonly Change[] {
    const differing = this.#run.plan.changes.filter(isDifference);
    const [done, chosen] = [new Set(written), new Set(this.#chosen)];
    const unwritten = this.files.filter((file) => !done.has(file)).flatMap(({ edits }) => edits);
    const open = new Set([
      ...this.diagnostics.map(({ address }) => address),
      ...unwritten.flatMap(({ source }) => [source.address, ...addressesOf(source)]),
    ]);
    return differing.filter((change) => open.has(change.address) || !chosen.has(change));
  }
}

/**
 * The chosen objects of exclusive kinds that nothing declares and that can be imported.
 *
 * @throws EngineError `invalid` if an address does not differ
 */
export function undeclaredChanges(run: PlannedRun, only: readonly string[]): readonly Change[] {
  return chosenChanges(run, only).filter(
    (change) => isUndeclared(change) && !mayBeDeclaredUnderFormerName(change, run),
  );
}

/** The objects of a run that a report only lists, if it was asked for them. They are accepted as well. */
export function chosenUnmanaged({ input, plan }: PlannedRun, only: readonly string[]): readonly Unmanaged[] {
  return input.unmanaged === true ? plan.unmanaged.filter((one) => isSelected(undeclaredAddress(one), only)) : [];
}

/** @throws EngineError `invalid` if an address does not differ */
function chosenChanges(run: PlannedRun, only: readonly string[]): readonly Change[] {
  const { changes } = run.plan;
  const acceptable = changes.filter((change) => isDifference(change) || isConverted(run, change));
  const listed = chosenUnmanaged(run, only).map(undeclaredAddress);
  requireDifferent(changes, [...acceptable.map(({ address }) => address), ...listed], only);
  return acceptable.filter((change) => isSelected(change.address, only));
}

/** @throws EngineError `invalid` for an address at which nothing differs */
function requireDifferent(changes: readonly Change[], differing: readonly string[], only: readonly string[]): void {
  for (const address of only) {
    if (differing.some((one) => isWithin(one, address))) continue;
    const within = changes.filter((change) => isWithin(change.address, address));
    const isUnknown = within.some(({ action }) => action === "unknown");
    const message = isUnknown ? `${address} could not be compared` : `nothing differs at ${address}`;
    const hint = isUnknown ? "The report says why." : "Leave the address out, and see with drift what differs.";
    throw engineError("invalid", "not_different", message, `${hint} Nothing was written.`);
  }
}

/** Adds the reason to the edits that must not be made. */
function withReasons(
  edits: readonly AcceptEdit[],
  resources: readonly Resource[],
  redactor: Redactor,
): readonly AcceptEdit[] {
  const reasons = new Map(edits.map((one) => [one, unwritable(one, redactor)]));
  const refused = refusedByConfig(
    edits.filter((one) => reasons.get(one) === undefined),
    resources,
  );
  return edits.map((one) => ({ ...one, refusal: reasons.get(one) ?? refused.get(one) }));
}

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
