import type { Client } from "../api/client.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { listKey, type LiveSnapshot } from "../model/live.ts";
import { newlyEnforced, twoFactorWarnings } from "../plan/guard/two-factor.ts";
import { takeSnapshot } from "../snapshot/snapshot.ts";

/**
 * Returns warnings about consequences of planned changes. A list that a warning needs and the plan did not read is read now.
 * If it cannot be read there is no warning: warnings decide nothing.
 */
export async function planWarnings(
  client: Client,
  { scopes, lists }: LiveSnapshot,
  changes: readonly Change[],
): Promise<readonly Diagnostic[]> {
  const missing = newlyEnforced(changes)
    .filter((scope) => !lists.has(listKey(scope, "member")))
    .map((scope) => ({ scope, kind: "member" as const, full: false }));
  const read = missing.length === 0 ? [] : (await takeSnapshot(client, scopes, missing)).lists;
  return twoFactorWarnings(changes, new Map([...lists, ...read]));
}
