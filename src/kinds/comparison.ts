import type { JsonObject, ValueObject } from "../model/json/json.ts";

/**
 * How a service may change the form of a value without changing its meaning. Under a policy the named forms are equal, and
 * nothing else is. `normalize` in src/diff/equal.ts implements most of them.
 * - `lower_case`: upper and lower case are the same (e-mail, tags).
 * - `blank_is_null`: "" and null are the same, and so are an empty list and null.
 * - `null_is_default`: null and the default of the field are the same.
 * - `scalars_as_strings`: 7 and "7" are the same, and so are true and "True".
 * - `absent_is_unknown`: a missing or null live value is not compared (a create-only field that is never returned).
 * - `ignore_version`: the key `version` is not compared, at any depth: the service sets it.
 * - `without_query_string`: URLs are compared without their parameters, which the service strips.
 * - `without_end_slashes`: URLs are compared without slashes at their end, which the service drops.
 */
export type Policy =
  | "lower_case"
  | "blank_is_null"
  | "null_is_default"
  | "scalars_as_strings"
  | "absent_is_unknown"
  | "ignore_version"
  | "without_query_string"
  | "without_end_slashes";

/** How declared and live values of a kind are compared, beyond what follows from its schema. */
export interface KindComparison {
  /** Equivalences by JSON Pointer; one that ends in `/*` covers everything below. */
  readonly policies?: Readonly<Record<string, readonly Policy[]>>;
  /**
   * Declarable fields, or JSON Pointers of keys inside of them, that the service also sets by itself: a value in them does not show
   * what somebody wants.
   */
  readonly setByService?: readonly string[];
  /**
   * Set if some declared objects inside a free-form field replace the live ones. Returns whether one does, because it is empty
   * or of another type: then they differ, and no value of the live one may be merged into it.
   */
  readonly isOtherNode?: (field: string, declared: ValueObject, live: JsonObject) => boolean;
  /**
   * Set if a service may show values in another notation than the declared one. Returns all live values in the declared notation, with
   * the declared value itself for one that means the same; undefined if they are in it.
   */
  readonly toDeclaredNotation?: (declared: ValueObject, live: JsonObject) => JsonObject | undefined;
  /**
   * Set if some services have converted what others keep. Returns the declared values as they are since then, or undefined if
   * nothing of the live object was converted.
   */
  readonly asConverted?: (declared: ValueObject, live: JsonObject) => ValueObject | undefined;
  /**
   * Set if two views of the service differ for one object, such as its place in a list and a read by id. Returns the live
   * values in the form that all views have in common, for fingerprints.
   */
  readonly canonical?: (live: JsonObject) => JsonObject;
  /** Set if a read by id leaves out references to what does not exist. Returns the JSON Pointers of the declared ones. */
  readonly missingReferences?: (declared: ValueObject, shown: JsonObject) => readonly string[];
}
