/**
 * Executes a plan. It decides nothing: the plan says what is done, and to which object.
 *
 * Premise: parents come before children; an update that frees a natural key comes before the create that takes it;
 * removals come last, children first, and only if nothing before them failed. A failure skips what depends on it, and
 * nothing else.
 */
import { kinds, scopeType } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import { FAMILY_STOPPED, type Outcome, type OutcomeError, type Status } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { execute } from "./execute.ts";
import { closeResolvedIntents } from "./journal/intents.ts";
import {
  describeProblem,
  interimOutcomes,
  INTERRUPTED,
  KEY_TAKEN,
  NAME_IN_DOUBT,
  NOT_REMOVED,
  PARENT_FAILED,
  resultWithoutWork,
} from "./outcomes.ts";
import { createRun, isInterrupted, progressOf, recordOutcome, type ApplyContext, type Run } from "./run.ts";
import { createPrerequisites, type Prerequisites } from "./schedule/order.ts";
import { Task } from "./task.ts";

/** A change that is finished except for its removal. */
interface PendingRemoval {
  readonly change: Change;
  /** Id of the object that exists after the removal, if any. */
  readonly id: string | null;
  readonly remove: () => Promise<void>;
}

/** The order in which the changes of a run are executed. */
interface Schedule {
  readonly run: Run;
  readonly prerequisites: (change: Change) => Prerequisites;
  /** By address. */
  readonly started: Map<string, Promise<void>>;
  readonly pendingRemovals: PendingRemoval[];
}

/** Returns the outcomes of all changes, in the plan's order. Never throws because of an answer of the service. */
export async function executePlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const run = createRun(plan, context);
  const schedule: Schedule = {
    run,
    prerequisites: createPrerequisites(plan),
    started: new Map(),
    pendingRemovals: [],
  };
  context.onBegin?.(() => interimOutcomes(run, plan));
  await closeResolvedIntents(context, run.ownership);
  await Promise.all(plan.changes.map((change) => start(schedule, change)));
  await runRemovals(schedule);
  return plan.changes.flatMap(({ address }) => progressOf(run, address).outcome ?? []);
}

/** Starts a change once its prerequisites have ended. A change is started only once. */
function start(schedule: Schedule, change: Change): Promise<void> {
  const { started } = schedule;
  const running = started.get(change.address) ?? runAfterPrerequisites(schedule, change);
  started.set(change.address, running);
  return running;
}

async function runAfterPrerequisites(schedule: Schedule, change: Change): Promise<void> {
  const { run } = schedule;
  const result = resultWithoutWork(change);
  if (result !== undefined) return recordOutcome(run, change, result.status, change.id, result.error);
  const { parent, freeing, inner } = schedule.prerequisites(change);
  await Promise.all([...parent, ...freeing, ...inner].map((other) => start(schedule, other)));
  const statusOf = ({ address }: Change): Status | undefined => progressOf(run, address).outcome?.status;
  if (!freeing.every((other) => statusOf(other) === "applied"))
    return recordOutcome(run, change, "skipped", change.id, KEY_TAKEN);
  if (inner.some((other) => statusOf(other) === "unknown"))
    return recordOutcome(run, change, "skipped", change.id, NAME_IN_DOUBT);
  await run.pool.run(() => runChange(schedule, change));
}

async function runChange({ run, pendingRemovals }: Schedule, change: Change): Promise<void> {
  if (isInterrupted(run)) return recordOutcome(run, change, "skipped", change.id, INTERRUPTED);
  const { address, kind } = change;
  const scope = change.work?.scope ?? "";
  const liveScope = run.scopes.get(scope);
  if (liveScope?.status !== "known") return recordOutcome(run, change, "skipped", change.id, PARENT_FAILED);
  const task = new Task(run, { address, kind: kinds[kind], scope, path: liveScope.path });
  await recordFailure(run, change, task, async () => {
    const { id, removal, unchanged } = await execute(task, change);
    if (scopeType(scope) === "service" && id !== null)
      run.scopes.set(address, { status: "known", path: { organization_id: id } });
    const done: Change =
      unchanged === undefined ? change : { ...change, action: "no_op", reason: unchanged, fields: [] };
    if (removal === undefined) return recordOutcome(run, done, "applied", id, null);
    const remove = async (): Promise<void> => {
      await removal();
      recordOutcome(run, change, "applied", id, null);
    };
    pendingRemovals.push({ change, id, remove: () => recordFailure(run, change, task, remove) });
  });
}

/** Does a part of a change. An error becomes the outcome of the change. */
async function recordFailure(run: Run, change: Change, task: Task, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    const isSent = progressOf(run, change.address).requests > 0;
    const { status, id, error } = await describeProblem(thrown, change, task, isSent);
    recordOutcome(run, change, status, id, error);
  }
}

/** Runs the removals, children before parents. None of them is run after a failure. */
async function runRemovals({ run, pendingRemovals }: Schedule): Promise<void> {
  const depth = ({ change }: PendingRemoval): number => change.address.split("/").length;
  const levels = [...new Set(pendingRemovals.map(depth))].toSorted((a, b) => b - a);
  for (const level of levels) {
    const hasFailed = [...run.progress.values()].some(({ outcome }) => outcome !== undefined && isFailure(outcome));
    const due = pendingRemovals.filter((pending) => depth(pending) === level);
    await Promise.all(due.map((pending) => runRemoval(run, pending, hasFailed)));
  }
}

/** A create that was not sent because others had failed counts as failed, even if those have created their objects. */
function isFailure({ status, error }: Outcome): boolean {
  return status === "failed" || status === "unknown" || error?.code === FAMILY_STOPPED;
}

async function runRemoval(run: Run, pending: PendingRemoval, hasFailed: boolean): Promise<void> {
  if (hasFailed) return skipRemoval(run, pending, NOT_REMOVED);
  await run.pool.run(async () => (isInterrupted(run) ? skipRemoval(run, pending, INTERRUPTED) : pending.remove()));
}

/** Ends a change whose removal was not begun. If the change is a replace, the new object exists by now. */
function skipRemoval(run: Run, { change, id }: PendingRemoval, error: OutcomeError): void {
  if (change.action !== "replace") return recordOutcome(run, change, "skipped", id, error);
  const message = `its replacement was created, but it was not removed: ${error.message}`;
  recordOutcome(run, change, "unverified", id, { ...error, message });
}
