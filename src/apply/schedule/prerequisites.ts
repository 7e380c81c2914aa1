import { shutsOut, willOpen } from "../../kinds/entrances.ts";
import { referencesIn } from "../../kinds/references.ts";
import { kinds } from "../../kinds/registry.ts";
import { uniqueNameOf } from "../../kinds/unique-names.ts";
import { type Change, isCreating } from "../../model/change.ts";
import type { Plan } from "../../model/plan.ts";
import { reaches } from "../../model/reaches.ts";

/** The changes that must end before a change may begin. */
export interface Prerequisites {
  /** The create of its parent. */
  readonly parent: readonly Change[];
  /** The renames, and for a unique name the removal, that free the natural key that it takes. */
  readonly freeing: readonly Change[];
  /**
   * Creates of the same name in scopes inside its own. The list of an organization shows their objects, too, so they
   * must be known.
   */
  readonly inner: readonly Change[];
  /** What lets in the people that it keeps out. A create waits for it only before its last step. */
  readonly opening: readonly Change[];
  /** What makes the objects that it refers to, and that have no ids yet. */
  readonly referred: readonly Change[];
}

/** Returns the prerequisites of each change of a plan. Only creates, replaces, renames, and what keeps people out have any. */
export function createPrerequisites(plan: Plan): (change: Change) => Prerequisites {
  const byAddress = new Map(plan.changes.map((change) => [change.address, [change]]));
  const creating = new Map<string, readonly Change[]>();
  for (const change of plan.changes.filter(isCreating)) addToIndex(creating, [change.kind, change.work?.key], change);
  const freeingOf = freeingChanges(plan);
  // Renames in a circle do not wait for each other: pins say which object is which.
  const isInCircle = (change: Change): boolean => reaches(change, freeingOf, (other) => other === change);
  const referredBy = ({ kind, action, work }: Change): readonly Change[] =>
    work === null || action === "delete"
      ? []
      : referencesIn(kind, work.body).flatMap(({ text }) => (byAddress.get(text) ?? []).filter(isCreating));
  return (change) => {
    const { kind, work } = change;
    const { scope = "", key } = work ?? {};
    const isInner = (other: Change): boolean => other.work?.scope.startsWith(`${scope}/`) === true;
    const isNew = work !== null && isCreating(change);
    return {
      parent: isNew ? (byAddress.get(scope) ?? []) : [],
      freeing: isInCircle(change) ? [] : freeingOf(change),
      inner: isNew ? (creating.get(JSON.stringify([kind, key])) ?? []).filter(isInner) : [],
      // A replacement comes last, after what refers to it has been made.
      opening: shutsOut(change)
        ? plan.changes.filter(
            (other) => willOpen(other, change) && (change.action === "create" || !referredBy(other).includes(change)),
          )
        : [],
      referred: referredBy(change),
    };
  };
}

/** Returns what frees the name that a change takes. */
function freeingChanges({ changes }: Plan): (change: Change) => readonly Change[] {
  const freeing = new Map<string, readonly Change[]>();
  for (const change of changes) {
    const { action, work } = change;
    const isFreeing = action === "update" || action === "replace" || action === "delete";
    for (const key of isFreeing ? (work?.live?.keys ?? []) : [])
      if (action === "delete" || key !== work?.key) addToIndex(freeing, nameOf(change, key), change);
  }
  return (change) => {
    const all = isNaming(change) ? (freeing.get(JSON.stringify(nameOf(change, change.work?.key))) ?? []) : [];
    // A name that several objects can have need not be free.
    const others = all.filter((other) => other !== change);
    return uniqueNameOf(change) === undefined ? others.filter(({ action }) => action !== "delete") : others;
  };
}

/** Whether an object has another name after a change. */
function isNaming(change: Change): boolean {
  const { action, work } = change;
  const isRename = action === "update" && typeof work?.key === "string" && work.live?.keys.includes(work.key) === false;
  return isCreating(change) || isRename;
}

/** A name in its place: kinds of one id space share their objects. */
function nameOf({ kind, work }: Change, key: string | null | undefined): readonly unknown[] {
  return [kinds[kind].identity.idSpace, work?.scope, key];
}

function addToIndex(index: Map<string, readonly Change[]>, keys: readonly unknown[], change: Change): void {
  const key = JSON.stringify(keys);
  index.set(key, [...(index.get(key) ?? []), change]);
}
