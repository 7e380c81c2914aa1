/** Makes edits of a change that can be accepted: where, what is declared, what is live. */
import { convertedParts } from "../../diff/conversion.ts";
import { liveAsDeclared } from "../../diff/body.ts";
import { compare } from "../../diff/compare.ts";
import { precedenceOf } from "../../diff/shown-as.ts";
import { comparisonRules } from "../../diff/comparison-rules.ts";
import { declarableFields, kindSchema, schemaAt } from "../../kinds/fields.ts";
import { nameAmong } from "../../kinds/reference-names.ts";
import { mapReferencesAt, referencesIn, refers } from "../../kinds/references.ts";
import { kinds } from "../../kinds/registry.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import { compareItems } from "../../model/json/canonical-json.ts";
import { undeclaredBeside, type Change, type FieldChange } from "../../model/change.ts";
import type { Diagnostic, Position } from "../../model/diagnostic.ts";
import { EXTRA_FIELDS } from "../../model/extra-fields.ts";
import {
  isJsonArray,
  isJsonObject,
  valueAt,
  type Json,
  type JsonObject,
  type ValueObject,
  own,
} from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import { isSensitive } from "../../model/secret-values.ts";
import { topField, pointer, pointerKeys } from "../../model/pointer.ts";
import type { Lifecycle } from "../../model/resource.ts";
import { declaredObjects } from "../../plan/references.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import type { AcceptEdit, FieldSource } from "./accept-edit.ts";
import { acceptedValue } from "./accepted-value.ts";
import { declaredValues } from "./declared-values.ts";
import { isGone, programRefusal, refusalOf, type RemovalPolicy } from "./refusals.ts";

/** Returns the edits that a change asks for, or the reason that nothing of it can be accepted. */
export function editsOf(run: PlannedRun, change: Change, remove: RemovalPolicy): readonly AcceptEdit[] | Diagnostic {
  const { address, work } = change;
  const moved = editOfMoved(change);
  if (moved !== undefined) return moved;
  const refusal = refusalOf(run, change, remove);
  if (refusal !== undefined || work?.resource === undefined) return refusal ?? [];
  const { position: at, lifecycle } = work.resource;
  if (isGone(change)) return [{ at, path: "", value: undefined, source: { type: "removal", address, change } }];
  const live = work.live?.values ?? {};
  const named = { ...change, fields: change.fields.map((field) => fieldWithNames(run, change, live, field)) };
  const order = [...kindSchema(change.kind)["x-pins"], ...declarableFields(change.kind), EXTRA_FIELDS];
  const edits = fieldEdits({ change: named, declared: declaredValues(run, change), live, lifecycle, at });
  return edits.map((edit) => ({ ...edit, order }));
}

/** A field with the names that the configuration has: a report also shows those of what nothing declares. */
function fieldWithNames(
  run: PlannedRun,
  { kind, work, references = [] }: Change,
  live: JsonObject,
  field: FieldChange,
): FieldChange {
  const keys = pointerKeys(field.path);
  const value = valueAt(live, keys) as Json | undefined;
  if (!refers(kind) || work === null || value === undefined) return field;
  const { world, input, planned } = run;
  const context = { graph: input.config.graph, world, planned };
  const written = new Map(references.map(({ id, name }) => [id, name]));
  const prior = mapReferencesAt(
    kind,
    keys,
    value,
    (one) => written.get(one.text) ?? nameAmong(one, declaredObjects(context, work.scope, one.to)),
  );
  if (referencesIn(kind, { [topField(field.path)]: value }).length === 0) return field;
  const isSet = schemaAt(kind, live, keys)?.["x-unordered"] === true && isJsonArray(prior);
  return { ...field, prior: isSet ? prior.toSorted(compareItems) : prior };
}

/** Replaces the address of a person who has another one now: the key of the resource, or the field. */
function editOfMoved(change: Change): readonly AcceptEdit[] | Diagnostic | undefined {
  const { address, work } = change;
  const { resource, moved } = work ?? {};
  if (resource === undefined || moved === undefined) return undefined;
  const refusal = programRefusal(change, resource);
  if (refusal !== undefined) return refusal;
  const source = { type: "moved" as const, address, change, member: moved.address };
  const [field] = kinds[change.kind].identity.keyFields;
  const common = { at: resource.position, source };
  return [
    field === undefined
      ? { ...common, path: "", value: undefined, key: moved.email }
      : { ...common, path: pointer(field), declared: resource.values[field], value: moved.email },
  ];
}

/** A change of fields, with both sides of it, and where its resource stands. */
interface FieldContext {
  readonly change: Change;
  readonly declared: ValueObject;
  readonly live: JsonObject;
  readonly lifecycle: Lifecycle;
  readonly at: Position;
}

