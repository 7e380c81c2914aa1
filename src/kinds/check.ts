/**
 * What a plan is checked for before it is shown. A check inspects one change after the other, and says what it found: why the change
 * is refused, or what somebody has to know. It never makes a change.
 */
import type { Blocked, Change, ChangeWithWork, Work } from "../model/change.ts";
import { type Diagnostic, type Warning, warningAt } from "../model/diagnostic.ts";
import type { ValueObject } from "../model/json/json.ts";
import type { KindName } from "../model/kind-name.ts";
import { isGoneList, type LiveList, type LiveObject } from "../model/live.ts";
import type { PlanPurpose } from "../model/plan.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { listIn, wholeList, type Read, type World } from "./world.ts";

/** What checks decide on. */
export interface CheckedPlan {
  /** All changes, with the blocks of the checks before. */
  readonly changes: readonly Change[];
  readonly graph: DesiredGraph;
  readonly world: World;
  /** The objects that resources were matched with, by `claimKey`. */
  readonly claims: ReadonlySet<string>;
  /** The objects that no resource has claimed. */
  readonly undeclared: readonly LiveObject[];
  readonly prune: boolean;
  /** What it is made for. Only a check of a whole plan may ask for it. */
  readonly purpose?: PlanPurpose;
  /** The addresses that it is limited to; empty for everything. */
  readonly only: readonly string[];
  /** What a run knows besides the live state. Only a check of a whole plan may ask for it. */
  readonly memory?: {
    /** Milliseconds since 1970. */
    readonly now: number;
    /** What the service has ignored of what cannot be changed, as earlier runs recorded it. */
    readonly ignoredByService: ReadonlySet<string>;
  };
}

/** A warning about a change. */
export interface ChangeWarning extends Warning {
  /** The field whose value has this effect. */
  readonly field?: string;
}

/** The warning at its declaration: at that of its field, if there is one. */
export function warningOf({ address, work }: Pick<Change, "address" | "work">, warning: ChangeWarning): Diagnostic {
  const { position, positionOf } = work?.resource ?? {};
  const { field } = warning;
  return warningAt({ address, position: (field === undefined ? undefined : positionOf?.(field)) ?? position }, warning);
}

/** What a check found out about a change. */
export interface Finding {
  /** What it has to read first. */
  readonly needs?: readonly Read[];
  /** Why it is refused, by the rule of the check if it names no other. A block of an earlier check stays. */
  readonly blocked?: Omit<Blocked, "rule"> & Partial<Pick<Blocked, "rule">>;
  /** Set with a block if the change is shown as a replace, which it would be if it were allowed. */
  readonly action?: "replace";
  readonly warnings?: readonly (ChangeWarning | undefined)[];
  /** Stands behind the reason of the change. */
  readonly note?: string;
  /** What apply, or what comes after the checks, has to know. */
  readonly work?: Pick<Work, "moved" | "needsApproval" | "attached">;
}

export interface Check {
  /** The rule that it blocks by: checks are made in the order of the rules. Absent if it only warns. */
  readonly rule?: Blocked["rule"];
  /**
   * Set if only a whole configuration has it, because it reads, counts or only warns. "plan": a drift does not warn of what an
   * apply would do to people, but says what an apply refuses.
   */
  readonly ofWholePlan?: true | "plan";
  /** Whether it inspects the organization of a change, so that a plan has to read that. */
  readonly needsOrganization?: (change: Change) => boolean;
  /** Prepares what it needs of the whole plan, and returns what it says about one change. */
  readonly inspect: (plan: CheckedPlan) => (change: ChangeWithWork) => Finding | undefined;
}

/**
 * The values before and after what a warning is about: a plan says what an apply writes, a drift what the service has in its place.
 * Files that accept a drift say that themselves.
 */
export function beforeAndAfter(
  { purpose }: Pick<CheckedPlan, "purpose">,
  live: ValueObject,
  written: ValueObject,
): { readonly before: ValueObject; readonly after: ValueObject } | undefined {
  if (purpose === "plan") return { before: live, after: written };
  return purpose === "drift" ? { before: written, after: live } : undefined;
}

/** Objects, or what has to be read for them. */
export interface Known {
  readonly needs: readonly Read[];
  /** Undefined if they could not be read. A service without their list has none. */
  readonly objects: readonly LiveObject[] | undefined;
  /** The same, with those that were read one by one if the list could not be read. */
  readonly seen: readonly LiveObject[];
  /** Why there may be others. */
  readonly gap: string | undefined;
}

/** All objects of a kind in a scope, with all values. @param listed a list of the plan that is known to have them */
export function allObjects(world: World, scope: string, kind: KindName, listed?: LiveList): Known {
  const reads = wholeList(world, { scope, kind });
  const list = listed ?? reads.map((read) => listIn(world, read))[0];
  const isKnown = list?.status === "known" || isGoneList(list);
  return {
    needs: list === undefined ? reads : [],
    objects: isKnown ? list?.objects : undefined,
    seen: list?.objects ?? [],
    gap: isKnown ? undefined : list?.reason,
  };
}
