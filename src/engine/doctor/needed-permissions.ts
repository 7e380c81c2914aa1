/**
 * The permissions of a key that a configuration needs. The service calls them scopes.
 *
 * Premise: a plan lists every declared kind in its scope, and the kind's siblings. It reads the organizations unless their
 * declared ids are enough. An apply may send any operation that brings an object to its declared state. Operations without a
 * documented permission add nothing.
 */
import { isOperationName, operations } from "../../api/operations/index.ts";
import type { Kind, Target } from "../../kinds/kind.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import {
  scopesOfKind,
  allKinds,
  createOf,
  isRestorable,
  neverCreated,
  isScope,
  kinds,
  scopeType,
  withSiblings,
} from "../../kinds/registry.ts";
import { type KindName, kindNames } from "../../model/kind-name.ts";
import type { DesiredGraph, Resource } from "../../model/resource.ts";
import { needsOnlyPins } from "../../plan/scopes-from-pins.ts";

export interface NeededPermissions {
  /** For plan and drift. Sorted. */
  readonly read: readonly string[];
  /** For apply, in addition. Sorted. */
  readonly write: readonly string[];
}

/** Returns the permissions that the key needs to plan and to apply the configuration. */
export function neededPermissions(graph: DesiredGraph): NeededPermissions {
  const writes = new Set(graph.resources.flatMap(writesOf));
  for (const { scope, kind } of graph.exclusive)
    for (const { operation } of targetFor(kinds[kind], scope).remove) writes.add(operation);
  return { read: permissionsOf(listOperationsOf(graph)), write: permissionsOf(writes) };
}

/** The list operations that a plan of the configuration sends. */
function listOperationsOf(graph: DesiredGraph): ReadonlySet<string> {
  const isPinned = needsOnlyPins(graph, []);
  const read = [...graph.resources, ...graph.exclusive].flatMap(({ kind, scope }) =>
    !isScope(kinds[kind]) || !isPinned
      ? withSiblings(kind).flatMap((name) => kinds[name].lists.operations(scopeType(scope)))
      : [],
  );
  return new Set(read);
}

/** The list operations that an export of these kinds sends. It always reads the organizations. */
export function listOperationsOfExport(names: readonly KindName[] = kindNames): ReadonlySet<string> {
  const read = allKinds.filter((kind) => isScope(kind) || names.includes(kind.name));
  return new Set(read.flatMap(({ name, lists }) => scopesOfKind(name).flatMap((type) => lists.operations(type))));
}

/** Returns the operations that an apply may send for a resource. */
function writesOf(resource: Resource): readonly string[] {
  const kind = kinds[resource.kind];
  const { lifecycle, scope } = resource;
  if (!mayBeWritten(resource, kind)) return [];
  const { update, remove, restore, transition } = targetFor(kind, scope);
  if (lifecycle.state === "absent") return operationNames(remove);
  const replaced = update === undefined || kind.writes.onePerKey === true ? remove : [];
  const calls = [createOf(kind)?.(scopeType(scope), {}, "x"), update?.({}), restore, ...replaced];
  return [...operationNames(calls), ...Object.values(transition?.operations ?? {})];
}

/** A resource is never written if it only names the parent of others, or if it is to be forgotten. */
function mayBeWritten({ lifecycle, values, pin }: Resource, kind: Kind): boolean {
  if (lifecycle.forget === true) return false;
  if (lifecycle.state === "absent") return true;
  const named = new Set(pin === undefined ? kind.identity.keyFields : []);
  const writesFields = Object.keys(values).some((field) => !named.has(field));
  const renamed = lifecycle.renamed_from !== undefined;
  const isMade = isScope(kind) ? lifecycle.create === true : neverCreated(kind) === undefined && pin === undefined;
  return writesFields || renamed || isMade || (pin !== undefined && isRestorable(kind));
}

function targetFor(kind: Kind, scope: string): Target {
  // The ids only have to be present, so that all operations are returned.
  return kind.writes.target(scopeType(scope), { id: "x", parts: { member: "x", invites: ["x"] } });
}

function operationNames(calls: readonly (Call | undefined)[]): readonly string[] {
  return calls.flatMap((call) => (call === undefined ? [] : [call.operation]));
}

/** The documented permissions of operations. Sorted. */
export function permissionsOf(called: ReadonlySet<string>): readonly string[] {
  const permissions = [...called].flatMap((name) => (isOperationName(name) ? (operations[name].permission ?? []) : []));
  return [...new Set(permissions)].toSorted();
}

/** The permissions of a key that applies. One to write includes the one to read the same. */
export function permissionsToApply({ read, write }: NeededPermissions): readonly string[] {
  const written = new Set(write.map(objectOf));
  return [...read.filter((one) => !written.has(objectOf(one))), ...write];
}

function objectOf(permission: string): string {
  return permission.slice(0, permission.lastIndexOf(":"));
}
