/**
 * Reads what changes destroy or leave beside their own object.
 *
 * Premise: a list does not show it, and unknown is not nothing. The fingerprint covers it, so that apply notices what is added
 * later.
 * Algorithm: read each object that is to be removed, or changed in a way that may destroy something. No other object is read.
 */
import type { Client } from "../../api/client.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { LiveSnapshot } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { mayDestroy, withLoss } from "../../plan/guard/destroys-more.ts";
import { withChanges } from "../../plan/summarize.ts";
import { readObject } from "../../world/read-object.ts";

export async function addAttached(client: Client, { scopes }: LiveSnapshot, plan: Plan): Promise<Plan> {
  const changes = await Promise.all(
    plan.changes.map(async (change): Promise<Change> => {
      const { work } = change;
      const { attached } = kinds[change.kind];
      if (attached === undefined || work?.live === undefined || !mayDestroy(attached, change, work)) return change;
      const scope = scopes.get(work.live.scope);
      const live = scope?.status === "known" ? await readObject(client, work.live, scope.path) : undefined;
      return withLoss(change, work, attached, live?.attached);
    }),
  );
  return withChanges(plan, changes);
}
