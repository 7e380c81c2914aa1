/** A change that destroys more than its own object is not made before somebody has seen what would be lost. */
import { withAttached } from "../../diff/fingerprint.ts";
import type { AttachedObjects } from "../../kinds/kind-parts.ts";
import { command, PLAN_HASH } from "../../model/command.ts";
import { isRemoval, type Blocked, type Change, type Work } from "../../model/change.ts";
import type { Attached } from "../../model/live.ts";
import { plural } from "../../model/plural.ts";

/**
 * Whether a change may destroy what hangs on its object, so that it has to be read. A delete that waits for `--prune` is not: a plan
 * with it says what it destroys.
 */
export function mayDestroy(attached: AttachedObjects, change: Change, work: Work): boolean {
  const { live, body } = work;
  if (change.blocked?.rule === "prune") return false;
  return isRemoval(change) || (change.action === "update" && attached.mayDestroy(body, live?.values ?? {}));
}

/**
 * Says what a change destroys or leaves, and blocks it if something would be lost.
 *
 * @param found what hangs on the object; undefined if it could not be read
 */
export function withLoss(change: Change, work: Work, names: AttachedObjects, found: Attached | undefined): Change {
  const said =
    found === undefined ? `it could not be read whether it has ${names.destroyed}s` : lossText(change, names, found);
  const isHarmless = found?.destroyed.length === 0;
  const reason = said === "" ? change.reason : `${change.reason}; ${said}`;
  const { fingerprint } = change;
  const covered = found === undefined || fingerprint === null ? fingerprint : withAttached(fingerprint, found);
  const known = { ...change, reason, fingerprint: covered, work: { ...work, attached: found } };
  return isHarmless ? known : blockedByLoss(known, known.work);
}

/** What a change does besides; "" if nothing. */
function lossText(change: Change, names: AttachedObjects, { destroyed, left }: Attached): string {
  const some = plural(destroyed.length, names.destroyed);
  if (!isRemoval(change)) return destroyed.length === 0 ? "" : `may delete ${some} for good: ${names.updateNote}`;
  const parts = [
    ...(destroyed.length === 0 ? [] : [`deletes ${some} for good`]),
    ...(left.length === 0 ? [] : [`leaves ${plural(left.length, names.left)}`]),
  ];
  return parts.join(", ");
}

/** Any other block stays, because no permission lifts it. The limit of removals needs its approval as well. */
function blockedByLoss(change: Change, work: Work): Change {
  const isLimited = change.blocked?.rule === "delete_limit";
  if (change.blocked !== null && !isLimited) return change;
  const options = isLimited ? { approve: PLAN_HASH } : {};
  const blocked: Blocked = {
    rule: "destroys_more",
    remedy: "allow the loss:",
    command: command("apply", { allowLoss: change.address, ...options }),
  };
  return { ...change, blocked, work: isLimited ? { ...work, needsApproval: true } : work };
}
