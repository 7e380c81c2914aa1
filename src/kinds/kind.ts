import type { Calculations } from "./calculation.ts";
import type { Call, ExportRules, NodeTable, ValueProblem } from "./kind-parts.ts";
import type { OperationName } from "./all-operations.ts";
import type { KindName, ScopeType } from "../generated/kind-names.ts";
import type { Suggestion } from "../model/command.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject, ValueObject } from "../model/json/json.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";
import type { Check } from "./check.ts";
import type { KindComparison } from "./comparison.ts";

export type { ScopeType };

/**
 * A field that is changed by an operation of its own instead of by PATCH. A create sends `true`, so that a duplicate does no harm. The
 * transition follows once the object is verified.
 */
export interface Transition {
  readonly field: string;
  /** The operation that sets each value of the field. */
  readonly operations: Readonly<Record<"true" | "false", OperationName>>;
}

/** The calls that act on one live object. */
export interface Target {
  readonly get?: Call;
  readonly update?: (body: ValueObject) => Call;
  /** The calls that remove it, in order. */
  readonly remove: readonly Call[];
  readonly restore?: Call;
  readonly transition?: Transition;
}

/** The rows of each list operation of a kind, by operation name. */
export type Rows = Readonly<Record<string, readonly JsonObject[]>>;

export interface Assembly {
  readonly scope: string;
  readonly path: ScopePath;
  readonly rows: Rows;
}

/** How a declared resource and a live object are recognized as one. */
export interface Identity {
  /**
   * Kinds of one space share ids: an object that one of them manages is managed. Unless it is a person, the service may move it from
   * one of their lists to another.
   */
  readonly idSpace: string;
  /** Identifies an object within its space. */
  readonly of: (live: LiveObject) => string;
  /**
   * The fields that form the natural key. They hold no secrets, and a resource without a pin needs at least one of
   * them.
   */
  readonly keyFields: readonly string[];
  /** The field that makes the first natural key unique on the whole service, if it is set. */
  readonly unique?: string;
  /**
   * The natural keys of a resource. The first one that finds an object counts. `name` is its key in the configuration.
   */
  readonly declaredKeys: (values: ValueObject, name: string) => readonly string[];
}

/** How the objects of a kind are read. */
export interface ListRules {
  /**
   * The list operations that show the objects of a scope. All of them must be complete before an object counts as
   * absent.
   */
  readonly operations: (scope: ScopeType) => readonly OperationName[];
  /** Makes objects from the rows of the lists. */
  readonly assemble: (assembly: Assembly) => readonly LiveObject[];
  /** Fields that the cheapest form of the list lacks. If one is declared, the full form is requested. */
  readonly fullListFields?: readonly string[];
  /**
   * Set if a list may be long, and leave out what the key's user may not see. A few objects with known ids are read one by one, an export
   * has small pages, and only a read by its id (404) shows that a pinned object is gone.
   */
  readonly isLong?: boolean;
  /** Set if an object is assembled from objects of other kinds, whose lists are exported. Says in words that there is none of them. */
  readonly derived?: string;
}

/** The call that creates an object. */
export type CreateCall = (scope: ScopeType, body: ValueObject, key: string) => Call;

/** What is said of a declared object that does not exist, if objects of its kind are adopted, never created. */
export interface NeverCreated {
  /** Why a complete list may lack it. */
  readonly cause: string;
  /** What to do instead of a create. */
  readonly instead: string;
}

/** How objects of a kind are created, changed and removed. */
export interface Writes {
  readonly create: CreateCall | NeverCreated;
  /** The calls that act on one object. */
  readonly target: (scope: ScopeType, live: Pick<LiveObject, "id" | "parts">) => Target;
  /**
   * Set if only one object can have a natural key, as an address gets one invite at a time: a replace removes the old one before it
   * creates the new one, and a late create makes no second one.
   */
  readonly onePerKey?: true;
  /** Set if objects expire. `lifecycle.renew` replaces one that has. */
  readonly expires?: true;
  /** Set if only some services can change a field in place. Returns whether the one with this live object cannot. */
  readonly isFixed?: (field: string, live: JsonObject) => boolean;
  /**
   * Set if a service misreads a PATCH of the changed fields alone, or changes what it does not mention. Returns the whole body. `wanted`
   * has the live values, overlaid with the declared ones.
   */
  readonly completed?: (body: ValueObject, wanted: ValueObject, live: JsonObject) => ValueObject;
  /**
   * Set if a service refuses some writes until the user has done something outside of it (`verification_required`). Returns what that
   * is; undefined if the body may be sent.
   */
  readonly firstStep?: (
    live: Pick<LiveObject, "id" | "values">,
    path: ScopePath,
    body?: ValueObject,
  ) => Suggestion | undefined;
}

/** Warnings, hints and reasons that only this kind has. */
export interface Hints {
  /** The reason of a create, if "no KIND KEY" does not say what it does. */
  readonly createReason?: (values: ValueObject) => string;
  /**
   * Added to the reason of a create, a removal or a restore, if it has a side effect. `live` is the object that a create replaces.
   */
  readonly note?: (action: "create" | "delete" | "restore", body: ValueObject, live?: LiveObject) => string | undefined;
  /** What to do about a declaration if the service no longer has the list of the kind. */
  readonly goneHint?: string;
  /**
   * Set if there is more to say about an error of the service than the error itself shows. Returns a hint about it, or undefined.
   * `key` is the natural key of the object.
   */
  readonly errorHint?: (error: Pick<Diagnostic, "code" | "message">, key: string) => string | undefined;
}

/** The numbers that the objects of a kind show. */
export interface NumbersRules {
  /** The fields that the numbers depend on. If none of them changes, the numbers do not. */
  readonly fields: readonly string[];
  /** Loads how the numbers are asked for, which most runs do not need. */
  readonly load: () => Promise<Calculations>;
}

/**
 * Everything that driftline knows about the behaviour of one kind. Fields come from schemas/kinds. A simple kind has an identity,
 * lists and writes, and nothing else.
 */
export interface Kind {
  readonly name: KindName;
  readonly identity: Identity;
  readonly lists: ListRules;
  readonly writes: Writes;
  readonly hints?: Hints;
  /** Set if declared values can be wrong in ways that no schema can express. */
  readonly problems?: (values: ValueObject) => readonly ValueProblem[];
  readonly comparison?: KindComparison;
  readonly exportRules?: ExportRules;
  /**
   * By free-form field: the nodes that may stand in it. Others are probably misspelt, which is a warning. Such a field is compared
   * whole: a live key that is not declared is a difference, at every depth.
   */
  readonly nodes?: Readonly<Record<string, NodeTable>>;
  /** The path of an object's page in the web interface, if that is known; undefined for an object that has none. */
  readonly pagePath?: (path: ScopePath, live: Pick<LiveObject, "pins">) => readonly string[] | undefined;
  /** Set if the objects show numbers. */
  readonly numbers?: NumbersRules;
  /** What a change of such an object is checked for, besides what all changes are. */
  readonly checks?: readonly Check[];
}
