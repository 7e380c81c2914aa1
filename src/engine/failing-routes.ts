import type { Client } from "../api/client.ts";
import { failsOnDeployed, operations, type OperationName } from "../api/operations/index.ts";
import type { Kind, ScopeType } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import { isSelected, scopeType } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { DesiredGraph } from "../model/resource.ts";

/**
 * Warns about resources whose routes always fail on deployed servers, if another scope of their kind has routes that work.
 *
 * @param profile `document` stands for a service whose routes all work
 * @param only the selected addresses; empty for all
 */
export function failingRouteWarnings(
  { resources }: DesiredGraph,
  profile: Client["profile"],
  only: readonly string[] = [],
): readonly Diagnostic[] {
  if (profile === "document") return [];
  return resources.flatMap(({ address, kind: name, scope, lifecycle, position }): readonly Diagnostic[] => {
    const kind = kinds[name];
    const create = createOperation(kind, scopeType(scope));
    const isWritten = lifecycle.state !== "absent" && lifecycle.forget !== true && isSelected(address, only);
    if (!isWritten || create === undefined || !failsOnDeployed(create)) return [];
    const other = kind.scopes.find((type) => !failsOnDeployed(createOperation(kind, type) ?? create));
    const working = other === undefined ? undefined : createOperation(kind, other);
    if (other === undefined || working === undefined) return [];
    const message = `deployed servers answer 500 to ${operations[create].path}, and take a ${name} only at ${operations[working].path}`;
    const hint = `Declare it in ${kind.collection} of a ${other}. If your service takes it here, use --profile document.`;
    return [{ severity: "warning", code: "route_fails", message, hint, address, ...position }];
  });
}

function createOperation(kind: Kind, type: ScopeType): OperationName | undefined {
  return kind.create?.(type, {}, "")?.operation;
}
