import { secretNames } from "../../config/expressions/expression.ts";
import { isValueObject, pointer, Secret, type Value } from "../../model/json.ts";
import type { ImportCandidate } from "./find.ts";

/** A secret that an imported resource refers to. */
export interface NeededSecret {
  /** Name of the environment variable. */
  readonly name: string;
  readonly address: string;
  /** JSON Pointer of the field. */
  readonly path: string;
}

/** The secrets that the resources refer to, in their order. */
export function secretsOf(candidates: readonly ImportCandidate[]): readonly NeededSecret[] {
  return candidates.flatMap(({ address, fields }) => secretsIn(fields, address, []));
}

function secretsIn(value: Value, address: string, keys: readonly string[]): readonly NeededSecret[] {
  if (value instanceof Secret)
    return secretNames(value.expression).map((name) => ({ name, address, path: pointer(...keys) }));
  if (Array.isArray(value))
    return value.flatMap((item: Value, index) => secretsIn(item, address, [...keys, String(index)]));
  if (!isValueObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretsIn(item, address, [...keys, key]));
}
