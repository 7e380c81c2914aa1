import type { JsonObject } from "../model/json.ts";
import { listKey, scopePathAt, type LiveSnapshot } from "../model/live.ts";

/** The values of the live organization at a scope. Undefined if it was not read. */
export function organizationAt({ scopes, lists }: LiveSnapshot, scope: string): JsonObject | undefined {
  const id = scopePathAt(scopes, scope)["organization_id"];
  return lists.get(listKey("", "organization"))?.objects.find((one) => one.id === id)?.values;
}

/** Whether the organization at a scope shows that its service is a deployed server. The interface document shows a text. */
export function isDeployedAt(snapshot: LiveSnapshot, scope: string): boolean {
  return typeof organizationAt(snapshot, scope)?.["member_count"] === "number";
}
