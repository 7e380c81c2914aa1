/** What most kinds have in common: how their objects are identified, and which calls they use. */
import type { KindName } from "../model/kind-name.ts";
import type { LiveObject } from "../model/live.ts";
import type { OperationName } from "./all-operations.ts";
import { naturalKey } from "./keys.ts";
import type { Identity, Target, Writes } from "./kind.ts";

/** The prefixes that have an operation of this name. */
type PrefixOf<Name extends string> = OperationName extends infer O
  ? O extends `${infer Prefix}.${Name}`
    ? Prefix
    : never
  : never;

type StandardPrefix = PrefixOf<"get"> & PrefixOf<"update"> & PrefixOf<"delete">;

/** Returns the calls of a kind that has create, get, update and delete under one prefix, such as `domains`. */
export function standardWrites(prefix: PrefixOf<"create"> & StandardPrefix): Pick<Writes, "create" | "target"> {
  return {
    create: (_scope, body) => ({ operation: `${prefix}.create`, body }),
    target: (_scope, { id }) => standardTarget(prefix, id),
  };
}

/** Returns the calls on one object of a kind that has get, update and delete under one prefix. */
export function standardTarget(prefix: StandardPrefix, id: string): Target {
  return {
    get: { operation: `${prefix}.get`, path: { id } },
    update: (body) => ({ operation: `${prefix}.update`, path: { id }, body }),
    remove: [{ operation: `${prefix}.delete`, path: { id } }],
  };
}

/** The identity of a kind that has ids and lists of its own, and one field as its natural key. */
export function identifiedBy(kind: KindName, field: string, toKey = naturalKey): Identity {
  return { idSpace: kind, of: scopedIdentity, keyFields: [field], declaredKeys: (values) => toKey(values[field]) };
}

/**
 * Returns scope, id and natural key as one text. Ids are unique within a scope only, and the natural key distinguishes objects
 * of kinds that number theirs independently.
 */
export function scopedIdentity(live: LiveObject): string {
  return [live.scope, live.id, live.keys[0] ?? ""].join(" ");
}
