import type { Kind } from "../kinds/kind.ts";
import { isValueObject, type JsonObject, own, type Value, type ValueObject } from "../model/json/json.ts";
import type { FieldPath } from "./place.ts";

/** A declared value that the service has converted. */
export interface ConvertedPart {
  readonly keys: FieldPath;
  readonly declared: Value;
  /** What stands for it now; undefined if nothing does. */
  readonly value: Value | undefined;
}

/** The declared values as the service has converted them. The same ones if it has converted nothing. */
export function afterConversion({ comparison }: Kind, declared: ValueObject, live: JsonObject): ValueObject {
  return comparison?.asConverted?.(declared, live) ?? declared;
}

/** What has to be declared anew, because the service has converted it. */
export function convertedParts(kind: Kind, declared: ValueObject, live: JsonObject): readonly ConvertedPart[] {
  return changedParts(declared, afterConversion(kind, declared, live), []);
}

function changedParts(
  declared: ValueObject,
  converted: ValueObject,
  around: readonly string[],
): readonly ConvertedPart[] {
  return Object.entries(declared).flatMap(([key, before]): readonly ConvertedPart[] => {
    const keys = [...around, key] as unknown as FieldPath;
    const after = own(converted, key);
    if (before === after) return [];
    return isValueObject(before) && isValueObject(after)
      ? changedParts(before, after, keys)
      : [{ keys, declared: before, value: after }];
  });
}
