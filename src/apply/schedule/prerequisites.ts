import { PROVIDER_FAILED, shutsOut, willOpen } from "../../kinds/entrances.ts";
import { referencesIn } from "../../kinds/references.ts";
import { kinds } from "../../kinds/registry.ts";
import { uniqueNameOf } from "../../kinds/unique-names.ts";
import { type Change, isCreating, isReady } from "../../model/change.ts";
import { isAsDeclared, type OutcomeError } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import { reaches } from "../../model/reaches.ts";
import type { ChangeProgress } from "../run-state.ts";

/** A change that must have ended before another one may begin. */
export interface Prerequisite {
  readonly change: Change;
  /** False if the two wait for each other. Then nothing is awaited, and how far this one has come decides at once. */
  readonly isAwaited: boolean;
  /** Why the other one is not begun once this one has ended; undefined if it is. */
  readonly refusal: (progress: ChangeProgress) => OutcomeError | undefined;
}

/** Returns the prerequisites of a change. Only creates, replaces, renames, and what keeps people out have any. */
export type PrerequisitesOf = (change: Change) => readonly Prerequisite[];

const KEY_TAKEN: OutcomeError = {
  code: "key_taken",
  message: "another object still has its natural key, because that object was neither renamed nor removed",
  hint: "Fix what failed, then apply again.",
};
const NOT_MADE: OutcomeError = {
  code: "reference_failed",
  message: "what it refers to was not created",
  hint: "Fix what failed, then apply again.",
};
const NAME_IN_DOUBT: OutcomeError = {
  code: "name_in_doubt",
  message:
    "another create with the same name has an unknown outcome; afterwards nothing would show which object is which",
  hint: "Apply again.",
};

/** Of the changes of a plan. Those that have two parts are in it by their parts, the first one first. */
export function createPrerequisites(plan: Plan): PrerequisitesOf {
  // What waits for an object waits for the first part, which makes it.
  const byAddress = new Map(plan.changes.toReversed().map((change) => [change.address, [change]]));
  const creating = new Map<string, readonly Change[]>();
  for (const change of plan.changes.filter(isCreating)) addToIndex(creating, [change.kind, change.work?.key], change);
  const freeingOf = freeingChanges(plan);
  // Renames in a circle do not wait for each other: pins say which object is which.
  const isInCircle = (change: Change): boolean => reaches(change, freeingOf, (other) => other === change);
  const referredBy = ({ kind, action, work }: Change): readonly Change[] =>
    work === null || action === "delete"
      ? []
      : referencesIn(kind, work.body).flatMap(({ text }) => (byAddress.get(text) ?? []).filter(isCreating));
  // A replacement comes last, after what refers to it has been made.
  const openersOf = (change: Change): readonly Change[] =>
    plan.changes.filter((other) => willOpen(other, change) && !referredBy(other).includes(change));
  const find = (change: Change): readonly Need[] => {
    const { address, kind, work } = change;
    const { scope = "", key } = work ?? {};
    const isNew = work !== null && isCreating(change);
    const isInner = (other: Change): boolean => other.work?.scope.startsWith(`${scope}/`) === true;
    return [
      ...need(isNew ? (byAddress.get(address) ?? []).filter((part) => part !== change) : [], () => undefined),
      // Whether the scope exists decides, and not how its change ended.
      ...need(isNew ? (byAddress.get(scope) ?? []) : [], () => undefined),
      ...need(isInCircle(change) ? [] : freeingOf(change), (other) => (isDone(other) ? undefined : KEY_TAKEN)),
      ...need(shutsOut(change) ? openersOf(change) : [], (other) => (isDone(other) ? undefined : PROVIDER_FAILED)),
      // The list of an organization shows the objects of its projects, too, so they must be known.
      ...need(isNew ? (creating.get(JSON.stringify([kind, key])) ?? []).filter(isInner) : [], ({ outcome }) =>
        outcome?.status === "unknown" ? NAME_IN_DOUBT : undefined,
      ),
      ...need(referredBy(change), ({ made }) => (made === undefined ? NOT_MADE : undefined)),
    ];
  };
  const found = withoutCircles(new Map(plan.changes.filter(isReady).map((change) => [change, find(change)])));
  return (change) => found.get(change) ?? [];
}

type Need = Omit<Prerequisite, "isAwaited">;

/** Of two that wait for each other, neither is awaited. */
function withoutCircles(needs: ReadonlyMap<Change, readonly Need[]>): ReadonlyMap<Change, readonly Prerequisite[]> {
  const before = (change: Change): readonly Change[] => (needs.get(change) ?? []).map((other) => other.change);
  const leadsTo = (goal: Change, start: Change): boolean =>
    start === goal || reaches(start, before, (one) => one === goal);
  return new Map(
    [...needs].map(([change, own]) => [
      change,
      own.map((other) => ({ ...other, isAwaited: !leadsTo(change, other.change) })),
    ]),
  );
}

function need(changes: readonly Change[], refusal: Need["refusal"]): readonly Need[] {
  return changes.map((change) => ({ change, refusal }));
}

function isDone({ outcome }: ChangeProgress): boolean {
  return outcome !== undefined && isAsDeclared(outcome);
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
