import type { Client } from "../api/client.ts";
import { kindSchema } from "../kinds/fields.ts";
import { modifiedOf } from "../kinds/helpers.ts";
import type { Change } from "../model/change.ts";
import type { LiveSnapshot } from "../model/live.ts";
import type { Plan } from "../model/plan.ts";
import { readObjectRow } from "../snapshot/read-object.ts";

/** For so many objects at most: a drift of thousands is not looked at one by one. */
const MAX_READS = 50;

/**
 * The same plan, with who was it where the list of a kind does not say so, but a read of one object does (the short lists of
 * insights that deployed servers give). What cannot be read goes without.
 */
export async function addLastModifiedBy(client: Client, { scopes }: LiveSnapshot, plan: Plan): Promise<Plan> {
  const unsigned = plan.changes.filter(lacksModifiedBy).slice(0, MAX_READS);
  const signed = await Promise.all(unsigned.map((change) => withModifiedBy(client, scopes, change)));
  const byAddress = new Map(signed.map((change) => [change.address, change]));
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
