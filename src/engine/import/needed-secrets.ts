import { secretNames } from "../../config/expressions/expression.ts";
import { leavesOf, Secret } from "../../model/json.ts";
import { pointer } from "../../model/pointer.ts";
import type { ImportCandidate } from "./candidates.ts";

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
  return candidates.flatMap(({ address, fields }) =>
    leavesOf(fields).flatMap(({ keys, value }) =>
      value instanceof Secret
        ? secretNames(value.expression).map((name) => ({ name, address, path: pointer(...keys) }))
        : [],
    ),
  );
}
