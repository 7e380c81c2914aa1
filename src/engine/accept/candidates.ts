/** Makes edits of the fields of a change that can be accepted: where, what is declared, what is live. Or it says why that cannot be. */
import { command, type Hint } from "../../model/command.ts";
import type { Edit, EditSource } from "../../edit/edit.ts";
import { isProgram } from "../../config/source/files.ts";
import { convertedParts } from "../../diff/conversion.ts";
import { compare } from "../../diff/compare.ts";
import { type ComparisonRules, comparisonRules } from "../../diff/comparison-rules.ts";
import { undeclaredKeys } from "../../diff/undeclared-keys.ts";
import { kindSchema } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import type { Diagnostic, Position } from "../../model/diagnostic.ts";
import { EXTRA_FIELDS } from "../../model/extra-fields.ts";
import {
  topField,
  isJsonObject,
  isSensitive,
  pointer,
  pointerKeys,
  valueAt,
  type Json,
  type ValueObject,
} from "../../model/json.ts";
import type { Lifecycle, Resource } from "../../model/resource.ts";
import type { PlannedRun } from "../plan/plan.ts";
import { notAccepted } from "./not-accepted.ts";
import { acceptedValue } from "./accepted-value.ts";
import { undeclaredFields } from "./undeclared-fields.ts";
import type { LiveValueToWrite } from "./validate-accepted.ts";

/** An edit of a file that makes it say what is live. */
export type AcceptEdit = Edit<AcceptSource>;

/** What is accepted. */
export interface AcceptSource extends EditSource {
  readonly change: Change;
  /** The field that it writes. Undefined if it is about the declaration as a whole. */
  readonly field: FieldChange | undefined;
  /** The address of a declaration that it adds. Without it and a field, it removes one. */
  readonly added?: string | undefined;
  /** The value that the configuration has to accept. Undefined if it writes none of the service. */
  readonly accepted?: LiveValueToWrite;
}

/**
 * Which declarations of objects that do not exist are removed. An id shows that there was an object; without one it may just not
 * have been created yet, so a person has to say that it is gone.
 */
export type RemovalPolicy = "none" | "pinned" | "all";

/** Returns the edits that a change asks for, or the reason that nothing of it can be accepted. */
export function candidatesOf(
  run: PlannedRun,
  change: Change,
  remove: RemovalPolicy,
): readonly AcceptEdit[] | Diagnostic {
  const resource = change.work?.resource;
  if (resource === undefined)
    return mayBeRenamed(change, run)
      ? notAccepted(change, "it may be declared under another name", "Settle that first, as the report says.")
      : notAccepted(change, "nothing declares it", undeclaredHint(change));
  const { position, lifecycle } = resource;
  const { file = "its file", line, column } = position;
  const isGone = change.action === "create" || change.action === "restore";
  if (isGone && remove === "none") return notAccepted(change, GONE, removeOrCreate("Remove its declaration", change));
  if (isGone && remove === "pinned" && !provesItsAbsence(resource))
    return notAccepted(
      change,
      "it does not exist on the service, and without an id nothing shows whether it ever did",
      { hint: "If it was deleted:", command: command("drift", { accept: true, yes: true }, change.address) },
    );
  const refusal = isGone ? removalRefusal(run, change) : isConverted(run, change) ? undefined : editRefusal(change);
  if (refusal !== undefined) return refusal;
  if (line === undefined || column === undefined || isProgram(file)) {
    const hint = isGone
      ? removeOrCreate("Remove the declaration from it yourself", change)
      : "Write the live values into it yourself.";
    return notAccepted(change, `${isGone ? `${GONE}, and ` : ""}${file} is a program`, hint);
  }
  const { address } = change;
  if (isGone) return [{ at: position, path: "", value: undefined, source: { address, change, field: undefined } }];
  return fieldEdits(run, change, lifecycle, position);
}

/** Whether a pin shows that there was an object, and that it is deleted and not just hidden: only an `id` can be read. */
function provesItsAbsence({ kind, pin }: Resource): boolean {
  return pin !== undefined && (pin.field === "id" || kinds[kind].lists.mayBeHidden !== true);
}

