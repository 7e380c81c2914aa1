import { invalidFields } from "../../export/invalid-fields.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { groupBy } from "../../model/group-by.ts";
import { withValueAt, type ValueObject } from "../../model/json/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import { pointerKeys, topField } from "../../model/pointer.ts";
import type { Resource } from "../../model/resource.ts";
import type { AcceptEdit, FieldEdit } from "./accept-edit.ts";

type Refused = readonly (readonly [AcceptEdit, string])[];

/**
 * The edits that would make the configuration invalid, with the reasons.
 *
 * All edits of a change are checked together before each one alone, because some belong together: a destination's type and its
 * settings.
 *
 * @param resources everything that is declared: no two of them may have one natural key
 */
export function refusedByConfig(
  edits: readonly AcceptEdit[],
  resources: readonly Resource[],
): ReadonlyMap<AcceptEdit, string> {
  const changes = groupBy(edits.filter(isOfField), ({ source }) => source.change);
  const accepted = new Map(
    [...changes].map(([change, own]) => [change.address, own.reduce(withEdit, desiredValues(change))]),
  );
  return new Map([
    ...[...changes].flatMap(([change, own]) => refusedOf(change, own)),
    ...[...changes.values()].flat().flatMap((edit) => takenKey(edit, resources, accepted)),
  ]);
}

function isOfField(edit: AcceptEdit): edit is FieldEdit {
  return edit.source.type === "field";
}

function desiredValues({ work }: Change): ValueObject {
  return work?.resource?.values ?? {};
}

function refusedOf(change: Change, edits: readonly FieldEdit[]): Refused {
  const declared = desiredValues(change);
  const problemsAfter = (...some: readonly FieldEdit[]): ReadonlyMap<string, string> =>
    problemsIn(change.kind, some.reduce(withEdit, declared));
  const before = problemsAfter();
  return [...problemsAfter(...edits)].flatMap(([field, reason]) => {
    const ofField = edits.filter(({ source }) => topField(source.accepted.path) === field);
    if (ofField.length === 0 && before.has(field)) return [];
    const concerned = ofField.length === 0 ? edits : ofField;
    const refusedAlone = concerned.filter((edit) => problemsAfter(edit).has(field));
    const causes = refusedAlone.length === 0 ? concerned : refusedAlone;
    return causes.map((edit) => [edit, `the configuration would refuse it (${reason})`] as const);
  });
}

/** What the configuration does not accept, by field. */
function problemsIn(kind: KindName, values: ValueObject): ReadonlyMap<string, string> {
  const problems = kinds[kind].problems?.(values) ?? [];
  return new Map([
    ...problems.map(({ keys: [field], message }) => [String(field), message] as const),
    ...invalidFields(kind, values),
  ]);
}

/** @param accepted the values of the resources with edits, after them, by address */
function takenKey(
  edit: FieldEdit,
  resources: readonly Resource[],
  accepted: ReadonlyMap<string, ValueObject>,
): Refused {
  const { source } = edit;
  const resource = source.change.work?.resource;
  const { identity } = kinds[source.change.kind];
  if (resource === undefined || !identity.keyFields.includes(topField(source.accepted.path))) return [];
  const keyIn = ({ address, name, values }: Resource): string | undefined =>
    identity.declaredKeys(accepted.get(address) ?? values, name)[0];
  const key = keyIn(resource);
  if (key === undefined) return [];
  const other = resources.find(
    (one) =>
      one.address !== resource.address &&
      one.scope === resource.scope &&
      kinds[one.kind].identity.idSpace === identity.idSpace &&
      (one.pin === undefined || resource.pin === undefined) &&
      keyIn(one) === key,
  );
  return other === undefined ? [] : [[edit, `${other.address} has this name as well`]];
}

function withEdit(values: ValueObject, { source: { accepted } }: FieldEdit): ValueObject {
  return withValueAt(values, pointerKeys(accepted.path), accepted.value) as ValueObject;
}
