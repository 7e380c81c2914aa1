import type { CommandWords } from "./command.ts";
import type { Json, JsonObject, ValueObject } from "./json/json.ts";
import type { KindName } from "./kind-name.ts";
import type { Attached, LiveObject } from "./live.ts";
import type { Resource } from "./resource.ts";
import type { RuleName } from "./rules.ts";

export type Action = "create" | "update" | "replace" | "delete" | "restore" | "no_op" | "unknown";

/** A field that counts only when an object is created, as documents name it. */
export type OnceField = "_create_in_folder";

/** One field that differs. `path` is a JSON Pointer; a secret value is `{"sensitive": true}`. */
export interface FieldChange {
  readonly path: string;
  readonly prior: Json;
  readonly planned: Json;
}

/** The value at one path. `path` is a JSON Pointer; a secret value is `{"sensitive": true}`. */
export interface FieldValue {
  readonly path: string;
  readonly value: Json;
}

/**
 * Why a change will not be executed, and how to override that. The command does not depend on how the run was typed, because the
 * hash of the plan covers it.
 */
export interface Blocked {
  readonly rule: RuleName;
  /** What the rule counts, such as "7 of 60 insights; at most 5". */
  readonly detail?: string | undefined;
  /** How to override the rule. `command` stands at its end; it is empty if the command says it all. */
  readonly lift: string;
  readonly command?: CommandWords | undefined;
}

/** Whether an action takes an object away: a replace does so as well. */
export function isRemoval({ action }: { readonly action: Action }): boolean {
  return action === "delete" || action === "replace";
}

/** Whether an action makes an object: a replace does so as well. */
export function isCreating({ action }: { readonly action: Action }): boolean {
  return action === "create" || action === "replace";
}

/** Whether no live object was seen, so that the fields have no live side: those of a create, or of a restore that no list shows. */
export function isUnseen({ action, fingerprint }: Pick<Change, "action" | "fingerprint">): boolean {
  return action === "create" || (action === "restore" && fingerprint === null);
}

/** Whether an object goes because nothing declares it. */
export function isPruned({ action, work }: Pick<Change, "action" | "work">): boolean {
  return action === "delete" && work !== null && work.resource === undefined;
}

/** The text that a user must type before an organization is deleted: its name, or its id if it has none. */
export function nameToConfirm({ work, id }: Pick<Change, "work" | "id">): string | null {
  return work?.live?.keys[0] ?? id;
}

/** Whether something is to be done. Nothing is known of what could not be read. */
export function isDifference({ action }: { readonly action: Action }): boolean {
  return action !== "no_op" && action !== "unknown";
}

/** Whether an apply may carry a change out as it is. */
export function isReady(change: { readonly action: Action; readonly blocked: Blocked | null }): boolean {
  return change.blocked === null && isDifference(change);
}

/** The undeclared live values of a change that are no difference. */
export function undeclaredBeside({ more = [], fields }: Pick<Change, "more" | "fields">): readonly string[] {
  return more.filter((path) => !fields.some((field) => field.path === path));
}

/** Whether a difference consists of undeclared live values, which an apply leaves alone. */
export function isUndeclaredOnly({ action, more = [], fields }: Pick<Change, "action" | "more" | "fields">): boolean {
  return action === "update" && fields.every(({ path }) => more.includes(path));
}

/** A reference that is declared by a name. `path` is a JSON Pointer. */
export interface NamedReference {
  readonly path: string;
  readonly name: string;
  /** The object that was found; null if it is yet to be created. */
  readonly id: string | null;
}

/** One line of a plan. */
export interface Change {
  readonly address: string;
  readonly kind: KindName;
  /** The object's name. Absent if it has none, or if the address says it already. */
  readonly name?: string | undefined;
  /** The address of the object's page in the web interface. Absent if none is known. */
  readonly link?: string | undefined;
  readonly action: Action;
  readonly reason: string;
  /** Stands at the end of the reason. */
  readonly command?: CommandWords | undefined;
  readonly id: string | null;
  readonly blocked: Blocked | null;
  readonly fields: readonly FieldChange[];
  /** What the resource refers to by names; absent if that is nothing. */
  readonly references?: readonly NamedReference[] | undefined;
  /**
   * JSON Pointers of undeclared live values, as far as an export would write them; absent if there are none. In a
   * drift, `fields` may have them.
   */
  readonly more?: readonly string[] | undefined;
  /**
   * Of a removal: what an export would write for the object, and of a person what else a reader has to know. Only the declarable
   * values count for the hash.
   */
  readonly removes?: readonly FieldValue[] | undefined;
  /**
   * Which part of `lifecycle` has no effect any more: the object is gone (`gone` if it was pinned, else `state`, because a name may be
   * mistyped), or has its new name (`renamed_from`). Or the field that only its create read. Set only if that is known from everything that was to be read.
   */
  readonly removable?: "gone" | "state" | "renamed_from" | OnceField | undefined;
  /** SHA-256 of everything that the decision was based on; null if no live object was seen. */
  readonly fingerprint: string | null;
  /** What apply needs and no document shows. It may hold secret expressions, but never secret values. */
  readonly work: Work | null;
}

/** The data from which apply makes the requests of a change. */
export interface Work {
  /** Address of the scope. */
  readonly scope: string;
  /** The declared resource; absent for an object that is pruned. */
  readonly resource?: Resource | undefined;
  /** The live object; absent for creates, and for the restore of an object that is not listed. */
  readonly live?: LiveObject | undefined;
  /** The body of a create, or of an update. An update sends the field of a transition by itself. */
  readonly body: ValueObject;
  /** The undeclared part of `body`: live values of the object that is replaced. */
  readonly carried?: JsonObject | undefined;
  /** JSON Pointers of values that a replacement cannot be created with, because no read shows them. */
  readonly lost?: readonly string[] | undefined;
  /** What is attached to the live object, if the change may destroy that. Undefined as well if it could not be read. */
  readonly attached?: Attached | undefined;
  /** The block by the limit of removals, on a change that is blocked because of what would be lost. It stays if only the loss is allowed. */
  readonly needsApproval?: Blocked | undefined;
  /** Set on the invite and on the removal of a person who probably has another address now: the other one of the two. */
  readonly moved?: MovedPerson | undefined;
  /** The natural key of the object after the change. */
  readonly key: string | null;
}

/** A person as another change names it. */
export interface MovedPerson {
  /** Address of that change, or of the undeclared member. */
  readonly address: string;
  readonly email: string;
}

/** A change of a resource or an object that was compared, even if nothing differs. One that could not be compared has no work. */
export interface ChangeWithWork extends Change {
  readonly work: Work;
}

/** A change of an object that exists. */
export interface LiveChange extends ChangeWithWork {
  readonly work: Work & { readonly live: LiveObject };
}