/** Edits for what the service has converted, for the fields that differ, and for one that takes the place of another. */
function fieldEdits(context: FieldContext): readonly AcceptEdit[] {
  const exchange = exchangeOf(context);
  const exchanged = exchange?.fields ?? [];
  const fields = differingFields(context).filter(({ path }) => !exchanged.includes(topField(path)));
  const edits = [...fields, ...besideConverted(context)].map((field) => editOf(field, context));
  return [...conversionEdits(context), ...edits, ...(exchange === undefined ? [] : [exchange.edit])];
}

function sourceOf(change: Change, field: Pick<FieldSource, "path" | "live" | "accepted">): FieldSource {
  return { type: "field", address: change.address, change, ...field };
}

function differingFields({ change, declared, live, lifecycle }: FieldContext): readonly FieldChange[] {
  const differences = compare(kinds[change.kind], declared, live, lifecycle);
  const paths = new Set(differences.map(({ keys }) => pointer(...keys)));
  // A secret that the service does not return is only sent along with another field, which differs itself.
  const isOnlySent = ({ path, prior, planned }: FieldChange): boolean =>
    !paths.has(path) && (isSensitive(prior) || isSensitive(planned));
  // The new object of a replace would get its own.
  const isSetAnew = ({ path, planned }: FieldChange): boolean => planned === null && isSetByService(change, path);
  return change.fields.filter((field) => !isOnlySent(field) && !isSetAnew(field));
}

function editOf(field: FieldChange, context: FieldContext): AcceptEdit {
  const { change, declared, lifecycle, at } = context;
  const { kind } = change;
  const { path, prior } = field;
  const keys = pointerKeys(path);
  const [top = ""] = keys;
  const known = valueAt(declared, keys);
  const rules = comparisonRules(kinds[kind], lifecycle);
  const value = isAbsent(field, context) ? undefined : acceptedValue(kind, field, known, rules);
  // A default is among the values of a resource, but not in its file.
  const isDefault = keys.length === 1 && known === own(kindSchema(kind).properties, top)?.default;
  // A number is checked as the service sends it, although the file gets the name of a level.
  const checked = typeof prior === "number" ? prior : value;
  const source = sourceOf(change, { path, live: prior, accepted: { path, value: checked } });
  const pathInFile = isUnknownField(kind, top) ? pointer(EXTRA_FIELDS) + path : path;
  return { at, path: pathInFile, declared: isDefault ? undefined : known, value, source };
}

/** The undeclared keys of what the service has converted: its new form may need them, as a destination needs its integration. */
function besideConverted({ change, declared, live }: FieldContext): readonly FieldChange[] {
  const converted = new Set(convertedParts(kinds[change.kind], declared, live).map(({ keys: [field] }) => field));
  return undeclaredBeside(change)
    .filter((path) => converted.has(topField(path)))
    .map((path) => ({ path, prior: valueAt(live, pointerKeys(path)) as Json, planned: null }));
}

/** Declares what the service has converted as it is now. */
function conversionEdits({ change, declared: values, live, at }: FieldContext): readonly AcceptEdit[] {
  const parts = convertedParts(kinds[change.kind], values, live);
  return parts.map(({ keys, declared, value }): AcceptEdit => {
    const path = pointer(...keys);
    const converted = value as Json | undefined;
    const source = sourceOf(change, { path, live: converted ?? null, accepted: { path, value: converted } });
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
function exchangeOf({ change, declared, live, lifecycle, at }: FieldContext): Exchange | undefined {
  const kind = kinds[change.kind];
  const { of, over } = precedenceOf(kind, declared, live) ?? {};
  if (of === undefined || over === undefined) return undefined;
  const field = change.fields.find(({ path }) => path === pointer(of));
  if (field === undefined) return undefined;
  const value = acceptedValue(change.kind, field, undefined, comparisonRules(kind, lifecycle));
  const fields = [over, of];
  const before = filterKeys(declared, (name) => fields.includes(name));
  const accepted = { path: field.path, value };
  const source = sourceOf(change, { path: pointer(over), live: field.prior, accepted });
  return { fields, edit: { at, path: "", declared: before, value: { [of]: value }, source } };
}

function isSetByService({ kind }: Change, path: string): boolean {
  return kinds[kind].comparison?.setByService?.includes(topField(path)) === true;
}

/** Whether a live object lacks a declared key inside of a field. A known field as a whole is always there: null clears it. */
function isAbsent({ path, prior }: FieldChange, { change: { kind, work }, declared, live }: FieldContext): boolean {
  const keys = pointerKeys(path);
  const last = keys.pop() ?? "";
  const isKnownField = keys.length === 0 && !isUnknownField(kind, last);
  if (prior !== null || work?.live === undefined || isKnownField) return false;
  const declaredForm = liveAsDeclared(kinds[kind], declared, live);
  const around = valueAt(declaredForm, keys) as Json;
  return isJsonObject(around) && !Object.hasOwn(around, last);
}
