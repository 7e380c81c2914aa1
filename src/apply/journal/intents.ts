import type { JsonObject } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";

/** An object that is about to be created, and the objects that existed before. */
export interface Intent {
  readonly url: string;
  readonly kind: string;
  /** Ids of the scope, by the names of path parameters. */
  readonly scope: Readonly<Record<string, string>>;
  readonly key: string;
  /** Hash of the body, in which secrets count as their expressions. */
  readonly payload: string;
  /** Ids of the objects of this kind that existed before. */
  readonly known: readonly string[];
  /** Id of the object that the new one replaces. It is removed afterwards, and the intent stays open until then. */
  readonly replaces?: string | undefined;
  /**
   * Undeclared values of the object that this create replaces, if that object is removed first. After the removal, only the
   * journal has them.
   */
  readonly carried?: JsonObject | undefined;
  /** Id of the object that was removed for this create. The create itself is not sent yet, so it has nothing to resolve. */
  readonly removed?: string | undefined;
  /** Who began it: the URN of a resource of Pulumi, or that of its stack. Undefined if it was an apply with this state folder. */
  readonly owner?: string | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** An intent whose outcome is unknown, or whose object was not compared with those of other runs yet. */
export interface OpenIntent extends Omit<Intent, "known"> {
  readonly id: string;
  /** Undefined if the journal has lost them: then nothing shows which object it made. */
  readonly known: Intent["known"] | undefined;
  /** Id of the object in the answer. Absent without an answer. */
  readonly made?: string | undefined;
  /** Hash of that object as it was created. */
  readonly created?: string | undefined;
}

/** Identifies a create: two intents with the same values are about the same object. */
export type CreateKey = Pick<Intent, "url" | "kind" | "scope" | "key">;

export function isSameCreate(a: CreateKey, b: CreateKey): boolean {
  return a.url === b.url && a.kind === b.kind && a.key === b.key && isSamePath(a.scope, b.scope);
}

export function isSamePath(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}

/**
 * Whether a create was begun by an owner. A stack is the same owner as each of its resources, because one of both may
 * be all that is known.
 */
export function isSameOwner(one: Pick<Intent, "owner">, other: Pick<Intent, "owner">): boolean {
  const [a, b] = [one.owner ?? "", other.owner ?? ""];
  return a === b || a.startsWith(`${b}::`) || b.startsWith(`${a}::`);
}

/** An intent is dropped after this time: a plan sees the result by then. Milliseconds. */
const INTENT_EXPIRY = 7 * 24 * 60 * 60_000;

/** Whether an intent is too old to be resolved. `now` in milliseconds since 1970. */
export function isExpiredIntent({ at }: OpenIntent, now: number): boolean {
  return now - at > INTENT_EXPIRY;
}

/** No apply sends a request later than this after its intent: twice the client's deadline of half an hour. Milliseconds. */
export const LONGEST_RUN = 60 * 60_000;

/** The same for a run of Pulumi, which has an owner: more than `DEADLINE` of its session, which is a day. Milliseconds. */
const LONGEST_UP = 25 * 60 * 60_000;

/** When the request of an earlier run was sent at the latest. That run is over, because it had the lock. Milliseconds since 1970. */
export function sentBy({ at, owner }: OpenIntent, now: number): number {
  return Math.min(now, at + (owner === undefined ? LONGEST_RUN : LONGEST_UP));
}

/** Whether an object may be the one that an intent was about. */
export function isCandidate({ known, replaces }: OpenIntent, keys: readonly string[], live: LiveObject): boolean {
  // The key first: with thousands of known ids, looking for each object among them would take minutes.
  return hasKey(live, keys) && live.id !== replaces && known?.includes(live.id) === false;
}

/** Whether an object has one of these natural keys and is not a placeholder for another object. */
export function hasKey(live: LiveObject, keys: readonly string[]): boolean {
  return live.state !== "placeholder" && keys.some((key) => live.keys.includes(key));
}
