import type { OperationName } from "./all-operations.ts";
import type { KindName, ScopeType } from "../generated/kind-names.ts";
import type { Json, JsonObject, Value, ValueObject } from "../model/json.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";

export type { ScopeType };

/** One API call, less the ids of its scope. `body` may hold secret expressions. */
export interface Call {
  readonly operation: OperationName;
  readonly path?: Readonly<Record<string, string>>;
  readonly body?: ValueObject;
}

/**
 * How a service changes a value without meaning a different one. Each hides exactly that and nothing else.
 * - `lower_case`: strings come back in lower case (e-mail, tags).
 * - `blank_is_null`: "" and null are not told apart.
 * - `scalars_as_strings`: 7 and true come back as "7" and "True".
 * - `absent_is_unknown`: a missing or null live value says nothing (a create-only field that is not given back).
 * - `ignore_version`: the key `version`, at any depth, is the service's own.
 * - `without_query_string`: URL parameters are stripped on read.
 * - `generated_query`: filters may be shown as a query instead; the kind's `restate` reads them there.
 */
export type Policy =
  | "lower_case"
  | "blank_is_null"
  | "scalars_as_strings"
  | "absent_is_unknown"
  | "ignore_version"
  | "without_query_string"
  | "generated_query";

/** A field that is moved by an operation of its own rather than by PATCH. */
export interface Transition {
  readonly field: string;
  /** What a create sends first, so that a duplicate does no harm; the transition follows once the object is proven. */
  readonly createAs: boolean;
  /** Operation per value of the field. */
  readonly operations: Readonly<Record<"true" | "false", OperationName>>;
}

/** The calls that act on one live object. */
export interface Target {
  readonly get?: Call;
  readonly update?: (body: ValueObject) => Call;
  /** All that removes it, in order. */
  readonly remove: readonly Call[];
  readonly restore?: Call;
  readonly transition?: Transition;
}

/** Rows of each list operation of a kind, by operation name. */
export type Rows = Readonly<Record<string, readonly JsonObject[]>>;

export interface Assembly {
  readonly scope: string;
  readonly path: ScopePath;
  readonly rows: Rows;
}

/** Live values in the notation in which they were declared. */
export interface DeclaredNotation {
  readonly values: JsonObject;
  /** JSON Pointers of what was declared and cannot be told from what the service shows. */
  readonly unverifiable: readonly string[];
  /** JSON Pointers of what is said in the very words that were declared, where it says the same. */
  readonly copied: readonly string[];
}

/** Warnings that concern more than the changed object itself. They decide nothing. */
export interface Review {
  /** The kinds whose objects in the changed scope the warnings depend on. Empty if there is nothing to warn about. */
  readonly needs: (change: Change) => readonly KindName[];
  /** @param objects the objects of a kind in the changed scope; none if they could not be read */
  readonly warnings: (change: Change, objects: (kind: KindName) => readonly LiveObject[]) => readonly Diagnostic[];
}

/** What the guards know of people and their rights. */
export interface MembershipFacts {
  /** Whether a live object is a person who has joined. An open invite gives no rights yet. */
  readonly isMember: (live: LiveObject) => boolean;
  /** The level of rights in the fields of an object or of a request. The higher, the more rights. */
  readonly levelOf: (values: ValueObject) => Value | undefined;
  /** The highest level. An organization needs somebody who has it. */
  readonly ownerLevel: number;
}

/** A project as the organization around it lists it. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
}

/** What a live scope shows of its projects and of the key's own user. */
export interface ScopeFacts {
  /** The projects in the scope. Undefined if the service does not list them, or not in a form that can be trusted. */
  readonly projects: (values: JsonObject) => readonly ListedProject[] | undefined;
  /** Whether the service lists projects at all, in whatever form. */
  readonly listsProjects: (values: JsonObject) => boolean;
  /** The level of the key's own user: null if it is not a member, undefined if the service does not show it. */
  readonly ownLevel: (values: JsonObject) => Json | undefined;
}

