/**
 * From the plan that was shown to the changes that may be written.
 *
 * Premise: a person approved a document. The live state may have changed since, and a saved document holds no secrets, so
 * it cannot be applied itself.
 * Algorithm: match each shown change against a plan of the live state, which has to want exactly the same; then override
 * the blocks that were approved for this run; refuse the whole plan if it sends a secret that is not set.
 */
import { command } from "../../model/command.ts";
import { isReady } from "../../model/change.ts";
import type { ApplyRecord } from "../../model/outcome.ts";
import type { Plan, PlanDocument } from "../../model/plan.ts";
import { applyOverrides, type Overrides, withoutBlock } from "../../plan/guard/override.ts";
import { requireResources } from "../addresses.ts";
import { requireNotInterrupted } from "../context.ts";
import { engineError, EngineError } from "../../model/engine-error.ts";
import { planConfig, type PlannedRun } from "../plan/plan-config.ts";
import { matchShownPlan } from "./match-shown-plan.ts";
import { requireSecrets } from "../required-secrets.ts";

/** What a person approved, and for the record of the apply the commit of the configuration and the run of a pipeline. */
export interface Approval extends Pick<ApplyRecord, "commit" | "pipeline"> {
  /** The plan that was shown: the run's own document, or a saved one. */
  readonly document: PlanDocument;
  /** The file of a saved plan, for messages. */
  readonly file?: string | undefined;
  /** The hash that was given with `--approve`. It lifts the limit on removals for the plan that has it. */
  readonly hash?: string | undefined;
  /** Names of organizations that may be deleted. */
  readonly organizations?: readonly string[] | undefined;
  /** Addresses whose change may lose something for good. */
  readonly losses?: readonly string[] | undefined;
  /** Asks whether so many changes are to be written. Without it the document counts as approved. */
  readonly confirm?: ((changes: number) => Promise<boolean>) | undefined;
}

/** An approval that was held against a plan of the live state. */
export interface PreparedApproval {
  readonly run: PlannedRun;
  readonly approval: Approval;
  /** The plan to be shown before it is applied: without the blocks that this approval lifts. */
  readonly document: PlanDocument;
  /** What may be written; `stale` if the live state has changed since the plan was made, `failed` if that could not be read. */
  readonly plan: Plan | EngineError;
}

/** Changes that may be written, and the run that they come from. */
export interface ApprovedPlan {
  readonly plan: Plan;
  readonly run: PlannedRun;
}

/** Matches the plan that is approved against the live state. It refuses nothing yet. */
export function prepareApproval(run: PlannedRun, approval: Approval): PreparedApproval {
  return { run, approval, document: documentAfterOverrides(run, approval), plan: unblockApproved(run, approval) };
}

/** Whether the plan is out of date. Then only its error is shown, which names what changed since. */
export function isStale({ plan }: PreparedApproval): boolean {
  return plan instanceof EngineError && plan.reason === "stale";
}

/**
 * Turns an approval into the plan to be applied. If the user was asked, the service is read again, and the
 * approved changes are matched against the live state of that moment.
 *
 * @throws EngineError `refused`, `stale`, `invalid`, `interrupted`, or `failed` if the question was answered with no
 */
export async function approvePlan({ run, approval, plan: matched }: PreparedApproval): Promise<ApprovedPlan> {
  requireSameHash(approval);
  // What is pruned is declared nowhere.
  const planned = new Set(run.plan.changes.map(({ address }) => address));
  requireResources(
    run.input.config,
    (approval.losses ?? []).filter((address) => !planned.has(address)),
  );
  const plan = requireMatched(matched);
  const writes = plan.changes.filter(isReady);
  // This comes before the question: a user must not approve a plan that cannot be sent.
  requireSecrets(run.input.config, run.input.context.env, writes);
  if (writes.length === 0 || approval.confirm === undefined) return { plan, run };
  const isConfirmed = await approval.confirm(writes.length);
  requireNotInterrupted(run.input.context);
  if (!isConfirmed) throw engineError("failed", "declined", "Not applied.", "Nothing was written.");
  const fresh = await planConfig(run.input);
  requireNotInterrupted(fresh.input.context);
  return { plan: requireMatched(unblockApproved(fresh, approval)), run: fresh };
}

function requireSameHash({ hash, document }: Approval): void {
  if (hash === undefined || hash === document.hash) return;
  throw engineError("refused", "hash_differs", `the plan is ${document.hash}, not the one that was approved`, {
    hint: "Review this plan. To approve it:",
    command: command("apply", { approve: document.hash }),
  });
}

function requireMatched(matched: Plan | EngineError): Plan {
  if (matched instanceof EngineError) throw matched;
  return matched;
}

/** The shown changes with the work of the fresh plan, without the blocks that were lifted for this run. */
function unblockApproved(run: PlannedRun, approval: Approval): Plan | EngineError {
  const { document, file } = approval;
  const { redactor } = run.input.context;
  const plan = run.document === document ? run.plan : matchShownPlan(document, run, redactor, file);
  return plan instanceof EngineError ? plan : applyOverrides(plan, overridesOf(approval));
}

function overridesOf({ document, hash, organizations = [], losses = [] }: Approval): Overrides {
  return { approved: hash === document.hash, organizations, losses };
}

function documentAfterOverrides(run: PlannedRun, approval: Approval): PlanDocument {
  const { document } = approval;
  const { changes } = applyOverrides(run.plan, overridesOf(approval));
  const lifted = new Map(
    changes.flatMap(({ address, blocked }, index) =>
      blocked === run.plan.changes[index]?.blocked ? [] : [[address, blocked]],
    ),
  );
  const shown = document.changes.map((change) => {
    const left = lifted.get(change.address);
    return left === undefined ? change : withoutBlock(change, left);
  });
  return { ...document, changes: shown };
}
