/**
 * Says what changes destroy or leave beside their own object, and blocks those that would destroy something.
 *
 * Premise: a list does not show it, and unknown is not nothing. The fingerprint covers it, so that apply notices what is added
 * later.
 * Algorithm: read each object that is to be removed, or changed in a way that may destroy something. No other object is read.
 */
import type { Client } from "../api/client.ts";
import { withAttached } from "../diff/fingerprint.ts";
import type { AttachedObjects } from "../kinds/kind-parts.ts";
import { kinds } from "../kinds/registry.ts";
import { command, PLAN_HASH } from "../model/command.ts";
import type { Blocked, Change, Work } from "../model/change.ts";
import type { Attached, LiveSnapshot } from "../model/live.ts";
import type { Plan } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { withChanges } from "../plan/plan.ts";
import { readObject } from "../snapshot/read-object.ts";

/** Adds to a plan what its changes destroy and leave. */
export async function addAttached(client: Client, { scopes }: LiveSnapshot, plan: Plan): Promise<Plan> {
  const changes = await Promise.all(
    plan.changes.map(async (change): Promise<Change> => {
      const { work } = change;
      const { attached } = kinds[change.kind];
      if (attached === undefined || work?.live === undefined || !mayDestroy(attached, change, work)) return change;
      const scope = scopes.get(work.live.scope);
      const live = scope?.status === "known" ? await readObject(client, work.live, scope.path) : undefined;
      return withLoss(change, work, attached, live?.attached);
    }),
  );
  return withChanges(plan, changes);
}

function removes({ action }: Change): boolean {
  return action === "delete" || action === "replace";
}

/** A delete that waits for `--prune` is not read: a plan with it says what it destroys. */
function mayDestroy(attached: AttachedObjects, change: Change, work: Work): boolean {
  const { live, body } = work;
  if (change.blocked?.rule === "prune") return false;
  return removes(change) || (change.action === "update" && attached.mayDestroy(body, live?.values ?? {}));
}

function withLoss(change: Change, work: Work, names: AttachedObjects, found: Attached | undefined): Change {
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
  if (!removes(change)) return destroyed.length === 0 ? "" : `may delete ${some} for good: ${names.updateNote}`;
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
