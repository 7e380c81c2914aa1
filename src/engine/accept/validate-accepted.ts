import { invalidFields } from "../../export/invalid-fields.ts";
import type { Change } from "../../model/change.ts";
import { withValueAt, type ValueObject } from "../../model/json.ts";
import { pointerKeys, topField } from "../../model/pointer.ts";
import type { AcceptEdit, FieldEdit } from "./accept-edit.ts";

/**
 * The edits that would make the configuration invalid, with the reasons.
 *
 * All edits of a change are checked together before each one alone, because some belong together: a destination's type and its
 * settings.
 */
export function refusedByConfig(edits: readonly AcceptEdit[]): ReadonlyMap<AcceptEdit, string> {
  const ofFields = edits.filter(isOfField);
  const changes = [...new Set(ofFields.map(({ source }) => source.change))];
  const refused = changes.flatMap((change) =>
    refusedOf(
      change,
      ofFields.filter(({ source }) => source.change === change),
    ),
  );
  return new Map(refused);
}

function isOfField(edit: AcceptEdit): edit is FieldEdit {
  return edit.source.type === "field";
}

function refusedOf({ kind, work }: Change, edits: readonly FieldEdit[]): readonly (readonly [AcceptEdit, string])[] {
  const declared = work?.resource?.values ?? {};
  const together = invalidFields(kind, edits.reduce(withEdit, declared));
  return edits.flatMap((edit) => {
    const top = topField(edit.source.accepted.path);
    const reason = together.get(top);
    if (reason === undefined) return [];
    const refusedAlone = edits.filter(
      (other) =>
        topField(other.source.accepted.path) === top && invalidFields(kind, withEdit(declared, other)).has(top),
    );
    const isCause = refusedAlone.length === 0 || refusedAlone.includes(edit);
    return isCause ? [[edit, `the configuration would refuse it (${reason})`] as const] : [];
  });
}

function withEdit(values: ValueObject, { source: { accepted } }: FieldEdit): ValueObject {
  return withValueAt(values, pointerKeys(accepted.path), accepted.value) as ValueObject;
}
