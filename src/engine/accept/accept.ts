/**
 * Writes what is live into the YAML files that declare it.
 *
 * Premise: the files belong to people. Only the values that differ change, and a file never holds anything that the
 * configuration would refuse, a secret, or a number that YAML cannot hold exactly.
 * Algorithm: each differing field becomes a candidate or a refusal with its reason; the candidates of a file are written
 * together, atomically.
 */
import type { Redactor } from "../../api/redact/redact.ts";
import type { Edit } from "../../config/edit/edit.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { holdsExactNumber, isJsonObject, isSensitive, pointerKeys, type Json } from "../../model/json.ts";
import { acceptedValue } from "./accepted-value.ts";
import { prepareFiles, writeFile } from "../edit-files.ts";
import type { PlannedRun } from "../plan.ts";
import { validateAccepted } from "./validate-accepted.ts";

/** What {@link acceptDrift} wrote, and what it could not. */
export interface Accepted {
  /** Addresses with paths of the fields that were written, by file. */
  readonly written: ReadonlyMap<string, readonly string[]>;
  /** Changes that still differ from the configuration, in whole or in part. */
  readonly left: readonly Change[];
  /** A warning for each field that was not accepted, with the reason. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A live value that may be written into a file. */
interface Candidate {
  readonly file: string;
  readonly change: Change;
  readonly field: FieldChange;
  readonly edit: Edit & { readonly value: Json };
}

/**
 * Writes the live value of every field that differs into the YAML that declares it. Everything else in the files stays as it
 * is. Sends nothing.
 *
 * @param run a drift, as `planConfig` returns it
 * @param cwd folder that the paths of the configuration are relative to
 * @throws EngineError `failed` if a file cannot be written; it is then as it was
 */
export async function acceptDrift({ plan, input }: PlannedRun, cwd: string): Promise<Accepted> {
  const differing = plan.changes.filter(({ action }) => action !== "no_op" && action !== "unknown");
  const refused = differing.flatMap((change) => refusal(change) ?? []);
  const { accepted, diagnostics } = validate(differing.flatMap(candidatesOf), input.context.redactor);
  refused.push(...diagnostics);
  const written = new Map<string, readonly string[]>();
  for (const prepared of await prepareFiles(accepted, input.config, cwd)) {
    await writeFile(prepared);
    refused.push(...prepared.refused.flatMap(({ edit, why }) => fieldNotAccepted(edit, why)));
    const fields = prepared.made.map(({ change, field }) => `${change.address}${field.path}`);
    if (fields.length > 0) written.set(prepared.file, fields);
  }
  const open = new Set(refused.map(({ address }) => address));
  return { written, left: differing.filter(({ address }) => open.has(address)), diagnostics: refused };
}

/** Returns why nothing of a change can be accepted; undefined if its fields can be tried. */
function refusal(change: Change): Diagnostic | undefined {
  const resource = change.work?.resource;
  if (resource === undefined) return notAccepted(change, "nothing declares it", "Declare it, or prune it.");
  if (change.action === "create") {
    const hint = "Remove its declaration, or create it again with apply.";
    return notAccepted(change, "it no longer exists on the service", hint);
  }
  if (change.action !== "update" && change.action !== "replace")
    return notAccepted(change, change.reason, "Change its declaration, or apply.");
  // An expired object differs in nothing that could be written into a file.
  if (change.fields.length === 0)
    return notAccepted(change, change.reason, "Change its lifecycle as the report says, and apply.");
  if (resource.position.line !== undefined) return undefined;
  const file = resource.position.file ?? "its file";
  return notAccepted(change, `${file} is a program`, "Write the live values into it yourself.");
}

function candidatesOf(change: Change): readonly Candidate[] {
  const { file, line, column } = change.work?.resource?.position ?? {};
  if (refusal(change) !== undefined || file === undefined || line === undefined || column === undefined) return [];
  return (
    change.fields
      // A value that is never shown is not compared either. It is only sent along with another field, which differs itself.
      .filter(({ prior, planned }) => !isSensitive(prior) && !isSensitive(planned))
      // The new object of a replace would get its own.
      .filter(({ path, planned }) => planned !== null || !isSetByService(change, path))
      .map((field) => {
        const value = acceptedValue(change.kind, field);
        return { file, change, field, edit: { line, column, path: field.path, declared: field.planned, value } };
      })
  );
}

function isSetByService({ kind }: Change, path: string): boolean {
  return kinds[kind].setByService?.includes(pointerKeys(path)[0] ?? "") === true;
}

/** Splits candidates into those that may be written, and diagnostics for the others. */
function validate(
  candidates: readonly Candidate[],
  redactor: Redactor,
): { readonly accepted: readonly Candidate[]; readonly diagnostics: readonly Diagnostic[] } {
  const reasons = new Map<Candidate, string>();
  for (const one of candidates) {
    if (revealsSecret(one.field.prior, redactor)) reasons.set(one, "it holds a secret");
    else if (holdsExactNumber(one.field.prior)) reasons.set(one, "it holds a number that YAML cannot hold exactly");
  }
  const writable = candidates.filter((one) => !reasons.has(one));
  for (const [one, reason] of refusedByConfig(writable)) reasons.set(one, reason);
  return {
    accepted: candidates.filter((one) => !reasons.has(one)),
    diagnostics: candidates.flatMap((one) => fieldNotAccepted(one, reasons.get(one))),
  };
}

/** Returns the candidates that would make the configuration invalid, with the reasons. */
function refusedByConfig(candidates: readonly Candidate[]): readonly (readonly [Candidate, string])[] {
  return [...new Set(candidates.map(({ change }) => change))].flatMap((change) => {
    const own = candidates.filter((one) => one.change === change);
    // The configuration declares a level as a word; the validator takes the number.
    const values = own.map(({ edit: { path, value }, field }) => ({
      path,
      value: typeof field.prior === "number" ? field.prior : value,
    }));
    const reasons = validateAccepted(change.kind, change.work?.resource?.values ?? {}, values);
    return own.flatMap((one, index) => {
      const reason = reasons[index];
      return reason === undefined ? [] : [[one, reason] as const];
    });
  });
}

/** Whether a value that would be written into a file holds a secret of this run. */
function revealsSecret(value: Json, redactor: Redactor): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => revealsSecret(item, redactor));
  if (isJsonObject(value)) return Object.entries(value).some((member) => revealsSecret(member, redactor));
  return typeof value === "string" ? redactor.known(value) !== value : redactor.json(value) !== value;
}

function fieldNotAccepted({ change, field }: Candidate, reason: string | undefined): readonly Diagnostic[] {
  if (reason === undefined) return [];
  return [notAccepted(change, `${field.path} stays: ${reason}`, "Change it there by hand, or apply.")];
}

function notAccepted(change: Change, reason: string, hint: string): Diagnostic {
  const { address } = change;
  const position = change.work?.resource?.position ?? {};
  return { severity: "warning", code: "not_accepted", message: `not accepted: ${reason}`, hint, address, ...position };
}
