/**
 * A plan that removes many objects at once, or all that are declared nowhere, is probably a mistake. So it needs an
 * approval of its hash. Its reason is in ../../model/rules.ts.
 */
import type { Check } from "../../kinds/check.ts";
import { allKinds } from "../../kinds/registry.ts";
import { isPruned, isRemoval, type Change, type ChangeWithWork, type LiveChange } from "../../model/change.ts";
import { command, optionWords, PLAN_HASH } from "../../model/command.ts";
import { groupBy } from "../../model/group-by.ts";
import { isPresent, listKey, type LiveList, type LiveObject, type LiveWorld } from "../../model/live.ts";
import { plural } from "../../model/text/plural.ts";
import { isLoss } from "../../model/rules.ts";
import { claimKey } from "../match.ts";

/** More removals at once need approval: more than a number, or more than a share of a kind that has {@link SHARE_FROM} objects. */
interface Limit {
  readonly most: number;
  readonly share: number;
  readonly counts: (change: Change) => boolean;
}

/**
 * What is declared absent was written down by its name, and reviewed, so more of it may go. Both numbers stay below what a
 * mistake in a loop or in a copied file would remove.
 */
const LIMITS: readonly Limit[] = [
  { most: 5, share: 0.1, counts: (change) => willRemove(change) && !isDeclaredAbsent(change) },
  { most: 20, share: 0.5, counts: willRemove },
];
const SHARE_FROM = 10;

/**
 * Blocks the removals of a plan that has more than a limit, or leaves a collection empty. A change that would lose something keeps
 * that block, which `--allow-loss` lifts, and needs `--approve` in addition.
 */
export const removalLimit: Check = {
  rule: "delete_limit",
  ofWholePlan: true,
  inspect: ({ changes, world: { lists } }) => {
    const excess = excessOf(changes, lists);
    const emptied = excess === undefined ? emptiedCollections(changes, lists) : new Map<string, string>();
    return (change) => {
      const detail = excess ?? (isPruned(change) ? emptied.get(listOf(change)) : undefined);
      if (detail === undefined || !willRemove(change)) return undefined;
      const blocked = { detail, lift: "", command: command("apply", { approve: PLAN_HASH }) };
      if (change.blocked === null) return { blocked };
      const words = [...(change.blocked.command ?? []), ...optionWords("approve", PLAN_HASH)];
      return {
        blocked: { ...change.blocked, command: words },
        work: { needsApproval: { ...blocked, rule: "delete_limit" } },
      };
    };
  },
};

/**
 * The exclusive collections that a prune would leave empty, or with nothing but what another rule keeps. Each has a text that says what
 * is removed, under its {@link listKey}. A file that lost its end looks like this, and so does a collection without a value.
 */
function emptiedCollections(changes: readonly Change[], lists: LiveWorld["lists"]): ReadonlyMap<string, string> {
  const staying = new Set(changes.filter(({ action, blocked }) => blocked === null && CREATES.has(action)).map(listOf));
  const going = new Set(
    changes.filter(hasLive).flatMap((change) => {
      const isGoing = isPruned(change) || (willRemove(change) && isDeclaredAbsent(change));
      return isGoing ? [claimKey(change.work.live)] : [];
    }),
  );
  const isEmptied = (list: string): boolean =>
    !staying.has(list) &&
    (lists.get(list)?.objects ?? []).every((live) => !isPresent(live) || going.has(claimKey(live)));
  const pruned = groupBy(
    changes.filter((change) => willRemove(change) && isPruned(change)),
    listOf,
  );
  return new Map(
    [...pruned].flatMap(([list, removals]) => {
      const [{ kind, work }] = removals;
      const what = `${plural(removals.length, kind.replaceAll("_", " "))} in ${work?.scope ?? ""}`;
      return isEmptied(list) ? [[list, `${what}, where none is declared to stay`]] : [];
    }),
  );
}

const CREATES: ReadonlySet<Change["action"]> = new Set(["create", "restore"]);

function listOf({ kind, work }: Change): string {
  return listKey(work?.scope ?? "", kind);
}

/** What the plan removes beyond its smallest limit, such as "7 of 60 insights; at most 5"; undefined if it needs no approval. */
function excessOf(changes: readonly Change[], lists: LiveWorld["lists"]): string | undefined {
  for (const { most, share, counts } of LIMITS) {
    const removals = changes.filter(counts);
    const byKind = allKinds
      .map(({ name }) => ({ name, gone: removals.filter(({ kind }) => kind === name).length }))
      .filter(({ gone }) => gone > 0)
      .map(({ name, gone }) => {
        const live = countLive(lists, name);
        return { gone, live, text: `${String(gone)} of ${plural(live, name.replaceAll("_", " "))}` };
      });
    const shares = byKind.flatMap(({ gone, live, text }) =>
      live >= SHARE_FROM && gone > live * share ? [{ text, limit: Math.floor(live * share) }] : [],
    );
    const total = removals.length > most ? [{ text: byKind.map(({ text }) => text).join(", "), limit: most }] : [];
    // A user who keeps to a larger limit would be refused again.
    const [first] = [...shares, ...total].toSorted((a, b) => a.limit - b.limit);
    if (first !== undefined) return `${first.text}; at most ${String(first.limit)}`;
  }
  return undefined;
}

/**
 * Whether a removal will be made, or would be if a loss is allowed. Each has an object to work on. An invite that has expired is no loss.
 */
function willRemove(change: Change): change is ChangeWithWork {
  const { blocked, work } = change;
  return isRemoval(change) && work?.live?.state !== "expired" && (blocked === null || isLoss(blocked));
}

function hasLive(change: Change): change is LiveChange {
  return change.work?.live !== undefined;
}

function isDeclaredAbsent({ work }: ChangeWithWork): boolean {
  return work.resource?.lifecycle.state === "absent";
}

/** Two lists may show one object: those of an organization and of its project. */
function countLive(lists: ReadonlyMap<string, LiveList>, kind: Change["kind"]): number {
  const isCounted = (live: LiveObject): boolean => live.kind === kind && isPresent(live) && live.state !== "expired";
  const counted = [...lists.values()].flatMap((list) => list.objects).filter(isCounted);
  return new Set(counted.map(claimKey)).size;
}
