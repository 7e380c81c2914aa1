import type { OperationName } from "./all-operations.ts";
import type { KindName, ScopeType } from "../generated/kind-names.ts";
import type { JsonObject, ValueObject } from "../model/json.ts";
import type {
  ComesWithScope,
  DuplicateKey,
  Expiry,
  ExportRules,
  MembershipFacts,
  NodeTable,
  Review,
  ScopeFacts,
} from "./facts.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";

export type { ScopeType };

/** One API call, without the ids of its scope. `body` may hold secret expressions. */
export interface Call {
  readonly operation: OperationName;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: ValueObject;
}

/**
 * How a service may change the form of a value without changing its meaning. Under a policy the named forms are equal, and
 * nothing else is. `normalize` in src/diff/equal.ts implements most of them.
 * - `lower_case`: upper and lower case are the same (e-mail, tags).
 * - `blank_is_null`: "" and null are the same.
 * - `scalars_as_strings`: 7 and "7" are the same, and so are true and "True".
 * - `absent_is_unknown`: a missing or null live value is not compared (a create-only field that is never returned).
 * - `ignore_version`: the key `version` is not compared, at any depth: the service sets it.
 * - `without_query_string`: URLs are compared without their parameters, which the service strips.
 * - `generated_query`: filters may be shown as a query instead; the kind's `toDeclaredNotation` reads them from it.
 */
export type Policy =
  | "lower_case"
  | "blank_is_null"
  | "scalars_as_strings"
  | "absent_is_unknown"
  | "ignore_version"
  | "without_query_string"
  | "generated_query";

