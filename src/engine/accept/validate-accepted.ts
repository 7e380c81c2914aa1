import { invalidFields } from "../../export/invalid-fields.ts";
import { withValueAt, type Json, type ValueObject } from "../../model/json.ts";
import { pointerKeys, topField } from "../../model/pointer.ts";
import type { KindName } from "../../model/kind-name.ts";

/** A live value that is to be written into the configuration, at a JSON Pointer into a resource. */
export interface LiveValueToWrite {
  readonly path: string;
  /** Undefined if the key is removed. */
  readonly value: Json | undefined;
}

/**
 * Returns, for each value, why the configuration would refuse it in place of the declared one; undefined if it would accept it.
 *
 * All values are checked together before each one alone, because some belong together: a destination's type and its
 * settings.
 */
export function validateAccepted(
  kind: KindName,
  declared: ValueObject,
  all: readonly LiveValueToWrite[],
): readonly (string | undefined)[] {
  const together = invalidFields(kind, all.reduce<ValueObject>(withValue, declared));
  return all.map((one) => {
    const top = topField(one.path);
    const reason = together.get(top);
    if (reason === undefined) return undefined;
    const refusedAlone = all.filter(
      (other) => topField(other.path) === top && invalidFields(kind, withValue(declared, other)).has(top),
    );
    return refusedAlone.length === 0 || refusedAlone.includes(one)
      ? `the configuration would refuse it (${reason})`
      : undefined;
  });
}

function withValue(values: ValueObject, { path, value }: LiveValueToWrite): ValueObject {
  return withValueAt(values, pointerKeys(path), value) as ValueObject;
}
