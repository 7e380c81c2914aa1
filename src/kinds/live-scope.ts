import type { ScopeRules } from "./kind-parts.ts";
import { allKinds, kinds } from "./registry.ts";
import type { JsonObject } from "../model/json.ts";
import { listKey, type LiveSnapshot } from "../model/live.ts";

/** The values of the live organization at a scope, and what its kind reads from them. Undefined if it was not read. */
export function liveScopeAt(
  { scopes, lists }: LiveSnapshot,
  scope: string,
): { readonly facts: ScopeRules; readonly values: JsonObject } | undefined {
  const found = scopes.get(scope);
  const id = found?.status === "known" ? found.path["organization_id"] : undefined;
  const live = allKinds.flatMap(({ name }) => lists.get(listKey("", name))?.objects ?? []).find((one) => one.id === id);
  if (live === undefined) return undefined;
  const facts = kinds[live.kind].asScope;
  return facts && { facts, values: live.values };
}
