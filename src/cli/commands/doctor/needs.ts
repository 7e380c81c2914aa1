/**
 * The scopes that a configuration needs.
 *
 * Premise: a plan lists every declared kind in its scope, and its relatives; an apply may send any operation by which the kind
 * is brought to what was declared. Operations without a listed scope add nothing: nobody knows what they need.
 */
import { isOperationName, operations } from "../../../api/operations/index.ts";
import type { Call, Kind, Target } from "../../../kinds/kind.ts";
import { kinds } from "../../../kinds/registry.ts";
import { scopeType } from "../../../model/address.ts";
import type { DesiredGraph, Resource } from "../../../model/resource.ts";

export interface NeededScopes {
  /** For plan and drift. Sorted. */
  readonly read: readonly string[];
  /** For apply, in addition. Sorted. */
  readonly write: readonly string[];
}

/** What the key has to be allowed to plan and to apply everything that is declared. */
export function neededScopes(graph: DesiredGraph): NeededScopes {
  const reads = new Set(["organizations.list"]);
  const writes = new Set<string>();
  for (const resource of graph.resources) {
    addLists(reads, kinds[resource.kind], resource.scope);
    for (const call of writesOf(resource)) writes.add(call);
  }
  for (const { scope, kind } of graph.exclusive) {
    addLists(reads, kinds[kind], scope);
    for (const { operation } of target(kinds[kind], scope).remove) writes.add(operation);
  }
  return { read: scopesOf(reads), write: scopesOf(writes) };
}

function addLists(reads: Set<string>, kind: Kind, scope: string): void {
  const all = [kind, ...kind.siblings.map((sibling) => kinds[sibling])];
  for (const one of all) for (const operation of one.lists(scopeType(scope))) reads.add(operation);
}

/** What an apply may send for a resource. */
function writesOf(resource: Resource): readonly string[] {
  const kind = kinds[resource.kind];
  const { lifecycle, scope } = resource;
  if (!mayBeWritten(resource, kind)) return [];
  const { update, remove, restore, transition } = target(kind, scope);
  if (lifecycle.state === "absent") return names(remove);
  const replaced = update === undefined || kind.removeFirst === true ? remove : [];
  const calls = [kind.create?.(scopeType(scope), {}, "x"), update?.({}), restore, ...replaced];
  return [...names(calls), ...Object.values(transition?.operations ?? {})];
}

/** Not where it is only named, to say where other things belong, or to be left alone. */
function mayBeWritten({ lifecycle, values, pin }: Resource, kind: Kind): boolean {
  if (lifecycle.forget === true) return false;
  if (lifecycle.state === "absent") return true;
  const named = new Set(pin === undefined ? kind.keyFields : []);
  const writesFields = Object.keys(values).some((field) => !named.has(field));
  const renamed = lifecycle.renamed_from !== undefined;
  const isMade =
    kind.requiresExplicitCreate === true ? lifecycle.create === true : kind.create !== undefined && pin === undefined;
  return writesFields || renamed || isMade || (pin !== undefined && kind.restorable === true);
}

function target(kind: Kind, scope: string): Target {
  // Whatever the object is made of: all of its operations are wanted.
  return kind.target(scopeType(scope), { id: "x", parts: { member: "x", invites: ["x"] } });
}

function names(calls: readonly (Call | undefined)[]): readonly string[] {
  return calls.flatMap((call) => (call === undefined ? [] : [call.operation]));
}

function scopesOf(called: ReadonlySet<string>): readonly string[] {
  const found = [...called].flatMap((name) => (isOperationName(name) ? (operations[name].scope ?? []) : []));
  return [...new Set(found)].toSorted();
}
