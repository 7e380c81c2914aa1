import type { Diagnostic } from "./diagnostic.ts";
import type { Pin } from "./resource.ts";
import type { JsonObject } from "./json/json.ts";
import type { KindName } from "./kind-name.ts";

/** One object that the service holds. */
export interface LiveObject {
  /** The kind through whose list it was seen; operations on it use that kind's routes. */
  readonly kind: KindName;
  /** Address of the scope in whose list it was seen. */
  readonly scope: string;
  /** The id that its operations take in their path, as text. */
  readonly id: string;
  /** Every id by which it can be pinned, such as an insight's `short_id`, by field name. */
  readonly pins: Readonly<Record<string, string>>;
  /** Its natural keys, with the one for display first; empty if it has none (an insight without a name). */
  readonly keys: readonly string[];
  /** The answer of the service, reduced to the fields that may be compared or shown. */
  readonly values: JsonObject;
  /** Values outside the schema that a replacement must send again. */
  readonly carried?: JsonObject | undefined;
  /** What a replacement sends so that the service does not announce it. Absent if the service may not know it. */
  readonly silentFields?: JsonObject | undefined;
  /** What a removal shows beside the declarable values. It counts for no decision. */
  readonly about?: JsonObject | undefined;
  /** Of a member, as far as the service shows it: first and last name, and whether there is a social sign-in, which counts for no decision. */
  readonly person?: { readonly name?: string | undefined; readonly hasSocialSignIn?: boolean | undefined };
  /** How a difference is fixed. */
  readonly onDifference: "update" | "replace";
  /** A remark for the plan's reason, such as "not yet accepted". */
  readonly note?: string | undefined;
  /** When it was changed last, and by whom, if the service reports that. */
  readonly modified?: Modified | undefined;
  /** When it was created, as the service writes it: of several invites, the newest. Absent if the list does not show it, or if nothing needs it. */
  readonly createdAt?: string | undefined;
  /** Absent for an ordinary object. */
  readonly state?: LiveState | undefined;
  /** What is attached to it, such as alerts, if the read shows that. */
  readonly attached?: Attached | undefined;
  /** The objects it was assembled from (a membership's member and invites). */
  readonly parts?: { readonly member?: string | undefined; readonly invites: readonly string[] } | undefined;
}

/**
 * - `expired`: it is left unchanged unless `lifecycle.renew` is declared.
 * - `leaving`: the service is deleting it. It is never changed, and nothing is created in it.
 * - `deleted`: soft-deleted. It counts as absent, but can be restored.
 * - `placeholder`: the object of another kind that took its place (a member for an accepted invite). It is never compared or removed.
 */
export type LiveState = "expired" | "leaving" | "deleted" | "placeholder";

/** Whether an object is there: it is neither soft-deleted nor another one that took its place. */
export function isPresent({ state }: Pick<LiveObject, "state">): boolean {
  return state !== "deleted" && state !== "placeholder";
}

/** What a removal of an object does to others, by their ids. */
export interface Attached {
  /** They are destroyed for good. */
  readonly destroyed: readonly string[];
  /** They stay, without the object. */
  readonly left: readonly string[];
}

/** The id of an object, and those of the invites that it was put together from. */
export function idsWithParts({ id, parts }: Pick<LiveObject, "id" | "parts">): readonly string[] {
  return [id, ...(parts?.invites ?? [])];
}

/** The last change of an object. */
export interface Modified {
  /** As the service writes it, UTC. */
  readonly at: string | null;
  /** E-mail, else the first name. */
  readonly by: string | null;
  /** The name that the sending program gave itself. Absent if the service does not show one. */
  readonly client?: string;
}

/** Why something could not be read. */
export interface Unread {
  readonly reason: string;
  /** Whether the key lacks the right to it. */
  readonly isDenied: boolean;
}

/**
 * The objects of one kind in one scope: either a complete list, or the reason why it is unknown. An unknown list may still
 * hold pinned objects that were read one by one.
 */
export type LiveList =
  | {
      readonly status: "known";
      readonly objects: readonly LiveObject[];
      /**
       * JSON Pointers of the fields that the service takes, of those that not every service has (src/kinds/varying-fields.ts).
       * Absent if the list is empty, which shows nothing.
       */
      readonly taken?: ReadonlySet<string>;
      /** By {@link pinKey}: why a pinned object that the list lacks could not be read by its id either. It may well exist. */
      readonly hidden?: ReadonlyMap<string, Unread>;
      /** Set if a few objects were read by their ids, which says nothing about the others. */
      readonly isPart?: true;
      readonly problem?: undefined;
    }
  | (Unread & {
      readonly status: "unknown";
      /** The permission that the key lacks, if the service names it. */
      readonly missingPermission?: string | undefined;
      /**
       * Set if the service answers that it lacks the route. `undocumented`: the interface document does not show it either, and
       * another scope may list the same objects. `gone`: and the scope exists, so it is certain that it lacks a documented one.
       */
      readonly route?: "missing" | "undocumented" | "gone" | undefined;
      /** What has to be said about it. Absent if nothing has. */
      readonly problem?: ListProblem | undefined;
      readonly objects: readonly LiveObject[];
    });

