/** The members of a kind's descriptor that have several parts. */
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { JsonObject, ValueObject } from "../model/json.ts";
import type { OperationName } from "./all-operations.ts";
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";

/** Warnings that concern more than the changed object itself. They decide nothing. */
export interface Review {
  /**
   * The kinds whose objects in the organization the warnings depend on. Empty if there is nothing to warn about.
   * @param organization the values of the live organization; empty if it could not be read
   */
  readonly needs: (change: Change, organization: JsonObject) => readonly KindName[];
  /** @param objects the objects of a kind in the organization; undefined if they could not be read */
  readonly warnings: (
    change: Change,
    objects: (kind: KindName) => readonly LiveObject[] | undefined,
    organization: JsonObject,
  ) => readonly (ReviewWarning | undefined)[];
}

/** A warning about a change, which stands at its declaration. */
export type ReviewWarning = Pick<Diagnostic, "code" | "message" | "hint">;

/** A setting of an organization that locks people out once it is on. */
export interface Gate {
  /** Whether a change turns it on. */
  readonly closes: (change: Change) => boolean;
  /** How to list the members that it would lock out. */
  readonly outsiders: {
    readonly operation: OperationName;
    readonly query: Readonly<Record<string, boolean>>;
    /** The members in the rows. */
    readonly in: (rows: readonly JsonObject[]) => readonly { readonly email: string; readonly isOwner: boolean }[];
    /** Why the list may lack people, with this organization and these rows; undefined if it is complete. */
    readonly gap: (organization: JsonObject, rows: readonly JsonObject[]) => string | undefined;
  };
  /** How to list the open invites, and their addresses: they are no members yet, and would be locked out as well. */
  readonly invited: {
    readonly operation: OperationName;
    readonly in: (rows: readonly JsonObject[]) => readonly string[];
  };
  /** The kind whose objects let people in, and whether one lets in an address. */
  readonly admittedBy: { readonly kind: KindName; readonly admits: (live: LiveObject, email: string) => boolean };
}

/** A setting that keeps people out unless another object lets them in. */
export interface Entrance {
  /** Whether an object with these values lets no person in by itself. */
  readonly isNeeded: (values: ValueObject) => boolean;
  /** The kind of the objects that let people in, in the same scope. */
  readonly openedBy: KindName;
  /** The ids, in lower case, of those that an object of that kind with these values lets people into. */
  readonly opened: (values: ValueObject) => "all" | readonly string[];
  /** What to do before. */
  readonly remedy: string;
}

/** What is said about other objects that hang on one. */
export interface AttachedObjects {
  /** The noun of those that a removal destroys. */
  readonly destroyed: string;
  /** The noun of those that stay. */
  readonly left: string;
  /** Whether an update may destroy the former, too. */
  readonly mayDestroy: (body: ValueObject, live: JsonObject) => boolean;
  /** Why it may. */
  readonly updateNote: string;
}

/** Something that is wrong with declared values on every service. */
export interface ValueProblem {
  /** The path to the value: a field, then the keys below it. */
  readonly keys: readonly string[];
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** A project as the organization around it lists it. */
export interface ListedProject {
  readonly id: string;
  readonly name: string;
}

/** What a live scope shows of its projects. */
export interface ScopeRules {
  /** The projects in the scope. Undefined if the service does not list them, or not in a form that can be trusted. */
  readonly projects: (values: JsonObject) => readonly ListedProject[] | undefined;
  /** Whether the service lists projects at all, even if the list cannot be trusted. */
  readonly listsProjects: (values: JsonObject) => boolean;
  /** The name of the project that the service creates together with a scope. */
  readonly firstProject: string;
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
