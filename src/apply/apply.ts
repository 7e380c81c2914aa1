/**
 * Carries out a plan. It decides nothing: what is done, and to what, is the plan's.
 *
 * Premise: parents come before children; an update that frees a natural key comes before the create that takes it; removals
 * come last, children first, and only if nothing before them failed. A failure skips what depends on it, nothing else.
 */
import { scopeType } from "../model/address.ts";
import type { Change } from "../model/change.ts";
import type { Outcome, OutcomeError, Status } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyContext } from "./task.ts";
import {
  resultWithoutWork,
  INTERRUPTED,
  KEY_TAKEN,
  NAME_IN_DOUBT,
  NOT_REMOVED,
  PARENT_FAILED,
  interimOutcomes,
} from "./outcomes.ts";
import { execute } from "./execute.ts";
import {
  createRun,
  recordOutcome,
  recordFailure,
  isInterrupted,
  taskOf,
  type PendingRemoval,
  type Run,
} from "./run.ts";
import { closeResolvedIntents } from "./journal/intents.ts";

/** The outcomes of all changes, in the plan's order. Never throws for what a service answers. */
export async function executePlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const run = createRun(plan, context);
  context.onBegin?.(() => interimOutcomes(run, plan));
  await closeResolvedIntents(context, run.ownership);
  await Promise.all(plan.changes.map((change) => start(run, change)));
  await runRemovals(run);
  return plan.changes.flatMap((change) => run.outcomes.get(change.address) ?? []);
}

/** Begins a change once those that it depends on have ended. A change is begun once. */
function start(run: Run, change: Change): Promise<void> {
  const started = run.started.get(change.address) ?? runAfterPrerequisites(run, change);
  run.started.set(change.address, started);
  return started;
}

async function runAfterPrerequisites(run: Run, change: Change): Promise<void> {
  const ended = resultWithoutWork(change);
  if (ended !== undefined) return recordOutcome(run, change, ended.status, change.id, ended.error);
  const { parent, freeing, inner } = run.prerequisites(change);
  await Promise.all([...parent, ...freeing, ...inner].map((other) => start(run, other)));
  const statusOf = ({ address }: Change): Status | undefined => run.outcomes.get(address)?.status;
  if (!freeing.every((other) => statusOf(other) === "applied"))
    return recordOutcome(run, change, "skipped", change.id, KEY_TAKEN);
  if (inner.some((other) => statusOf(other) === "unknown"))
    return recordOutcome(run, change, "skipped", change.id, NAME_IN_DOUBT);
  await run.pool.run(() => runChange(run, change));
}

async function runChange(run: Run, change: Change): Promise<void> {
  if (isInterrupted(run)) return recordOutcome(run, change, "skipped", change.id, INTERRUPTED);
  const address = change.work?.scope ?? "";
  const scope = run.scopes.get(address);
  if (scope?.status !== "known") return recordOutcome(run, change, "skipped", change.id, PARENT_FAILED);
  const task = taskOf(run, change, address, scope.path);
  await recordFailure(run, change, task, async () => {
    const { id, removal } = await execute(task, change);
    if (scopeType(task.scope) === "service" && id !== null)
      run.scopes.set(change.address, { status: "known", path: { organization_id: id } });
    if (removal === undefined) recordOutcome(run, change, "applied", id, null);
    else run.pendingRemovals.push({ change, id, task, removal });
  });
}

/** Removals, children before parents; none of them where something has failed. */
async function runRemovals(run: Run): Promise<void> {
  const depth = ({ change }: PendingRemoval): number => change.address.split("/").length;
  const levels = [...new Set(run.pendingRemovals.map(depth))].toSorted((a, b) => b - a);
  for (const level of levels) {
    const hasFailed = [...run.outcomes.values()].some(({ status }) => status === "failed" || status === "unknown");
    await Promise.all(
      run.pendingRemovals.filter((due) => depth(due) === level).map((due) => runRemoval(run, due, hasFailed)),
    );
  }
}

async function runRemoval(run: Run, due: PendingRemoval, hasFailed: boolean): Promise<void> {
  const { change, id, task, removal } = due;
  if (hasFailed) return skipRemoval(run, due, NOT_REMOVED);
  await run.pool.run(async () => {
    if (isInterrupted(run)) return skipRemoval(run, due, INTERRUPTED);
    await recordFailure(run, change, task, async () => {
      await removal();
      recordOutcome(run, change, "applied", id, null);
    });
  });
}

/** Ends a change whose removal is not begun. Of a replace the new object is there by now. */
function skipRemoval(run: Run, { change, id }: PendingRemoval, error: OutcomeError): void {
  if (change.action !== "replace") return recordOutcome(run, change, "skipped", id, error);
  const message = `its replacement was created, but it was not removed: ${error.message}`;
  recordOutcome(run, change, "unverified", id, { ...error, message });
}
