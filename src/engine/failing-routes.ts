import type { Client } from "../api/client.ts";
import { failsOnDeployed, operations, type OperationName } from "../api/operations/index.ts";
import type { Kind, ScopeType } from "../kinds/kind.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { suggestedCommand } from "../model/messages.ts";

/**
 * Warns about resources whose routes always fail on deployed servers, if another scope of their kind has routes that work.
 *
 * @param profile `document` stands for a service whose routes all work
 * @param changes the planned changes: a resource without one, or with nothing to do, is left out; undefined for all resources
 */
export function failingRouteWarnings(
  { resources }: DesiredGraph,
  profile: Client["profile"],
  changes?: readonly Change[],
): readonly Diagnostic[] {
  if (profile === "document") return [];
  const planned = changes && new Set(changes.filter(({ action }) => action !== "no_op").map(({ address }) => address));
  return resources.flatMap(({ address, kind: name, scope, lifecycle, position }): readonly Diagnostic[] => {
    const kind = kinds[name];
    const create = createOperation(kind, scopeType(scope));
    const isWanted = lifecycle.state !== "absent" && lifecycle.forget !== true;
    const isWritten = isWanted && planned?.has(address) !== false;
    if (!isWritten || create === undefined || !failsOnDeployed(create)) return [];
    const other = kind.scopes.find((type) => !failsOnDeployed(createOperation(kind, type) ?? create));
    const working = other === undefined ? undefined : createOperation(kind, other);
    if (other === undefined || working === undefined) return [];
    const message = `deployed servers answer 500 to ${operations[create].path}, and take a ${name} only at ${operations[working].path}`;
    const hint = `Declare it in ${kind.collection} of a ${other}. If your service takes it here: ${suggestedCommand("plan", "--profile", "document")}`;
    return [{ severity: "warning", code: "route_fails", message, hint, address, ...position }];
  });
}

function createOperation(kind: Kind, type: ScopeType): OperationName | undefined {
  return kind.create?.(type, {}, "")?.operation;
}
