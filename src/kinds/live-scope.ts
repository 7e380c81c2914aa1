import type { ScopeRules } from "./kind-parts.ts";
import { allKinds, kinds } from "./registry.ts";
import type { JsonObject } from "../model/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { listKey, scopePathAt, type LiveSnapshot } from "../model/live.ts";

/** The values of the live organization at a scope, and what its kind reads from them. Undefined if it was not read. */
export function liveScopeAt(
  { scopes, lists }: LiveSnapshot,
  scope: string,
): { readonly facts: ScopeRules; readonly values: JsonObject } | undefined {
  const id = scopePathAt(scopes, scope)["organization_id"];
  const live = allKinds.flatMap(({ name }) => lists.get(listKey("", name))?.objects ?? []).find((one) => one.id === id);
  if (live === undefined) return undefined;
  const facts = kinds[live.kind].asScope;
  return facts && { facts, values: live.values };
}

/** Why the list of a kind at a scope lacks objects that the key's user may not see; undefined if it is whole. */
export function gapAt(snapshot: LiveSnapshot, scope: string, kind: KindName): string | undefined {
  return kinds[kind].lists.gap?.(liveScopeAt(snapshot, scope)?.values ?? {});
}

/** Whether the organization at a scope shows that its service is a deployed server. */
export function isDeployedAt(snapshot: LiveSnapshot, scope: string): boolean {
  const found = liveScopeAt(snapshot, scope);
  return found?.facts.isDeployed(found.values) === true;
}
