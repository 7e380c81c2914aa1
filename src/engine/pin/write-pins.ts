/**
 * Writes the ids of objects that an apply has made into the configuration.
 *
 * Terms: a pin is new if the resource has none yet. It is outdated if another object is now in the place of the pinned one: a
 * replace makes one, and so does `--recreate`.
 * Premise: the object exists before its pin is written, so a crash may come between the two. Then the next run with
 * `--recreate` finds the object by its natural key, creates nothing, and writes the pin. The objects exist even if a file cannot
 * be written, so that is only a warning.
 * Algorithm: collect all pins of all files first, because a file can be written only once after it was loaded.
 */
import { hasPin, knownPathAt } from "../../model/live.ts";
import { type Change } from "../../model/change.ts";
import { errorReason } from "../../model/text/error-reason.ts";
import { pinValue } from "../../export/identity.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import { isAsDeclared, type Outcome } from "../../model/outcome.ts";
import type { Resource } from "../../model/resource.ts";
import { readObject } from "../../world/read-object.ts";
import type { Edit, ManualEdit } from "../../edit/edit.ts";
import { prepareEdits, writeFile } from "../../edit/files.ts";
import { aliasOf, formatPosition, linesToAdd } from "../../edit/manual-edits.ts";
import type { ValueObject } from "../../model/json/json.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { addPin, replacePin, shownPage } from "./pin-edits.ts";

/** What {@link writePins} wrote, and what it could not. */
export interface WrittenPins {
  /** The files that were written, with the addresses of the resources that have a new pin there. */
  readonly written: readonly { readonly file: string; readonly addresses: readonly string[] }[];
  /** A warning for each pin that was not written, with the line to write. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes pins into YAML: the outdated ones, or those of new objects as well. Others are reported with the line to
 * write: those of a program, and those that an alias or a variable makes. Never throws for a file.
 *
 * @param outcomes the outcomes of the run
 * @param cwd folder that the paths of the configuration are relative to
 */
export async function writePins(
  run: PlannedRun,
  outcomes: readonly Outcome[],
  cwd: string,
  which: "outdated" | "all",
): Promise<WrittenPins> {
  const written: { file: string; addresses: readonly string[] }[] = [];
  const pins = await pinsOf(run, outcomes, which);
  const diagnostics = pins.flatMap((one) => ("severity" in one ? one : []));
  const edits = pins.flatMap((one) => ("severity" in one ? [] : one));
  for (const name of new Set(edits.map(({ at }) => at.file))) {
    const editsOfFile = edits.filter(({ at }) => at.file === name);
    try {
      const { files, manual } = await prepareEdits(editsOfFile, run.input.config, cwd);
      for (const prepared of files) {
        await writeFile(prepared, run.input.context.clock);
        written.push({ file: prepared.file, addresses: prepared.edits.map(({ source }) => source.address) });
      }
      diagnostics.push(...manual.map(unwrittenPin));
    } catch (error) {
      diagnostics.push(...editsOfFile.map((edit) => unwrittenPin({ edit, reason: errorReason(error), at: edit.at })));
    }
  }
  return { written, diagnostics };
}

/** The pins to write, and warnings for those that are not known. */
async function pinsOf(
  run: PlannedRun,
  outcomes: readonly Outcome[],
  which: "outdated" | "all",
): Promise<readonly (Edit<Resource> | Diagnostic)[]> {
  const made = new Map(outcomes.map((outcome) => [outcome.address, outcome]));
  const pins = run.plan.changes.map(async (change): Promise<readonly (Edit<Resource> | Diagnostic)[]> => {
    const outcome = made.get(change.address);
    const resource = change.work?.resource;
    const id = outcome?.id ?? null;
    if (resource === undefined || outcome === undefined || id === null || !isDone(outcome, change)) return [];
    const { pin, kind } = resource;
    const page = shownPage(run, outcome.link);
    const pinTo = pin === undefined ? addPin<Resource> : replacePin<Resource>;
    const isNew = pin === undefined && which === "all" && (outcome.action === "create" || isReplaced(outcome, change));
    if (!isNew && (pin === undefined || !isOutdated(run, outcome, change))) return [];
    if (pin === undefined || pin.field === "id") {
      const value = pinValue(kind, id);
      return value === undefined ? [] : [pinTo(resource, "id", value, page)];
    }
    const value = await readPin(run, resource, pin.field, id);
    if (value !== undefined) return [pinTo(resource, pin.field, value, page)];
    return [outdatedPin(resource, `id: ${id}`, `the new ${pin.field} could not be read`)];
  });
  return (await Promise.all(pins)).flat();
}

/** Whether the object with the id of the outcome is there. A replace has the old id until the old object is gone. */
function isDone(outcome: Outcome, change: Change): boolean {
  const { status } = outcome;
  return (
    isAsDeclared(outcome) ||
    status === "yielded" ||
    status === "unverified" ||
    (status === "unknown" && isReplaced(outcome, change))
  );
}

/** A replace that is not applied may still have the old object. */
function isReplaced({ action, id }: Outcome, { work }: Change): boolean {
  return action === "replace" && id !== work?.live?.id;
}

/** Whether another object has taken the place of the pinned one. One that exists and is only in part as declared is one. */
function isOutdated({ input }: PlannedRun, outcome: Outcome, change: Change): boolean {
  const { resource, live } = change.work ?? {};
  if (resource?.pin === undefined || change.action === "restore") return false;
  if (change.action === "replace") return isReplaced(outcome, change);
  const isFound = live !== undefined && hasPin(live, resource.pin);
  return !isFound && input.options.recreate?.includes(resource.address) === true;
}

/** The value of another pin than the id, which no outcome has. */
async function readPin(
  { input, world }: PlannedRun,
  { kind, scope }: Resource,
  field: string,
  id: string,
): Promise<string | undefined> {
  const path = knownPathAt(world.scopes, scope);
  if (path === undefined) return undefined;
  const live = await readObject(input.client, { kind, scope, id }, path).catch(() => undefined);
  return live?.pins[field];
}

function unwrittenPin(manual: ManualEdit<Resource>): Diagnostic {
  const { edit, reason, reference = "" } = manual;
  const { source, path, value } = edit;
  if (path !== "") {
    // The others that refer to it by an anchor still need the anchor.
    const anchor = reference.startsWith("&") ? `${reference} ` : "";
    return outdatedPin(source, `${path.slice(1)}: ${anchor}${JSON.stringify(value)}`, reason);
  }
  const [[field, id] = []] = Object.entries(value as ValueObject);
  const alias = aliasOf(manual);
  const message = `the new object is not pinned: ${reason}`;
  const hint =
    alias === undefined
      ? `Add this at ${formatPosition(edit)}: ${linesToAdd({ edit }).trim()}`
      : `Write this at ${formatPosition(edit)}: ${JSON.stringify(source.name)}: { <<: ${alias}, ${field}: ${JSON.stringify(id)} }`;
  return warningAt(source, { code: "not_pinned", message, hint });
}

function outdatedPin(resource: Resource, line: string, reason: string): Diagnostic {
  const { pin } = resource;
  const message = `the pin is still the old one: ${reason}`;
  const hint = `Write ${line} in the place of ${pin?.field ?? "id"}: ${pin?.value ?? ""}.`;
  return warningAt(resource, { code: "pin_not_written", message, hint });
}
