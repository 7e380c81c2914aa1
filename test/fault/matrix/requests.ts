import { operations, type OperationName, type Operation } from "../../../src/api/operations/index.ts";
import type { Kind, ScopeType, Target } from "../../../src/kinds/kind.ts";
import { createOf } from "../../../src/kinds/registry.ts";

/** The purpose of a request. */
export type Role = "list" | "get" | "create" | "update" | "remove" | "restore" | "pause" | "unpause";

/** A request that driftline sends for a kind. */
export interface KindRequest {
  readonly role: Role;
  readonly operation: Operation;
}

/** An object that has every part that a target can act on. */
const WHOLE = { id: "1", parts: { member: "1", invites: ["1"] } };

/** Every request that a kind's descriptor leads to. */
export function requestsOf(kind: Kind, scope: ScopeType): readonly KindRequest[] {
  const target = kind.writes.target(scope, WHOLE);
  const named: readonly (readonly [Role, string | undefined])[] = [
    ...kind.lists.operations(scope).map((name) => ["list", name] as const),
    ["get", target.get?.operation],
    ["create", createOf(kind)?.(scope, {}, "")?.operation],
    ["update", target.update?.({}).operation],
    ...target.remove.map(({ operation }) => ["remove", operation] as const),
    ["restore", target.restore?.operation],
    ...moves(target),
  ];
  return named.flatMap(([role, name]) =>
    name === undefined ? [] : [{ role, operation: operations[name as OperationName] }],
  );
}

function moves({ transition }: Target): readonly (readonly [Role, string])[] {
  if (transition === undefined) return [];
  return [
    ["pause", transition.operations.true],
    ["unpause", transition.operations.false],
  ];
}

/** A pattern for the paths of an operation. */
export function pathOf({ path }: Operation): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}/?$`);
}
