/** The members of a kind's descriptor that have several parts. */
import type { JsonObject, ValueObject } from "../model/json.ts";
import type { OperationName } from "./all-operations.ts";

/** Something that is wrong with declared values on every service. */
export interface ValueProblem {
  /** The path to the value: a field, then the keys below it. */
  readonly keys: readonly string[];
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** What is said about objects that a service creates together with their scope. */
export interface ComesWithScope {
  /** Added to the reason of a create in a scope that does not exist yet. */
  readonly planned: string;
  /** The reason to leave such an object as it is. */
  readonly unchanged: string;
}

/** What a plan says about expired objects. */
export interface Expiry {
  /** The reason to leave one alone. */
  readonly leftAlone: string;
  /** Set if an expired object is drift. What allows apply to replace it. */
  readonly remedy?: string;
  /** The reason to replace one. */
  readonly renewed: string;
  /** The code of the warning about one that is left alone. */
  readonly warning: string;
}

/** The error about two resources with one natural key. */
export interface DuplicateKey {
  readonly code: string;
  /** @param other address and position of the first resource */
  readonly message: (key: string, other: string) => string;
  readonly hint: string;
}

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