/** The edits of a change of fields, at the position of its resource. */
function fieldEdits(run: PlannedRun, change: Change, lifecycle: Lifecycle, at: Position): readonly AcceptEdit[] {
  const { address, kind } = change;
  const declared = declaredValues(run, change);
  const rules = comparisonRules(kinds[kind], lifecycle);
  const exchange = exchangeOf(change, declared, rules);
  const shown = acceptedFields(change, declared, lifecycle).filter(
    ({ path }) => exchange?.fields.includes(topField(path)) !== true,
  );
  const edits = [...shown, ...undeclaredFields(change)].map((field) => editOf(change, field, { declared, rules, at }));
  const exchanged = exchange && {
    at,
    path: "",
    ...exchange.edit,
    source: { address, change, field: exchange.field, accepted: exchange.accepted },
  };
  return [...conversionEdits(change, declared, at), ...edits, ...(exchanged === undefined ? [] : [exchanged])];
}

/** What the configuration itself declares. The plan of a replace adds live values to it. */
function declaredValues({ input }: PlannedRun, { address }: Change): ValueObject {
  return input.config.graph.resources.find((one) => one.address === address)?.values ?? {};
}

/** The fields of a change that differ from the configuration. */
function acceptedFields(change: Change, declared: ValueObject, lifecycle: Lifecycle): readonly FieldChange[] {
  const differing = compare(kinds[change.kind], declared, change.work?.live?.values ?? {}, lifecycle);
  const paths = new Set(differing.map(({ keys }) => pointer(...keys)));
  return (
    change.fields
      // A secret that the service does not return is only sent along with another field, which differs itself.
      .filter(({ path, prior, planned }) => paths.has(path) || !(isSensitive(prior) || isSensitive(planned)))
      // The new object of a replace would get its own.
      .filter(({ path, planned }) => planned !== null || !isSetByService(change, path))
  );
}

/** What a field is compared with, and where its resource stands. */
interface FieldContext {
  readonly declared: ValueObject;
  readonly rules: ComparisonRules;
  readonly at: Position;
}

function editOf(change: Change, field: FieldChange, { declared, rules, at }: FieldContext): AcceptEdit {
  const { address, kind } = change;
  const keys = pointerKeys(field.path);
  const known = valueAt(declared, keys);
  const value = isAbsent(change, declared, field) ? undefined : acceptedValue(kind, field, known, rules);
  // A default is among the values of a resource, but not in its file.
  const isDefault = keys.length === 1 && known === kindSchema(kind).properties[keys[0] ?? ""]?.default;
  // A number is checked as the service sends it, although the file gets the name of a level.
  const checked = typeof field.prior === "number" ? field.prior : value;
  const path = isUnknownField(kind, keys[0] ?? "") ? `${pointer(EXTRA_FIELDS)}${field.path}` : field.path;
  const source = { address, change, field, accepted: { path: field.path, value: checked } };
  return { at, path, declared: isDefault ? undefined : known, value, source };
}

/** Declares what the service has converted as it is now. */
function conversionEdits(change: Change, values: ValueObject, at: Position): readonly AcceptEdit[] {
  const { address, kind, work } = change;
  return convertedParts(kinds[kind], values, work?.live?.values ?? {}).map(({ keys, declared, value }): AcceptEdit => {
    const path = pointer(...keys);
    const prior = (value ?? null) as Json;
    const field: FieldChange = { path, prior, planned: null };
    return { at, path, declared, value, source: { address, change, field, accepted: { path, value: prior } } };
  });
}

/** Whether the service has converted what a change is about. */
export function isConverted(run: PlannedRun, change: Change): boolean {
  const { kind, work } = change;
  if (kinds[kind].comparison?.asConverted === undefined) return false;
  return convertedParts(kinds[kind], declaredValues(run, change), work?.live?.values ?? {}).length > 0;
}

interface Exchange extends Required<Pick<AcceptSource, "accepted">> {
  readonly field: FieldChange;
  readonly edit: Pick<Edit, "declared" | "value">;
  /** The field that is declared, and the one that takes its place. */
  readonly fields: readonly string[];
}

