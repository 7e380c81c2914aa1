/** Makes edits of a change that can be accepted: where, what is declared, what is live. */
import { convertedParts } from "../../diff/conversion.ts";
import { compare } from "../../diff/compare.ts";
import { comparisonRules } from "../../diff/comparison-rules.ts";
import { kindSchema } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import type { Diagnostic, Position } from "../../model/diagnostic.ts";
import { EXTRA_FIELDS } from "../../model/extra-fields.ts";
import { isJsonObject, valueAt, type Json, type ValueObject } from "../../model/json.ts";
import { isSensitive } from "../../model/secret-values.ts";
import { topField, pointer, pointerKeys } from "../../model/pointer.ts";
import type { Lifecycle } from "../../model/resource.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import type { AcceptEdit, FieldSource } from "./accept-edit.ts";
import { acceptedValue } from "./accepted-value.ts";
import { declaredValues } from "./declared-values.ts";
import { isGone, refusalOf, type RemovalPolicy } from "./refusals.ts";
import { undeclaredFields } from "./undeclared-fields.ts";

/** Returns the edits that a change asks for, or the reason that nothing of it can be accepted. */
export function editsOf(run: PlannedRun, change: Change, remove: RemovalPolicy): readonly AcceptEdit[] | Diagnostic {
  const { address, work } = change;
  const refusal = refusalOf(run, change, remove);
  if (refusal !== undefined || work?.resource === undefined) return refusal ?? [];
  const { position: at, lifecycle } = work.resource;
  if (isGone(change)) return [{ at, path: "", value: undefined, source: { type: "removal", address, change } }];
  return fieldEdits(change, { at, lifecycle, declared: declaredValues(run, change) });
}

/** What the fields of a change are compared with, and where its resource stands. */
interface FieldContext {
  readonly declared: ValueObject;
  readonly lifecycle: Lifecycle;
  readonly at: Position;
}

function fieldEdits(change: Change, context: FieldContext): readonly AcceptEdit[] {
  const exchange = exchangeOf(change, context);
  const shown = differingFields(change, context).filter(
    ({ path }) => exchange?.fields.includes(topField(path)) !== true,
  );
  const edits = [...shown, ...undeclaredFields(change)].map((field) => editOf(change, field, context));
  return [...conversionEdits(change, context), ...edits, ...(exchange === undefined ? [] : [exchange.edit])];
}

function sourceOf(change: Change, field: Pick<FieldSource, "path" | "live" | "accepted">): FieldSource {
  return { type: "field", address: change.address, change, ...field };
}

/** The fields of a change that differ from the configuration. */
function differingFields(change: Change, { declared, lifecycle }: FieldContext): readonly FieldChange[] {
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

function editOf(change: Change, field: FieldChange, { declared, lifecycle, at }: FieldContext): AcceptEdit {
  const { kind } = change;
  const keys = pointerKeys(field.path);
  const known = valueAt(declared, keys);
  const rules = comparisonRules(kinds[kind], lifecycle);
  const value = isAbsent(change, declared, field) ? undefined : acceptedValue(kind, field, known, rules);
  // A default is among the values of a resource, but not in its file.
  const isDefault = keys.length === 1 && known === kindSchema(kind).properties[keys[0] ?? ""]?.default;
  // A number is checked as the service sends it, although the file gets the name of a level.
  const checked = typeof field.prior === "number" ? field.prior : value;
  const path = isUnknownField(kind, keys[0] ?? "") ? `${pointer(EXTRA_FIELDS)}${field.path}` : field.path;
  const accepted = { path: field.path, value: checked };
  const source = sourceOf(change, { path: field.path, live: field.prior, accepted });
  return { at, path, declared: isDefault ? undefined : known, value, source };
}

/** Declares what the service has converted as it is now. */
function conversionEdits(change: Change, { declared: values, at }: FieldContext): readonly AcceptEdit[] {
  const { kind, work } = change;
  return convertedParts(kinds[kind], values, work?.live?.values ?? {}).map(({ keys, declared, value }): AcceptEdit => {
    const path = pointer(...keys);
    const live = (value ?? null) as Json;
    const source = sourceOf(change, { path, live, accepted: { path, value: live } });
    return { at, path, declared, value, source };
  });
}

/** An edit that declares another field in the place of the declared one. */
interface Exchange {
  readonly edit: AcceptEdit;
  /** The field that is declared, and the one that takes its place. */
  readonly fields: readonly string[];
}

/** If an undeclared live field overrides a declared one, declares that field instead. It is one edit, so that never both are declared. */
function exchangeOf(change: Change, { declared, lifecycle, at }: FieldContext): Exchange | undefined {
  const notation = kinds[change.kind].comparison.toDeclaredNotation?.(declared, change.work?.live?.values ?? {});
  const { of, over } = notation?.precedence ?? {};
  const shown = change.fields.find(({ path }) => of !== undefined && path === pointer(of));
  if (of === undefined || over === undefined || shown === undefined) return undefined;
  const rules = comparisonRules(kinds[change.kind], lifecycle);
  const value = acceptedValue(change.kind, shown, undefined, rules);
  const fields = [over, of];
  const before = Object.fromEntries(Object.entries(declared).filter(([field]) => fields.includes(field)));
  const accepted = { path: shown.path, value };
  const source = sourceOf(change, { path: pointer(over), live: shown.prior, accepted });
  return { fields, edit: { at, path: "", declared: before, value: { [of]: value }, source } };
}

function isSetByService({ kind }: Change, path: string): boolean {
  return kinds[kind].comparison.setByService?.includes(topField(path)) === true;
}

/** Whether a live object lacks a declared key inside of a field. A known field as a whole is always there: null clears it. */
function isAbsent({ kind, work }: Change, declared: ValueObject, { path, prior }: FieldChange): boolean {
  const keys = pointerKeys(path);
  const last = keys.pop() ?? "";
  const live = work?.live?.values;
  if (prior !== null || live === undefined || (keys.length === 0 && !isUnknownField(kind, last))) return false;
  const shown: Json = kinds[kind].comparison.toDeclaredNotation?.(declared, live)?.values ?? live;
  const holder = valueAt(shown, keys);
  return isJsonObject(holder as Json) && !Object.hasOwn(holder as ValueObject, last);
}
