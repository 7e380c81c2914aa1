/**
 * Which changes are refused, and how a user can allow them. A check only marks a change as blocked. It never makes a change.
 * What only some kinds need stands with these kinds (`checks` of a kind). Some blocks are set elsewhere: `pin_missing`,
 * `pinned_elsewhere` and `not_there` where no object is found (../missing-pin.ts), `expired` (./expired.ts), and two for which the
 * engine reads more before: `lock_out` (./lock-out.ts, which also blocks with `own_user`) and `destroys_more` (./destroys-more.ts).
 * The words of the reasons are in ../../model/rule-reasons.ts. An apply whose plan exceeds the limit of removals ends with words
 * of its own (../../engine/apply/approval.ts).
 */
import { undeclaredPrecedence } from "../../diff/compare.ts";
import type { Check, CheckedPlan, Finding } from "../../kinds/check.ts";
import { allKinds, kinds } from "../../kinds/registry.ts";
import { isRemoval, type Blocked, type Change, type ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { pointer } from "../../model/pointer.ts";
import { removalLimit } from "./delete-limit.ts";
import { heldNames } from "./held-names.ts";
import { refusedParent } from "./parent-rule.ts";
import { forgottenRename } from "./rename-detection.ts";
import { incompleteReplace, lossyReplace, secondReplacement } from "./replace-rules.ts";

/** The order in which a user decides: what is not wanted, which object it is, people, what is lost, what the service would refuse. */
const ORDER: readonly Blocked["rule"][] = [
  "protect",
  "prune",
  "organization_create",
  "confirm_organization",
  "forgotten_rename",
  "own_user",
  "incomplete",
  "replacement_exists",
  "replace_loses",
  "verification_required",
  "edited_as_query",
  "query_required",
  "service_refuses",
  "last_owner",
  "parent",
  "lock_out",
  "delete_limit",
];

const protectedObject: Check = {
  rule: "protect",
  look: () => (change) =>
    isRemoval(change) && change.work.resource?.lifecycle.protect === true
      ? { blocked: { remedy: "remove lifecycle.protect from the configuration" } }
      : undefined,
};

/** Only a pruned object has no resource. */
const pruneWithoutOption: Check = {
  rule: "prune",
  look:
    ({ prune }) =>
    ({ work }) =>
      work.resource === undefined && !prune
        ? { blocked: { remedy: "", command: command("apply", { prune: true }) } }
        : undefined,
};

/** A write of the declared field would undo an edit in the web interface, or change nothing. */
const editedAsQuery: Check = {
  rule: "edited_as_query",
  look:
    () =>
    ({ address, kind, fields, work: { resource, live } }) => {
      const shown = resource && live && undeclaredPrecedence(kinds[kind], resource.values, live.values);
      if (shown === undefined || !fields.some(({ path }) => path === pointer(shown.of))) return undefined;
      const remedy = `declare the ${shown.of} in the place of ${shown.over}, as this does:`;
      return { blocked: { remedy, command: command("drift", { accept: true }, address) } };
    },
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
];

/** All checks, those of the kinds first where the rule is the same. Each sees what the ones before have blocked. */
const CHECKS: readonly Check[] = [...new Set(allKinds.flatMap(({ checks = [] }) => checks)), ...GENERAL].toSorted(
  (a, b) => ORDER.indexOf(a.rule) - ORDER.indexOf(b.rule),
);

/** Returns the changes with `blocked` set where a check refuses one: the first one that does is named. */
export function checkChanges(plan: CheckedPlan): readonly Change[] {
  return CHECKS.reduce<readonly Change[]>((changes, check) => {
    const look = check.look({ ...plan, changes });
    return changes.map((change) => {
      const found = hasWork(change) && isFor(check, change) ? look(change) : undefined;
      return found === undefined || change.work === null ? change : withFinding(change as ChangeWithWork, check, found);
    });
  }, plan.changes);
}

function hasWork(change: Change): change is ChangeWithWork {
  return change.work !== null;
}

/** The checks of kinds are only for these. */
function isFor(check: Check, { kind }: Change): boolean {
  return GENERAL.includes(check) || kinds[kind].checks?.includes(check) === true;
}

/** The first block stays, but for what it takes besides to lift it. */
function withFinding(change: ChangeWithWork, { rule }: Check, { blocked, work }: Finding): Change {
  const isKept = blocked === undefined || (change.blocked !== null && work?.needsApproval !== true);
  const found = isKept ? change.blocked : { rule, ...blocked };
  return { ...change, blocked: found, work: { ...change.work, ...work } };
}
