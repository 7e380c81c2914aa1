import type { Client } from "../api/client.ts";
import type { LoadedConfig } from "../config/index.ts";
import type { Plan, PlanDocument, PlanOptions } from "../model/plan.ts";
import { plural } from "../model/plural.ts";
import { applyOverrides } from "../plan/guard/override.ts";
import { EXIT } from "../cli/exit-codes.ts";
import { failure } from "../cli/failure.ts";
import { planLive, type Planned } from "./plan.ts";
import type { Runtime } from "../cli/runtime.ts";
import { matchSavedPlan } from "./saved-plan.ts";
import { publicUrl } from "../cli/connect.ts";
import { readEarlierRuns } from "./state.ts";

/** What an apply is about. */
export interface ApplySession {
  readonly runtime: Runtime;
  readonly loaded: LoadedConfig;
  readonly client: Client;
  readonly planOptions: PlanOptions;
  /** Whether nobody is to be asked. */
  readonly yes: boolean;
  /** The hash that was approved. */
  readonly approve: string | undefined;
  /** Names of organizations that may be deleted. */
  readonly confirmed: readonly string[];
}

/** A plan that was agreed to, and what it was made of. */
export interface ApprovedPlan {
  readonly plan: Plan;
  readonly planned: Planned;
  /** Whether there is anything to write. */
  readonly writes: boolean;
}

/** Plans anew against the live service. */
export async function refreshPlan({ client, loaded, planOptions, runtime }: ApplySession): Promise<Planned> {
  const before = await readEarlierRuns(runtime, client);
  const planning = { type: "driftline.plan", redactor: runtime.redactor, ...before } as const;
  const planned = await planLive(client, loaded, planOptions, planning);
  requireNotInterrupted(runtime);
  return planned;
}

function requireNotInterrupted({ signal }: Runtime): void {
  if (signal.aborted) throw failure(EXIT.interrupted, "interrupted", "interrupted", "Nothing was written.");
}

/** Gets the agreement to carry out `document`, which was shown, on what is live. */
export async function approvePlan(
  session: ApplySession,
  document: PlanDocument,
  fresh: Planned,
): Promise<ApprovedPlan> {
  if (session.approve !== undefined && session.approve !== document.hash) {
    throw failure(
      EXIT.refused,
      "hash_differs",
      `the plan is ${document.hash}, not the one that was approved`,
      "Review this plan, and approve its hash.",
    );
  }
  const plan = unblockApproved(session, document, fresh);
  requireWithinLimits(plan, document);
  const toDo = plan.changes.filter(
    ({ action, blocked }) => blocked === null && action !== "no_op" && action !== "unknown",
  );
  if (toDo.length === 0 || session.yes) return { plan, planned: fresh, writes: toDo.length > 0 };
  const isAgreed = await isConfirmed(session, toDo.length);
  requireNotInterrupted(session.runtime);
  if (!isAgreed) throw failure(EXIT.error, "declined", "not applied", "Nothing was written.");
  // Time has passed at the prompt: what is about to be written was agreed to for what was seen before.
  const planned = await refreshPlan(session);
  return { plan: unblockApproved(session, document, planned), planned, writes: true };
}

/** The plan that was shown, on what is live now, less the blocks that were lifted for this run. */
function unblockApproved(
  { approve, confirmed, runtime }: ApplySession,
  document: PlanDocument,
  planned: Planned,
): Plan {
  const plan = planned.document === document ? planned.plan : matchSavedPlan(document, planned.plan, runtime.redactor);
  return applyOverrides(plan, { approved: approve === document.hash, organizations: confirmed });
}

/** Removing much at once is refused as a whole: the approval is for the whole plan. */
function requireWithinLimits(plan: Plan, document: PlanDocument): void {
  const removals = plan.changes.filter(({ blocked }) => blocked?.rule === "delete_limit").length;
  if (removals === 0) return;
  throw failure(
    EXIT.refused,
    "delete_limit",
    `the plan removes or replaces ${String(removals)} objects, more than is done without approval; nothing was written`,
    `If that is meant, apply with: --approve ${document.hash}`,
  );
}

async function isConfirmed({ runtime, client }: ApplySession, changes: number): Promise<boolean> {
  const answer = await runtime.ask(
    `Apply ${plural(changes, "change")} to ${publicUrl(client)}? Only "yes" is taken for a yes: `,
  );
  return answer?.trim() === "yes";
}