/** Why a list could not be read. */
export interface ListProblem {
  readonly diagnostic: Diagnostic;
  /** Lists with the same cause are reported once. */
  readonly cause: string;
  /** In an outage: the list, and how often it was asked for. */
  readonly outage?: { readonly path: string; readonly tries: number };
  /** Set if the service does not accept the key, so that no other request with it can succeed. */
  readonly isKeyRejected?: true;
}

/** The same list, about which nothing has to be said. */
export function withoutProblem(list: LiveList): LiveList {
  return list.status === "known" ? list : { ...list, problem: undefined };
}

/** Whether the service certainly lacks a list. */
export function isGoneList(list: LiveList | undefined): boolean {
  return list?.status === "unknown" && list.route === "gone";
}

/** The ids of a scope, by the names of path parameters. */
export type ScopePath = Readonly<Record<string, string>>;

/** How a declared scope was found on the service. */
export type LiveScope =
  | { readonly status: "known"; readonly path: ScopePath }
  | { readonly status: "absent" }
  | (Unread & { readonly status: "unknown" });

/** The ids in the path of a scope; undefined if it is not known. */
export function knownPathAt(scopes: ReadonlyMap<string, LiveScope>, scope: string): ScopePath | undefined {
  const found = scopes.get(scope);
  return found?.status === "known" ? found.path : undefined;
}

/** The same, without ids if the scope is not known. */
export function scopePathAt(scopes: ReadonlyMap<string, LiveScope>, scope: string): ScopePath {
  return knownPathAt(scopes, scope) ?? {};
}

/**
 * What a plan knows of the service before it asks for more: a World (src/kinds/world.ts) without the answers to its reads. Pulumi and
 * apply have no more than this.
 */
export interface LiveWorld {
  /** By scope address; "" is the service itself. */
  readonly scopes: ReadonlyMap<string, LiveScope>;
  /** By {@link listKey}. */
  readonly lists: ReadonlyMap<string, LiveList>;
}

/** The identities that the declared resources may match in one list. Other objects can be reduced to their identity. */
export interface LookupKeys {
  /** Natural keys. */
  readonly keys: ReadonlySet<string>;
  /** Values of pins in lower case, by field. */
  readonly pins: ReadonlyMap<string, ReadonlySet<string>>;
  /** Fields of the other objects that a guard rule may read. */
  readonly fields: ReadonlySet<string>;
}

/** Whether an object has a pin. Upper and lower case are the same. */
export function hasPin({ pins }: Pick<LiveObject, "pins">, { field, value }: Pin): boolean {
  return pins[field]?.toLowerCase() === value.toLowerCase();
}

/** Whether an object has an id, in any field that can be a pin. */
export function hasId({ id, pins }: Pick<LiveObject, "id" | "pins">, wanted: string): boolean {
  return [id, ...Object.values(pins)].some((one) => one.toLowerCase() === wanted.toLowerCase());
}

/** Whether a declared resource may match an object. */
export function isLookedFor(live: LiveObject, { keys, pins }: LookupKeys): boolean {
  if (live.keys.some((key) => keys.has(key))) return true;
  for (const [field, values] of pins) {
    const pin = live.pins[field];
    if (pin !== undefined && values.has(pin.toLowerCase())) return true;
  }
  return false;
}

/** Key of {@link LiveWorld.lists}. */
export function listKey(scope: string, kind: KindName): string {
  return `${scope} ${kind}`;
}

/** Returns the lists with one more object, if the list of its kind and scope is among them. */
export function withObject(lists: LiveWorld["lists"], live: LiveObject): LiveWorld["lists"] {
  const key = listKey(live.scope, live.kind);
  const list = lists.get(key);
  return list === undefined ? lists : new Map([...lists, [key, { ...list, objects: [...list.objects, live] }]]);
}

/** Lists the objects that were found by their ids, without soft-deleted ones. */
export function present(read: readonly (LiveObject | undefined)[]): readonly LiveObject[] {
  return read.flatMap((live) => (live === undefined || live.state === "deleted" ? [] : [live]));
}

/** One kind to be listed in one scope: what a plan has to know, and a world shows. */
export interface PlannedRead {
  readonly scope: string;
  readonly kind: KindName;
  /** Whether the full form of the list is needed, because the cheapest form lacks a declared field. */
  readonly isFull: boolean;
  /** Which objects are needed with all values. Absent: all of them. */
  readonly lookupKeys?: LookupKeys | undefined;
  /** The ids of all needed objects, if they are so few that each is read by itself. */
  readonly ids?: readonly string[] | undefined;
  /** Pinned objects that are read by their ids if the list lacks them, because it may hide them. */
  readonly pins?: readonly Pin[] | undefined;
}
