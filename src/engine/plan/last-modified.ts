import { kindSchema } from "../../kinds/fields.ts";
import { modifiedOf } from "../../kinds/rows.ts";
import { objectRead } from "../../kinds/object-read.ts";
import { type Needing, rowsIn, type RowsRead, rowsOf, type World } from "../../kinds/world.ts";
import type { Change } from "../../model/change.ts";
import { knownPathAt, type LiveSnapshot } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";

/** A drift of thousands of objects is not read one by one. */
export const MAX_READS = 50;

/**
 * Adds who changed an object last, if the kind's list does not show it but a read of one object does (deployed servers list
 * insights without it). An object that cannot be read stays as it is.
 */
export function withLastModifiedBy(world: World, plan: Plan): Needing & { readonly plan: Plan } {
  const lacking = plan.changes.filter(lacksModifiedBy).slice(0, MAX_READS);
  const reads = new Map(lacking.flatMap((change) => readOf(world, change).map((read) => [change, read])));
  const changes = plan.changes.map((change) => {
    const read = reads.get(change);
    const [row] = rowsOf(read && rowsIn(world, read));
    return row === undefined ? change : withModifiedBy(change, modifiedOf(row));
  });
  return { plan: { ...plan, changes }, needs: [...reads.values()] };
}

function lacksModifiedBy({ action, kind, work }: Change): boolean {
  if (action === "no_op" || work?.live === undefined || work.live.modified?.by !== null) return false;
  return kindSchema(kind).properties["last_modified_by"] !== undefined;
}

function readOf({ scopes }: LiveSnapshot, { work }: Change): readonly RowsRead[] {
  const path = knownPathAt(scopes, work?.live?.scope ?? "");
  const read = work?.live && path && objectRead(work.live, path);
  return read === undefined ? [] : [read];
}

function withModifiedBy(change: Change, modified: ReturnType<typeof modifiedOf>): Change {
  const { work } = change;
  return work?.live === undefined || modified === undefined
    ? change
    : { ...change, work: { ...work, live: { ...work.live, modified } } };
}
