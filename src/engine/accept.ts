import { chmod, readFile, realpath, rename, stat, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Redactor } from "../api/redact/redact.ts";
import { editYaml, type Edit } from "../config/edit/edit.ts";
import type { Change, FieldChange } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { holdsExactNumber, isJsonObject, isSensitive, type Json } from "../model/json.ts";
import { acceptedValue } from "./accepted-value.ts";
import { validateAccepted } from "./validate-accepted.ts";
import { failure } from "../cli/failure.ts";
import { EXIT } from "../cli/exit-codes.ts";

/** What came of accepting what is live. */
export interface Accepted {
  /** Fields that were written, by the file they stand in. */
  readonly written: ReadonlyMap<string, readonly string[]>;
  /** Changes of which something is still as it was declared. */
  readonly left: readonly Change[];
  readonly diagnostics: readonly Diagnostic[];
}

interface Wanted {
  readonly file: string;
  readonly change: Change;
  readonly field: FieldChange;
  readonly edit: Edit;
}

/** Writes the live value of every field that differs into the YAML that declares it; nothing else in the files changes. */
export async function acceptDrift(changes: readonly Change[], cwd: string, redactor: Redactor): Promise<Accepted> {
  const differing = changes.filter(({ action }) => action !== "no_op" && action !== "unknown");
  const refused = differing.flatMap((change) => refusal(change) ?? []);
  const written = new Map<string, readonly string[]>();
  const isSecret = ({ field }: Wanted): boolean => revealsSecret(field.prior, redactor);
  const all = differing.flatMap(wantedOf);
  refused.push(...all.filter(isSecret).flatMap(({ change, field }) => notAccepted(change, "it holds a secret", field)));
  const isInexact = ({ field }: Wanted): boolean => holdsExactNumber(field.prior);
  const inexact = "it holds a number that cannot be said exactly";
  refused.push(...all.filter(isInexact).flatMap(({ change, field }) => notAccepted(change, inexact, field)));
  const sayable = all.filter((one) => !isSecret(one) && !isInexact(one));
  const { wanted, unsound } = declarable(sayable);
  refused.push(...unsound);
  for (const file of new Set(wanted.map((one) => one.file))) {
    const edits = wanted.filter((one) => one.file === file);
    const path = await realpath(resolve(cwd, file));
    const text = await readFile(path, "utf8");
    const edited = editYaml(
      text,
      edits.map(({ edit }) => edit),
    );
    const whys = new Map(edited.refused.map(({ edit, why }) => [edit, why]));
    refused.push(...edits.flatMap((one) => notAccepted(one.change, whys.get(one.edit), one.field)));
    const made = edits.filter(({ edit }) => !whys.has(edit));
    if (edited.text !== text) await replaceFile(path, edited.text);
    if (made.length > 0)
      written.set(
        file,
        made.map(({ change, field }) => `${change.address}${field.path}`),
      );
  }
  const open = new Set(refused.map(({ address }) => address));
  return { written, left: differing.filter(({ address }) => open.has(address)), diagnostics: refused };
}

/** Why nothing of a change can be accepted; undefined where its fields can be tried. */
function refusal(change: Change): Diagnostic | undefined {
  const resource = change.work?.resource;
  if (resource === undefined) return diagnostic(change, "nothing declares it", "Declare it, or prune it.");
  if (change.action === "create")
    return diagnostic(change, "it is gone from the service", "Remove its declaration, or put it back with apply.");
  if (change.action !== "update" && change.action !== "replace")
    return diagnostic(change, change.reason, "Change its declaration, or apply.");
  if (resource.position.line === undefined)
    return diagnostic(
      change,
      `${resource.position.file ?? "its file"} is a program`,
      "Write the live values into it yourself.",
    );
  return undefined;
}

function wantedOf(change: Change): readonly Wanted[] {
  const { file, line, column } = change.work?.resource?.position ?? {};
  if (refusal(change) !== undefined || file === undefined || line === undefined || column === undefined) return [];
  return (
    change.fields
      // What is never shown is not compared either: it is sent along with something else, which is what differs.
      .filter(({ prior, planned }) => !isSensitive(prior) && !isSensitive(planned))
      .map((field) => {
        const value = acceptedValue(change.kind, field);
        return { file, change, field, edit: { line, column, path: field.path, value } };
      })
  );
}

/** What the configuration takes, and of the rest why it does not: what is accepted must not make it invalid. */
function declarable(all: readonly Wanted[]): {
  readonly wanted: readonly Wanted[];
  readonly unsound: readonly Diagnostic[];
} {
  const whys = new Map<Wanted, string | undefined>();
  for (const change of new Set(all.map((one) => one.change))) {
    const own = all.filter((one) => one.change === change);
    // A level is declared as a word, and a number to whatever looks at it.
    const placed = own.map(({ edit: { path, value }, field }) => ({
      path,
      value: typeof field.prior === "number" ? field.prior : value,
    }));
    const found = validateAccepted(change.kind, change.work?.resource?.values ?? {}, placed);
    own.forEach((one, index) => whys.set(one, found[index]));
  }
  return {
    wanted: all.filter((one) => whys.get(one) === undefined),
    unsound: all.flatMap((one) => notAccepted(one.change, whys.get(one), one.field)),
  };
}

/** Whether a value that would be written into a file says a secret of this run. */
function revealsSecret(value: Json, redactor: Redactor): boolean {
  if (Array.isArray(value)) return value.some((item: Json) => revealsSecret(item, redactor));
  if (isJsonObject(value)) return Object.entries(value).some((member) => revealsSecret(member, redactor));
  return typeof value === "string" ? redactor.known(value) !== value : redactor.json(value) !== value;
}

function notAccepted(change: Change, why: string | undefined, { path }: FieldChange): readonly Diagnostic[] {
  return why === undefined ? [] : [diagnostic(change, `${path} stays: ${why}`, "Change it there by hand, or apply.")];
}

function diagnostic(change: Change, why: string, hint: string): Diagnostic {
  const { address } = change;
  const position = change.work?.resource?.position ?? {};
  return { severity: "warning", code: "not_accepted", message: `not accepted: ${why}`, hint, address, ...position };
}

/** A crash leaves the old file or the new one. */
async function replaceFile(path: string, text: string): Promise<void> {
  try {
    const { mode } = await stat(path);
    const next = `${path}.accepted`;
    await writeFile(next, text, { flag: "wx" });
    await chmod(next, mode);
    await rename(next, path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw failure(EXIT.error, "cannot_write", `${path} cannot be written: ${reason}`, "It is as it was.");
  }
}
