/**
 * Writes what is live into the YAML files that declare it.
 *
 * Premise: the files belong to people. Only the values that differ change, and a file never holds anything that the
 * configuration would refuse, a secret, or a number that YAML cannot hold exactly. A declaration is removed only if the caller
 * asks for that.
 * Algorithm: each differing field, and each declaration without an object, becomes a candidate or a refusal with its reason. The
 * candidates of a file are prepared together. The caller shows them, and writes each file atomically.
 */
import type { Redactor } from "../../api/redact/redact.ts";
import { undeclaredKeys } from "../../diff/undeclared.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { holdsExactNumber, holdsSensitive, pointerKeys, someText } from "../../model/json.ts";
import { ignoreHint } from "../../model/messages.ts";
import { isSelected } from "../../model/plan.ts";
import { type PreparedFile, prepareFiles, writeFile } from "../../edit/files.ts";
import { engineError } from "../errors.ts";
import type { PlannedRun } from "../plan.ts";
import {
  candidatesOf,
  isUndeclared,
  mayBeRenamed,
  notAccepted,
  removeOrCreate,
  type Candidate,
  type Removal,
} from "./candidates.ts";
import { validateAccepted } from "./validate-accepted.ts";

/** What {@link acceptDrift} wrote, and what it could not. */
export interface Accepted {
  /**
   * Addresses with paths of the fields that were written, by file; `/lifecycle/ignore` for what was left to the service. The
   * address alone stands for a declaration that was removed.
   */
  readonly written: ReadonlyMap<string, readonly string[]>;
  /** Changes that still differ from the configuration, in whole or in part. */
  readonly left: readonly Change[];
  /** A warning for each field that was not accepted, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What is accepted of a drift. */
export interface AcceptOptions {
  /** Addresses, with what is below them; everything if there is none. */
  readonly only?: readonly string[] | undefined;
  /** Which declarations of objects that do not exist are removed. None by default. */
  readonly remove?: Removal | undefined;
}

/** The files that accepting a drift would write. */
export interface PreparedAcceptance {
  readonly files: readonly PreparedFile<Candidate>[];
  /** The chosen objects of exclusive kinds that nothing declares and that can be imported. */
  readonly undeclared: readonly Change[];
  /** A warning for each field that is not accepted, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
  /** Returns the changes that still differ after some of the files were written. */
  readonly leftAfter: (written: readonly PreparedFile<Candidate>[]) => readonly Change[];
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
  const { files, diagnostics, leftAfter } = await prepareAcceptance(run, cwd, options);
  for (const prepared of files) await writeFile(prepared, run.input.context.clock);
  const written = new Map(files.map((prepared) => [prepared.file, acceptedIn(prepared)]));
  return { written, left: leftAfter(files), diagnostics };
}

/** What a prepared file accepts, by address and path. */
function acceptedIn({ made }: PreparedFile<Candidate>): readonly string[] {
  return made.map(({ change, field }) => `${change.address}${field?.path ?? ""}`);
}

/**
 * Prepares the edits of {@link acceptDrift}. Writes nothing.
 *
 * @throws EngineError `invalid` if an address does not differ, `stale` if a file was changed meanwhile
 */
export async function prepareAcceptance(
  run: PlannedRun,
  cwd: string,
  { only = [], remove = "none" }: AcceptOptions,
): Promise<PreparedAcceptance> {
  const { plan, input } = run;
  requireDifferent(plan.changes, only);
  const differing = plan.changes.filter(isDifferent);
  const chosen = plan.changes.filter((change) => isAcceptable(change) && isSelected(change.address, only));
  const results = chosen.map((change) => candidatesOf(run, change, remove));
  const candidates = withReasons(
    results.flatMap((one) => ("severity" in one ? [] : one)),
    input.context.redactor,
  );
  const prepared = await prepareFiles(candidates, input.config, cwd);
  const diagnostics = [
    ...results.flatMap((one) => ("severity" in one ? one : [])),
    ...prepared.flatMap(({ file, refused }) =>
      refused.map(({ edit, why, line, column }) => ({ ...candidateRefused(edit, why), file, line, column })),
    ),
  ];
  const open = new Set(
    [...diagnostics, ...differing.filter((change) => !chosen.includes(change))].map(({ address }) => address),
  );
  return {
    files: prepared.filter(({ made }) => made.length > 0),
    undeclared: chosen.filter((change) => isUndeclared(change) && !mayBeRenamed(change, run)),
    diagnostics,
    leftAfter: (written) => {
      const unwritten = prepared.filter((one) => !written.includes(one)).flatMap(({ made }) => made);
      const left = new Set([...open, ...unwritten.map(({ change }) => change.address)]);
      return differing.filter(({ address }) => left.has(address));
    },
  };
}

function isDifferent({ action }: Change): boolean {
  return action !== "no_op" && action !== "unknown";
}

/** Live keys that are not declared are no difference, but can be. */
function isAcceptable(change: Change): boolean {
  return isDifferent(change) || undeclaredKeys(change).length > 0;
}

/** @throws EngineError `invalid` for an address at which nothing differs */
function requireDifferent(changes: readonly Change[], only: readonly string[]): void {
  for (const address of only) {
    const own = changes.filter((change) => isSelected(change.address, [address]));
    if (own.some(isAcceptable)) continue;
    const isUnknown = own.some(({ action }) => action === "unknown");
    const message = isUnknown ? `${address} could not be compared` : `nothing differs at ${address}`;
    const hint = isUnknown ? "The report says why." : "Leave the address out, and see with drift what differs.";
    throw engineError("invalid", "not_different", message, `${hint} Nothing was written.`);
  }
}

/** Adds the reason to the candidates that must not be written. */
function withReasons(candidates: readonly Candidate[], redactor: Redactor): readonly Candidate[] {
  const reasons = new Map<Candidate, string>();
  for (const one of candidates) {
    const value = one.field?.prior ?? null;
    // A key that is declared stands in the file already.
    const isSecretKey =
      one.edit.declared === undefined && redactor.holds(pointerKeys(one.field?.path ?? "").at(-1) ?? "");
    if (isSecretKey || holdsSensitive(value) || someText(value, redactor.holds)) reasons.set(one, "it holds a secret");
    else if (holdsExactNumber(value)) reasons.set(one, "it holds a number that YAML cannot hold exactly");
  }
  const writable = candidates.filter((one) => !reasons.has(one));
  for (const [one, reason] of refusedByConfig(writable)) reasons.set(one, reason);
  return candidates.map((one) => ({ ...one, why: reasons.get(one) }));
}

/** Returns the candidates that would make the configuration invalid, with the reasons. */
function refusedByConfig(candidates: readonly Candidate[]): readonly (readonly [Candidate, string])[] {
  return [...new Set(candidates.map(({ change }) => change))].flatMap((change) => {
    const own = candidates.filter((one) => one.change === change && one.accepted !== undefined);
    const values = own.flatMap(({ accepted }) => accepted ?? []);
    const reasons = validateAccepted(change.kind, change.work?.resource?.values ?? {}, values);
    return own.flatMap((one, index) => {
      const reason = reasons[index];
      return reason === undefined ? [] : [[one, reason] as const];
    });
  });
}

function candidateRefused({ change, field, ignored }: Candidate, why: string): Diagnostic {
  if (ignored !== undefined) return notAccepted(change, `lifecycle.ignore stays: ${why}`, ignoreHint(ignored));
  return field === undefined
    ? notAccepted(change, `its declaration stays: ${why}`, removeOrCreate("Remove it yourself", change))
    : notAccepted(change, `${field.path} stays: ${why}`, "Change it there by hand, or apply.");
}
