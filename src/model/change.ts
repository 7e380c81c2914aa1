import type { Json, ValueObject } from "./json.ts";
import type { KindName } from "./kind-name.ts";
import type { LiveObject } from "./live.ts";
import type { Resource } from "./resource.ts";

export type Action = "create" | "update" | "replace" | "delete" | "restore" | "no_op" | "unknown";

/** One field that differs. `path` is a JSON Pointer; a value that is secret is `{"sensitive": true}`. */
export interface FieldChange {
  readonly path: string;
  readonly prior: Json;
  readonly planned: Json;
}

/** Why a change will not be carried out, and what lifts that. */
export interface Blocked {
  readonly rule:
    | "protect"
    | "prune"
    | "delete_limit"
    | "confirm_organization"
    | "organization_create"
    | "forgotten_rename"
    | "last_owner"
    | "own_user"
    | "incomplete"
    | "parent";
  readonly lift: string;
}

/** One line of a plan. */
export interface Change {
  readonly address: string;
  readonly kind: KindName;
  readonly action: Action;
  readonly reason: string;
  readonly id: string | null;
  readonly blocked: Blocked | null;
  readonly fields: readonly FieldChange[];
  /** SHA-256 over what the decision was based on: null where no live object was seen. */
  readonly fingerprint: string | null;
  /** What apply needs and no output shows: it may hold secret expressions, never secret values. */
  readonly work: Work | null;
}

/** What is sent for a change. */
export interface Work {
  /** Address of the scope. */
  readonly scope: string;
  /** The declared resource; absent for what is pruned. */
  readonly resource?: Resource | undefined;
  /** The live object, for all but creates (and the restore of one that is not listed). */
  readonly live?: LiveObject | undefined;
  /** The body of the create, of the one PATCH of an update, or of what follows a restore. */
  readonly body: ValueObject;
  /** Natural key that the object has afterwards. */
  readonly key: string | null;
}