/** If an undeclared live field overrides a declared one, declares that field instead. It is one edit, so that never both are declared. */
function exchangeOf(change: Change, declared: ValueObject, rules: ComparisonRules): Exchange | undefined {
  const notation = kinds[change.kind].comparison?.toDeclaredNotation?.(declared, change.work?.live?.values ?? {});
  const { of, over } = notation?.precedence ?? {};
  const shown = change.fields.find(({ path }) => of !== undefined && path === pointer(of));
  if (of === undefined || over === undefined || shown === undefined) return undefined;
  const value = acceptedValue(change.kind, shown, undefined, rules);
  const fields = [over, of];
  const before = Object.fromEntries(Object.entries(declared).filter(([field]) => fields.includes(field)));
  return {
    fields,
    field: { path: pointer(over), prior: shown.prior, planned: (before[over] ?? null) as Json },
    accepted: { path: shown.path, value },
    edit: { declared: before, value: { [of]: value } },
  };
}

/** Whether a change is about an object that nothing declares: its kind is exclusive. */
export function isUndeclared({ work }: Change): boolean {
  return work !== null && work.resource === undefined;
}

/** Whether an undeclared object may be one that is declared under its former name. An import would have that one made again. */
export function mayBeRenamed({ kind, work }: Change, { plan }: PlannedRun): boolean {
  return plan.changes.some(
    (one) => one.blocked?.rule === "forgotten_rename" && one.kind === kind && one.work?.scope === work?.scope,
  );
}

const GONE = "it no longer exists on the service";

/** What to do about an undeclared object of an exclusive kind. */
export function undeclaredHint({ address }: Change): Hint {
  return { hint: "An apply that prunes deletes it. To declare it:", command: command("import", {}, address) };
}

/**
 * The advice to remove a declaration, or to have the object again. An apply alone does not create a pinned one.
 *
 * @param remove how to remove it, without a full stop
 */
export function removeOrCreate(remove: string, { address, action, blocked, kind }: Change): Hint {
  if (action === "restore") return { hint: `${remove}, or restore it:`, command: command("apply") };
  if (blocked?.rule === "not_there") return `${remove}. ${kinds[kind].hints?.notCreatedHint ?? ""}`.trim();
  const options = blocked?.rule === "pin_missing" ? { recreate: address } : {};
  return { hint: `${remove}, or create it again:`, command: command("apply", options) };
}

/** Why the declaration of an object that is gone is not removed; undefined if it can be. */
function removalRefusal({ input, snapshot }: PlannedRun, change: Change): Diagnostic | undefined {
  const { address, blocked, work } = change;
  const { resources, projects } = input.config.graph;
  if (blocked?.rule === "forgotten_rename")
    return notAccepted(change, "it may have another name now", `Declare ${blocked.remedy}.`);
  if (work?.resource?.lifecycle.protect === true)
    return notAccepted(
      change,
      `${GONE}, but it is protected`,
      removeOrCreate("Remove its declaration yourself", change),
    );
  const holdsOthers = [
    ...resources.map(({ scope }) => scope),
    ...projects.map(({ organization }) => organization),
  ].includes(address);
  if (holdsOthers || snapshot.scopes.get(work?.scope ?? "")?.status === "absent") {
    const what = holdsOthers
      ? `${GONE}, and other declarations are in it`
      : "its organization does not exist on the service";
    return notAccepted(change, what, "Remove the declaration of the organization yourself, or create it with apply.");
  }
  return undefined;
}

function editRefusal(change: Change): Diagnostic | undefined {
  if (undeclaredKeys(change).length > 0) return undefined;
  if (change.action !== "update" && change.action !== "replace")
    return notAccepted(change, change.reason, "Change its declaration, or apply.");
  // An expired object differs in nothing that could be written into a file.
  if (change.fields.length > 0) return undefined;
  return notAccepted(change, change.reason, "Change its lifecycle as the report says, and apply.");
}

function isSetByService({ kind }: Change, path: string): boolean {
  return kinds[kind].comparison?.setByService?.includes(topField(path)) === true;
}

/** Whether a live object lacks a declared key inside of a field. A known field as a whole is always there: null clears it. */
function isAbsent({ kind, work }: Change, declared: ValueObject, { path, prior }: FieldChange): boolean {
  const keys = pointerKeys(path);
  const last = keys.pop() ?? "";
  const live = work?.live?.values;
  if (prior !== null || live === undefined || (keys.length === 0 && !isUnknownField(kind, last))) return false;
  const shown: Json = kinds[kind].comparison?.toDeclaredNotation?.(declared, live)?.values ?? live;
  const holder = valueAt(shown, keys);
  return isJsonObject(holder as Json) && !Object.hasOwn(holder as ValueObject, last);
}
