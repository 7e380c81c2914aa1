/**
 * Which changes are refused, and how a user can allow them; and what somebody has to know of a change. A check only marks a change. It
 * never makes one. What only some kinds need stands with these kinds (`checks` of a kind). Blocks that are set elsewhere: `pin_missing`,
 * `pinned_elsewhere` and `not_there` where no object is found (../missing-pin.ts). The words of the reasons, the
 * order of the rules and what lifts them are in ../../model/rules.ts; override.ts lifts what an apply may.
 */
import { undeclaredPrecedence } from "../../diff/shown-as.ts";
import { withAttached } from "../../diff/fingerprint.ts";
import { type Check, type CheckedPlan, type Finding, warningOf } from "../../kinds/check.ts";
import { allKinds, kinds } from "../../kinds/registry.ts";
import { unansweredReads, type Needing, type Read } from "../../kinds/world.ts";
import { isRemoval, type Change, type ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { PlanPurpose } from "../../model/plan.ts";
import { pointer } from "../../model/pointer.ts";
import { RULE_NAMES, ruleText } from "../../model/rules.ts";
import { removalLimit } from "./delete-limit.ts";
import { heldNames } from "./held-names.ts";
import { refusedParent } from "./parent-rule.ts";
import { forgottenRename } from "./rename-detection.ts";
import { removesOtherName, unseenFields } from "./found-objects.ts";
import { probablySame } from "./probably-same.ts";
import { incompleteReplace, lossyReplace, secondReplacement } from "./replace-rules.ts";

const protectedObject: Check = {
  rule: "protect",
  inspect: () => (change) =>
    isRemoval(change) && change.work.resource?.lifecycle.protect === true
      ? { blocked: { lift: "remove lifecycle.protect from the configuration" } }
      : undefined,
};

/** Only a pruned object has no resource. */
const pruneWithoutOption: Check = {
  rule: "prune",
  inspect:
    ({ prune }) =>
    ({ work }) =>
      work.resource === undefined && !prune
        ? { blocked: { lift: "", command: command("apply", { prune: true }) } }
        : undefined,
};

/** A write of the declared field would undo an edit in the web interface, or change nothing. */
const editedAsQuery: Check = {
  rule: "edited_as_query",
  inspect:
    () =>
    ({ address, kind, fields, work: { resource, live } }) => {
      const undeclared = resource && live && undeclaredPrecedence(kinds[kind], resource.values, live.values);
      if (undeclared === undefined || !fields.some(({ path }) => path === pointer(undeclared.of))) return undefined;
      const lift = `declare the ${undeclared.of} in the place of ${undeclared.over}, as this does:`;
      return { blocked: { lift, command: command("drift", { accept: true, only: address }) } };
    },
};

/** Where the declaration is that the service would refuse. */
const refusedDeclaration: Check = {
  inspect:
    () =>
    ({ blocked }) =>
      blocked?.rule === "service_refuses"
        ? { warnings: [{ code: blocked.rule, message: `${ruleText(blocked)}: ${blocked.lift}` }] }
        : undefined,
};

const GENERAL: readonly Check[] = [
  protectedObject,
  pruneWithoutOption,
  forgottenRename,
  incompleteReplace,
  secondReplacement,
  lossyReplace,
  editedAsQuery,
  refusedParent,
  heldNames,
  removalLimit,
  unseenFields,
  removesOtherName,
  refusedDeclaration,
  probablySame,
];

const OF_KINDS: ReadonlySet<Check> = new Set(allKinds.flatMap(({ checks = [] }) => checks));

/** Those of the kinds come first where the rule is the same, and those that only warn are last. */
function inOrder(checks: readonly Check[]): readonly Check[] {
  const rankOf = ({ rule }: Check): number => (rule === undefined ? RULE_NAMES.length : RULE_NAMES.indexOf(rule));
  return checks.toSorted((a, b) => rankOf(a) - rankOf(b));
}

const ALL = [...OF_KINDS, ...GENERAL];

/** The checks of any plan, also of one resource. They read nothing. */
export const CHECKS: readonly Check[] = inOrder(ALL.filter(({ ofWholePlan }) => ofWholePlan === undefined));

/** The checks that only a whole configuration has. */
export function wholePlanChecks(purpose: PlanPurpose): readonly Check[] {
  return inOrder(ALL.filter(({ ofWholePlan }) => ofWholePlan === true || ofWholePlan === purpose));
}

/** Changes that were checked, and what has to be read to check them. */
export interface Checked extends Needing {
  readonly changes: readonly Change[];
  readonly warnings: readonly Diagnostic[];
}

/** Sets `blocked` where a check refuses a change: the first one that does is named. Each sees what the ones before have blocked. */
export function checkChanges(checks: readonly Check[], plan: CheckedPlan): Checked {
  const needs: Read[] = [];
  const warnings = new Map<string, Diagnostic[]>(plan.changes.map(({ address }) => [address, []]));
  const changes = checks.reduce<readonly Change[]>((before, check) => {
    const inspect = check.inspect({ ...plan, changes: before });
    return before.map((change) => {
      const finding = hasWork(change) && isFor(check, change) ? inspect(change) : undefined;
      if (!hasWork(change) || finding === undefined) return change;
      needs.push(...(finding.needs ?? []));
      if (unansweredReads(plan.world, finding.needs ?? []).length > 0) return change;
      const said = (finding.warnings ?? []).flatMap((one) => (one === undefined ? [] : [warningOf(change, one)]));
      warnings.get(change.address)?.push(...said);
      return withFinding(change, check, finding);
    });
  }, plan.changes);
  return { changes, needs, warnings: [...warnings.values()].flat() };
}

function hasWork(change: Change): change is ChangeWithWork {
  return change.work !== null;
}

/** The checks of kinds are only for these. */
function isFor(check: Check, { kind }: Change): boolean {
  return !OF_KINDS.has(check) || kinds[kind].checks?.includes(check) === true;
}

/** The first block stays, unless the finding says what else is needed (`needsApproval`). */
function withFinding(change: ChangeWithWork, { rule }: Check, { blocked, note = "", work, action }: Finding): Change {
  const isKept = blocked === undefined || (change.blocked !== null && work?.needsApproval === undefined);
  const named = blocked?.rule ?? rule;
  const refused =
    isKept || named === undefined ? {} : { blocked: { ...blocked, rule: named }, ...(action && { action }) };
  const { fingerprint } = change;
  const isCovered = work?.attached !== undefined && fingerprint !== null;
  return {
    ...change,
    ...refused,
    reason: note === "" ? change.reason : `${change.reason}; ${note}`,
    fingerprint: isCovered ? withAttached(fingerprint, work.attached) : fingerprint,
    work: { ...change.work, ...work },
  };
}

/** Whether what a plan is checked for depends on the organization of a change. */
export function needsOrganization(change: Change): boolean {
  return kinds[change.kind].checks?.some((check) => check.needsOrganization?.(change) === true) === true;
}