/** A field that is changed by an operation of its own instead of by PATCH. */
export interface Transition {
  readonly field: string;
  /**
   * The value that a create sends, chosen so that a duplicate does no harm. The transition follows once the object is
   * verified.
   */
  readonly createAs: boolean;
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

/** Live values in the notation in which they were declared. */
export interface DeclaredNotation {
  readonly values: JsonObject;
  /** JSON Pointers of declared values that cannot be compared with what the service shows. */
  readonly unverifiable: readonly string[];
  /** JSON Pointers of values that are copied from the declaration because they mean the same. */
  readonly copied: readonly string[];
  /** Set if a field that is not declared decides over a declared one. A write of that one has to set it to null. */
  readonly precedence?: { readonly of: string; readonly over: string };
  /** Set if the fields in this notation hold declared keys only, so that they do not show what else the object has. */
  readonly isPartial?: true;
}

/** Everything that driftline knows about the behaviour of one kind. Fields come from schemas/kinds. */
export interface Kind {
  readonly name: KindName;
  /** The key of the configuration under which resources of this kind are declared. */
  readonly collection: string;
  readonly scopes: readonly ScopeType[];
  /** Kinds of one space share ids: an object that one of them manages is managed. */
  readonly idSpace: string;
  /** Identifies an object within its space. */
  readonly identity: (live: LiveObject) => string;
  /** Resources of this kind also match objects in the lists of these kinds: the service may move an object between them. */
  readonly siblings: readonly KindName[];
  /** Set if a resource is declared under its natural key instead of under a logical name. */
  readonly keyedBy?: "email";
  /**
   * The fields that form the natural key. They hold no secrets, and a resource without a pin needs at least one of
   * them.
   */
  readonly keyFields: readonly string[];
  /**
   * The natural keys of a resource. The first one that finds an object counts. `name` is its key in the configuration.
   */
  readonly declaredKeys: (values: ValueObject, name: string) => readonly string[];
  /**
   * The list operations that show the objects of a scope. All of them must be complete before an object counts as
   * absent.
   */
  readonly lists: (scope: ScopeType) => readonly OperationName[];
  /** Fields that the cheapest form of the list lacks. If one is declared, the full form is requested. */
  readonly fullListFields?: readonly string[];
  /** Set if lists may be so long that a few objects with known ids are better read one by one, and an export in small pages. */
  readonly numerous?: boolean;
  /**
   * Set if a list may leave out objects that the key's user may not see. Then only a read by its id (404) shows that a pinned
   * object is gone.
   */
  readonly mayBeHidden?: boolean;
  /** Makes objects from the rows of the lists. */
  readonly assemble: (assembly: Assembly) => readonly LiveObject[];
  /** The call that creates an object. Absent if objects of this kind are adopted, never created. */
  readonly create?: (scope: ScopeType, body: ValueObject, key: string) => Call;
  /** The calls that act on one object. */
  readonly target: (scope: ScopeType, live: Pick<LiveObject, "id" | "parts">) => Target;
  /** Set if a removed object can be restored under its id. */
  readonly restorable?: boolean;
  /**
   * Where to find the id of a removed object, if objects can also be pinned by another field. A restore needs the id.
   */
  readonly deletedIdHint?: string;
  /**
   * Set if a replace must remove before it creates: natural keys are unique, or a second object would send an e-mail.
   */
  readonly removeFirst?: boolean;
  /** Added to the reason of every create, if a create has a side effect. */
  readonly createNote?: string;
  readonly exportRules?: ExportRules;
  /** Added to the reason of every removal, if a removal has a side effect. */
  readonly removeNote?: string;
  /** Set if a service creates some of the objects together with their scope. They are not created again. */
  readonly comesWithScope?: ComesWithScope;
  /** Set if an object is assembled from objects of other kinds. Lists of those kinds are exported, not this one. */
  readonly derived?: boolean;
  /** Set if objects are created only with `lifecycle.create`, and removed only after their name was typed. */
  readonly requiresExplicitCreate?: boolean;
  /** Set if the objects are people with rights: the last owner and the key's own user are not removed or lowered. */
  readonly membership?: MembershipFacts;
  /**
   * Set for the kind whose objects are scopes: all other kinds are declared in one of them, or in one of its projects.
   */
  readonly asScope?: ScopeFacts;
  /** Set if the objects expire. `lifecycle.renew` replaces those that have. */
  readonly expiry?: Expiry;
  /**
   * Set if the natural key alone identifies an object: two resources with one key contradict each other even if pinned.
   */
  readonly duplicateKey?: DuplicateKey;
  /** What to do about a resource that does not exist on the service. Set if there is no `create`. */
  readonly notCreatedHint?: string;
  /** Why a complete list may lack a declared object. Set if there is no `create`. */
  readonly whyMissing?: string;
  /** Set if a write of some fields has no effect unless the service has something else, such as "a verified domain". */
  readonly writesNeed?: string;
  /**
   * Set if the service refuses some writes until the user has done something outside of it. Returns what to do about an error
   * code, or undefined if the refusal is final.
   */
  readonly manualStep?: (code: string, values: JsonObject) => string | undefined;
  /**
   * Set if a live object shows that the service would refuse to write some fields. Returns what the user has to do first, or
   * undefined if the body of a change may be sent.
   */
  readonly stepBeforeUpdate?: (body: ValueObject, live: JsonObject) => string | undefined;
  /**
   * Set if there is more to say about an error of the service than the error itself shows. Returns a hint about it, or undefined.
   * `key` is the natural key of the object.
   */
  readonly errorHint?: (error: { readonly code: string; readonly message: string }, key: string) => string | undefined;
  /**
   * Set if a service may show values in another notation than the declared one. Returns them in the declared notation.
   */
  readonly toDeclaredNotation?: (declared: ValueObject, live: JsonObject) => DeclaredNotation | undefined;
  /**
   * Set if two views of the service differ for one object, such as its place in a list and a read by id. Returns the live
   * values in the form that all views have in common, for fingerprints.
   */
  readonly canonical?: (live: JsonObject) => JsonObject;
  /**
   * Set if a read by id may show other values than the list, which shows what is stored. Returns the query for a list of this
   * object alone.
   */
  readonly aloneInList?: (live: Pick<LiveObject, "pins">) => Readonly<Record<string, string>> | undefined;
  /** Set if a read by id leaves out references to what does not exist. Returns the JSON Pointers of the declared ones. */
  readonly missingReferences?: (declared: ValueObject, shown: JsonObject) => readonly string[];
  /**
   * Declarable fields, or JSON Pointers of keys inside of them, that the service also sets by itself: a value in them does not show
   * what somebody wants.
   */
  readonly setByService?: readonly string[];
  /** Set if some fields are never returned. Returns whether a live object shows in another way that one has no value. */
  readonly isUnset?: (field: string, live: JsonObject) => boolean;
  /**
   * Set if some declared objects inside a free-form field replace the live ones. Returns whether one does, because it is empty
   * or of another type: then they differ, and no value of the live one may be merged into it.
   */
  readonly isOtherNode?: (field: string, declared: ValueObject, live: JsonObject) => boolean;
  /** Free-form fields that are compared whole: a live key that is not declared is a difference, at every depth. */
  readonly wholeFields?: readonly string[];
  /**
   * Free-form fields to which people add settings, and the service does not. They are compared in part, but a drift report counts
   * their live keys that are not declared, and `drift --accept` declares them.
   */
  readonly countedFields?: readonly string[];
  /** By free-form field: the nodes that may stand in it. Others are probably misspelt, which is a warning. */
  readonly nodes?: Readonly<Record<string, NodeTable>>;
  /** Set if a change of such an object has consequences for objects of other kinds that the user must know of. */
  readonly review?: Review;
  /** Equivalences by JSON Pointer; one that ends in `/*` covers everything below. */
  readonly policies: Readonly<Record<string, readonly Policy[]>>;
}
