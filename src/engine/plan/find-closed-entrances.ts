/**
 * Finds the changes after which people have no way in, and blocks them: of an object that begins to keep people out, and of one
 * that has let them in. The lists are read anew, because those of the plan may lack the values of what nothing declares.
 */
import type { Client } from "../../api/client.ts";
import { entranceNeeded, idAfter, opens, valuesAfter } from "../../kinds/entrances.ts";
import type { Entrance } from "../../kinds/kind-parts.ts";
import { isDeployedAt } from "../../kinds/live-organization.ts";
import { allKinds } from "../../kinds/registry.ts";
import { isReady, type Blocked, type Change } from "../../model/change.ts";
import type { ValueObject } from "../../model/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import { isGoneList, listKey, type LiveSnapshot } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { closedBlock } from "../../plan/guard/lock-out.ts";
import { withChanges } from "../../plan/summarize.ts";
import { readLists } from "../../world/read-lists.ts";

/** A change that may leave people without a way in, and the kinds whose objects show whether it does. */
interface Concern {
  readonly change: Change;
  readonly scope: string;
  readonly entrance: Entrance;
  readonly closes: boolean;
  readonly kinds: readonly KindName[];
}

/** Returns the plan with such changes blocked. A plan without them sends nothing. */
export async function blockClosedEntrances(client: Client, snapshot: LiveSnapshot, plan: Plan): Promise<Plan> {
  const concerns = plan.changes.flatMap((change) => concernOf(snapshot, change));
  if (concerns.length === 0) return plan;
  const reads = concerns.flatMap(({ scope, kinds }) => kinds.map((kind) => ({ scope, kind, full: false })));
  const known = reads.filter(({ scope }) => snapshot.scopes.get(scope)?.status === "known");
  const unique = new Map(known.map((read) => [listKey(read.scope, read.kind), read]));
  const { lists } = await readLists(client, snapshot.scopes, [...unique.values()]);
  const blocks = new Map(concerns.map((concern) => [concern.change, blockOf(concern, lists, plan.changes)]));
  const changes = plan.changes.map((change) => ({ ...change, blocked: blocks.get(change) ?? change.blocked }));
  return withChanges(plan, changes);
}

function concernOf(snapshot: LiveSnapshot, change: Change): readonly Concern[] {
  const { scope = "", live } = change.work ?? {};
  const needed = entranceNeeded(change);
  if (needed !== undefined) {
    // A deployed server drops the setting of a new object.
    const isDropped = idAfter(change) === undefined && isDeployedAt(snapshot, scope);
    return isDropped ? [] : [{ change, scope, entrance: needed, closes: true, kinds: [needed.openedBy] }];
  }
  const closed = allKinds.find(({ entrance }) => entrance?.openedBy === change.kind);
  const isChanged = isReady(change) && (change.action === "update" || change.action === "delete");
  if (closed?.entrance === undefined || live === undefined || !isChanged) return [];
  return [{ change, scope, entrance: closed.entrance, closes: false, kinds: [closed.name, change.kind] }];
}

function blockOf(
  { change, scope, entrance, closes, kinds }: Concern,
  lists: LiveSnapshot["lists"],
  changes: readonly Change[],
): Blocked | null {
  const planned = (kind: KindName): readonly PlannedObject[] => plannedObjects(changes, lists, { scope, kind });
  const openers = planned(entrance.openedBy);
  const isShut = (id: string | undefined): boolean => !openers.some(({ values }) => opens(entrance, values, id));
  const [gap] = kinds.flatMap((kind) => {
    const list = lists.get(listKey(scope, kind));
    return list?.status !== "unknown" || isGoneList(list) ? [] : [list.reason];
  });
  if (closes) return isShut(idAfter(change)) ? closedBlock(change, { before: entrance.remedy, gap }) : null;
  const was = lists.get(listKey(scope, change.kind))?.objects.find(({ id }) => id === change.id)?.values;
  const shut = planned(kinds[0] ?? change.kind).filter(
    ({ id, values }) => entrance.isNeeded(values) && opens(entrance, was, id) && isShut(id),
  );
  const names = shut.map(({ name }) => name);
  return names.length === 0 && gap === undefined ? null : closedBlock(change, { names, gap });
}

/** An object as the plan leaves it. */
interface PlannedObject {
  readonly id: string | undefined;
  readonly name: string;
  readonly values: ValueObject;
}

function plannedObjects(
  changes: readonly Change[],
  lists: LiveSnapshot["lists"],
  { scope, kind }: { readonly scope: string; readonly kind: KindName },
): readonly PlannedObject[] {
  const own = changes.filter((one) => one.kind === kind && one.work?.scope === scope && isReady(one));
  const changed = new Set(own.map(({ id }) => id));
  const live = lists.get(listKey(scope, kind))?.objects.filter(({ id }) => !changed.has(id)) ?? [];
  return [
    ...live.map(({ id, keys, values }) => ({ id, name: keys[0] ?? id, values })),
    ...own.flatMap((change) => {
      const values = valuesAfter(change);
      return values === undefined ? [] : [{ id: idAfter(change), name: change.work?.key ?? change.address, values }];
    }),
  ];
}
