/**
 * Writes the ids of objects that were created anew into the pins that were missing.
 *
 * Premise: the object exists before its pin is written, so a crash may come between the two. Then the next run with
 * `--recreate` finds the object by its natural key, creates nothing, and writes the pin.
 */
import { kindSchema } from "../kinds/fields.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Resource } from "../model/resource.ts";
import { prepareFiles, writeFile, type FileEdit } from "./edit-files.ts";
import type { PlannedRun } from "./plan.ts";

/** What {@link pinRecreated} wrote, and what it could not. */
export interface RecreatedPins {
  readonly written: readonly { readonly address: string; readonly id: string; readonly file: string }[];
  /** A warning for each pin that is still the old one, with the line to write. */
  readonly diagnostics: readonly Diagnostic[];
}

/** A pin that is to be written. */
interface NewPin extends FileEdit {
  readonly resource: Resource;
  readonly id: string;
}

/**
 * Writes the new ids into the YAML that declares the old ones. Other pins are reported with the line to write: those of a
 * program, those by another field than the id, and those that an alias or a variable makes. Never throws for a file.
 *
 * @param outcomes the outcomes of the run
 * @param cwd folder that the paths of the configuration are relative to
 */
export async function pinRecreated(run: PlannedRun, outcomes: readonly Outcome[], cwd: string): Promise<RecreatedPins> {
  const written: { address: string; id: string; file: string }[] = [];
  const diagnostics: Diagnostic[] = [];
  const editable: NewPin[] = [];
  for (const { resource, id } of recreated(run, outcomes)) {
    const { file, line, column } = resource.position;
    const isEditable = file !== undefined && line !== undefined && column !== undefined;
    if (!isEditable) diagnostics.push(notPinned(resource, id, `${file ?? "its file"} is a program`));
    else if (resource.pin?.field !== "id") diagnostics.push(notPinned(resource, id, "another field pins it"));
    else editable.push({ file, resource, id, edit: { line, column, path: "/id", value: pinValue(resource, id) } });
  }
  for (const file of new Set(editable.map((one) => one.file))) {
    const own = editable.filter((one) => one.file === file);
    try {
      for (const prepared of await prepareFiles(own, run.input.config, cwd)) {
        await writeFile(prepared);
        written.push(...prepared.made.map(({ resource: { address }, id }) => ({ address, id, file })));
        diagnostics.push(...prepared.refused.map(({ edit: { resource, id }, why }) => notPinned(resource, id, why)));
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      diagnostics.push(...own.map(({ resource, id }) => notPinned(resource, id, reason)));
    }
  }
  return { written, diagnostics };
}

/** The resources whose missing pin has to become another one. An object that exists and is only in part as declared is one. */
function recreated(
  { input, plan }: PlannedRun,
  outcomes: readonly Outcome[],
): readonly { readonly resource: Resource; readonly id: string }[] {
  const ids = new Map(
    outcomes.flatMap(({ address, status, id }) =>
      id !== null && (status === "applied" || status === "unverified") ? [[address, id] as const] : [],
    ),
  );
  return plan.changes.flatMap(({ address, action, work }) => {
    const { resource, live } = work ?? {};
    const id = ids.get(address);
    if (id === undefined || resource?.pin === undefined || action === "restore") return [];
    const { field, value } = resource.pin;
    const isFound = live?.pins[field]?.toLowerCase() === value.toLowerCase();
    return !isFound && input.options.recreate?.includes(address) === true ? [{ resource, id }] : [];
  });
}

/** An id as configurations write it: some kinds have numbers. */
function pinValue({ kind }: Resource, id: string): string | number {
  const isNumber = kindSchema(kind).properties["id"]?.type === "integer" && Number.isSafeInteger(Number(id));
  return isNumber ? Number(id) : id;
}

function notPinned(resource: Resource, id: string, why: string): Diagnostic {
  const { address, pin, position } = resource;
  const line = `id: ${JSON.stringify(pinValue(resource, id))}`;
  return {
    severity: "warning",
    code: "pin_not_written",
    message: `the pin is still the old one: ${why}`,
    hint: `Write ${line} in the place of ${pin?.field ?? "id"}: ${pin?.value ?? ""}.`,
    address,
    ...position,
  };
}