/** What a plan says about expired objects. */
export interface Expiry {
  /** The reason to leave one alone. */
  readonly leftAlone: string;
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

/** Everything that driftline knows about the behaviour of one kind. Fields come from schemas/kinds. */
export interface Kind {
  readonly name: KindName;
  /** The key of the configuration under which resources of this kind are declared. */
  readonly collection: string;
  readonly scopes: readonly ScopeType[];
  /**
   * Kinds of one space share ids: an object that one of them manages is managed. Resources of a kind also match objects
   * listed by the others (`siblings`), since the service may move an object between groups.
   */
  readonly idSpace: string;
  /** What tells an object from all others of its space. */
  readonly identity: (live: LiveObject) => string;
  readonly siblings: readonly KindName[];
  /** Set where the key under which a resource is declared is its natural key rather than a logical name. */
  readonly keyedBy?: "email";
  /** Fields that make the natural key: they hold no secrets. At least one of them is needed where no id is pinned. */
  readonly keyFields: readonly string[];
  /** Natural keys of a declared resource, the first that finds an object counts. `name` is its key in the configuration. */
  readonly declaredKeys: (values: ValueObject, name: string) => readonly string[];
  /** List operations that must all be proven before anything is known of this kind in a scope. */
  readonly lists: (scope: ScopeType) => readonly OperationName[];
  /** Fields that the cheapest form of the list leaves out: declared, they ask for the full form. */
  readonly fullListFields?: readonly string[];
  /** Lists of it may be so long that a few objects whose ids are known are better read one by one. */
  readonly numerous?: boolean;
  readonly assemble: (assembly: Assembly) => readonly LiveObject[];
  /** Absent: objects of this kind are adopted, never created. */
  readonly create?: (scope: ScopeType, body: ValueObject, key: string) => Call;
  readonly target: (scope: ScopeType, live: Pick<LiveObject, "id" | "parts">) => Target;
  /** An object that is gone can be brought back under its id. */
  readonly restorable?: boolean;
  /** A replace removes first: the service holds one object per natural key, or a second one would send an e-mail. */
  readonly removeFirst?: boolean;
  /** Said in the plan's reason wherever an object of this kind is created. */
  readonly createNote?: string;
  /** Put together from objects of other kinds, which stand for themselves in an export. */
  readonly derived?: boolean;
  /** May only be created with `lifecycle.create`, removed only with its name typed. */
  readonly requiresExplicitCreate?: boolean;
  /** Set if the objects are people with rights: the last owner and the key's own user are not removed or lowered. */
  readonly membership?: MembershipFacts;
  /** Set for the kind whose objects are scopes: all other kinds are declared in one of them, or in one of its projects. */
  readonly asScope?: ScopeFacts;
  /** Set if the objects expire. `lifecycle.renew` replaces those that have. */
  readonly expiry?: Expiry;
  /** Set if the natural key alone identifies an object: two resources with one key contradict each other even if pinned. */
  readonly duplicateKey?: DuplicateKey;
  /** What to do about a resource that does not exist on the service. Set if there is no `create`. */
  readonly notCreatedHint?: string;
  /** Set if a write of some fields has no effect unless the service has something else, such as "a verified domain". */
  readonly writesNeed?: string;
  /**
   * What the user has to do outside of the service before it accepts a write that it refused with this code; undefined where
   * the refusal is final.
   */
  readonly manualStep?: (code: string, values: JsonObject) => string | undefined;
  /** Says what the live values say in the notation that was declared, where a service shows them in another one. */
  readonly toDeclaredNotation?: (declared: ValueObject, live: JsonObject) => DeclaredNotation | undefined;
  /** Fields whose live values `restate` reads. */
  readonly notationFields?: readonly string[];
  /**
   * Whether two objects inside a free-form field are different things rather than one that was changed: nothing of the live
   * one belongs into the declared one.
   */
  readonly isOtherNode?: (field: string, declared: ValueObject, live: JsonObject) => boolean;
  /** Set if a change of such an object has consequences for objects of other kinds that the user must know of. */
  readonly review?: Review;
  /** Equivalences by JSON Pointer; one that ends in `/*` covers everything below. */
  readonly policies: Readonly<Record<string, readonly Policy[]>>;
}
