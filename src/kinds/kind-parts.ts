/** The members of a kind's descriptor that have several parts. */
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject, ValueObject } from "../model/json.ts";
import type { OperationName } from "./all-operations.ts";

type Problem = Pick<Diagnostic, "code" | "message" | "hint">;

/** Something that is wrong with declared values on every service, and the path to the value: a field, then the keys below it. */
export type ValueProblem = Problem & { readonly keys: readonly string[] };

/** The error about two resources with one natural key. `other` is address and position of the first one. */
export type DuplicateKey = (key: string, other: string) => Problem;

/**
 * How an export treats a field, instead of writing every value that is not the default.
 * - `never`: the service sets it by itself, so an exported value would soon be wrong.
 * - `always`: the default is exported as well, because it says who may do what, or null is a state of its own.
 * - `with_ids`: it has numbers of objects in the same project. They mean nothing elsewhere, so it is exported with ids only.
 * - `empty_at_first`: it has no documented default, and a create leaves it empty. An empty value is not exported.
 * - a list to which others add elements elsewhere, with the reason: left out, or declared in part with ids and all fields.
 */
export type FieldExport = "never" | "always" | "with_ids" | "empty_at_first" | { readonly shared: string };

export interface ExportRules {
  /** The fields that are not treated as all others. */
  readonly fields?: Readonly<Record<string, FieldExport>>;
  /**
   * What values refer to by ids of the same project, below fields that would mean something else without it. An export without
   * ids keeps it, and says so.
   */
  readonly referencesWithin?: (values: JsonObject) => readonly Reference[];
  /** Set if `init` asks whether the files are to declare all objects, because each of them gives somebody access. */
  readonly asksComplete?: true;
}

/** Something that only one project has. */
export interface Reference {
  /** What it is, in the plural: `cohorts`. */
  readonly what: string;
  /** `cohort 5` */
  readonly name: string;
}

/** One API call, without the ids of its scope. `body` may hold secret expressions. */
export interface Call {
  readonly operation: OperationName;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: ValueObject;
}
