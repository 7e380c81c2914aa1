/**
 * How much of a live object is compared.
 *
 * Terms: a field is compared whole if a live key inside it that is not declared is a difference. Otherwise it is compared
 * in part: such a key is only noted.
 * Premise: other people own what `lifecycle.ignore` names, at any depth. A null counts as a missing key. The version
 * inside a query does not count.
 */
import type { Kind } from "../kinds/kind.ts";
import { isWhole } from "../kinds/nodes.ts";
import type { Json } from "../model/json/json.ts";
import { isNamedBy, pointer } from "../model/pointer.ts";
import type { FieldPath } from "./place.ts";
import { isServiceVersion, policiesAt } from "./equal.ts";

/** The parts of a lifecycle that limit what is compared. */
export interface RuleOptions {
  /** Fields, or JSON Pointers in which `*` stands for any one key, that are managed elsewhere. */
  readonly ignore?: readonly string[] | undefined;
  /** Fields that are compared in part: those that their kind compares whole, and lists without order. */
  readonly partial?: readonly string[] | undefined;
}

/** What a live key counts as if it is not declared; undefined if it does not count. */
export type UndeclaredKey = "difference" | "noted" | undefined;

export interface ComparisonRules {
  /** Whether the value at a path is managed elsewhere. */
  readonly isIgnored: (keys: readonly string[]) => boolean;
  /** Whether others may add elements to a list without order. */
  readonly isPartial: (keys: FieldPath) => boolean;
  /** What a live value counts as if its key is not declared. */
  readonly ofUndeclared: (keys: FieldPath, live: Json) => UndeclaredKey;
}

export function comparisonRules(kind: Kind, { ignore = [], partial = [] }: RuleOptions): ComparisonRules {
  const isIgnored = (keys: readonly string[]): boolean => isNamedBy(ignore, keys);
  const isSetByService = (keys: readonly string[]): boolean =>
    kind.comparison?.setByService?.includes(pointer(...keys)) === true;
  return {
    isIgnored,
    isPartial: (keys) => keys.length === 1 && partial.includes(keys[0]),
    ofUndeclared: (keys, live) => {
      if (live === null || isServiceVersion(policiesAt(kind, keys), keys)) return undefined;
      if (isIgnored(keys) || isSetByService(keys)) return undefined;
      return isWhole(kind.name, keys[0]) && !partial.includes(keys[0]) ? "difference" : "noted";
    },
  };
}
