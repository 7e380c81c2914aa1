import type { Client } from "../../api/client.ts";
import { kindSchema } from "../../kinds/fields.ts";
import { modifiedOf } from "../../kinds/rows.ts";
import type { Change } from "../../model/change.ts";
import type { LiveSnapshot } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { readObjectRow } from "../../world/read-object.ts";

/** A drift of thousands of objects is not read one by one. */
export const MAX_READS = 50;

/**
 * Adds who changed an object last, if the kind's list does not show it but a read of one object does (deployed servers list
 * insights without it). An object that cannot be read stays as it is.
 */
export async function addLastModifiedBy(client: Client, { scopes }: LiveSnapshot, plan: Plan): Promise<Plan> {
  const lacking = plan.changes.filter(lacksModifiedBy).slice(0, MAX_READS);
  const read = await Promise.all(lacking.map((change) => withModifiedBy(client, scopes, change)));
  const byAddress = new Map(read.map((change) => [change.address, change]));
  return { ...plan, changes: plan.changes.map((change) => byAddress.get(change.address) ?? change) };
}

function lacksModifiedBy({ action, kind, work }: Change): boolean {
  if (action === "no_op" || work?.live === undefined || work.live.modified?.by !== null) return false;
  return kindSchema(kind).properties["last_modified_by"] !== undefined;
}

async function withModifiedBy(client: Client, scopes: LiveSnapshot["scopes"], change: Change): Promise<Change> {
  const { work } = change;
  if (work?.live === undefined) return change;
  const { live } = work;
  const scope = scopes.get(live.scope);
  if (scope?.status !== "known") return change;
  const row = await readObjectRow(client, live, scope.path);
  const modified = row === undefined ? undefined : modifiedOf(row);
  return modified === undefined ? change : { ...change, work: { ...work, live: { ...live, modified } } };
}
