import { secretNames } from "../../config/expressions/expression.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { leavesOf, Secret } from "../../model/json/json.ts";
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

/** A warning for each new name of a secret that the environment has already, because its value may be meant for something else. */
export function alreadySet(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): readonly Diagnostic[] {
  const set = [...new Set(names)].filter((name) => (env[name] ?? "") !== "");
  return set.map((name) => ({
    severity: "warning",
    code: "variable_set",
    message: `the new \${secret:${name}} reads an environment variable that is set already`,
    hint: "If its value is not meant for this, write another name into the file.",
  }));
}
