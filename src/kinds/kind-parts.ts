/** The members of a kind's descriptor that have several parts. */
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject, ValueObject } from "../model/json.ts";
import type { OperationName } from "./all-operations.ts";

type Problem = Pick<Diagnostic, "code" | "message" | "hint">;

/** Something that is wrong with declared values on every service, and the path to the value: a field, then the keys below it. */
export type ValueProblem = Problem & { readonly keys: readonly string[] };

/** The error about two resources with one natural key. `other` is address and position of the first one. */
export type DuplicateKey = (key: string, other: string) => Problem;

/** How an export treats some fields, instead of writing every value that is not the default. */
export interface ExportRules {
  /** Fields that the service sets by itself, so an exported value would soon be wrong. They are never exported. */
  readonly leftOut?: readonly string[];
  /** Fields with numbers of objects in the same project. They mean nothing elsewhere, so they are exported with ids only. */
  readonly references?: readonly string[];
  /** Lists to which others add elements elsewhere, with the reason. They are left out, or declared in part with ids and all fields. */
  readonly shared?: Readonly<Record<string, string>>;
  /**
   * What values refer to by ids of the same project, below fields that would mean something else without it. An export without
   * ids keeps it, and says so.
   */
  readonly referencesWithin?: (values: JsonObject) => readonly Reference[];
  /** Fields in which null is a state of its own. It is exported, although it is the default. */
  readonly nullIsState?: readonly string[];
  /** Fields that are exported even if they have their default, because a reader has to see who may do what. */
  readonly kept?: readonly string[];
  /** Set if `init` asks whether the files are to declare all objects, because each of them gives somebody access. */
  readonly asksComplete?: true;
  /** Fields without a documented default that a create leaves empty. An empty value is not exported. */
  readonly emptyAtFirst?: readonly string[];
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
