/**
 * Executes a plan. It decides nothing: the plan says what is done, and to which object.
 *
 * Premise: parents come before children; an update that frees a natural key comes before the create or the rename that takes it;
 * a name that only one object can have is removed right before the one write that takes it; replaces and removals come last, replaces first and children before parents, and only if nothing before them failed. A failure
 * skips what depends on it, and nothing else. A replace that was begun beside a failure would leave two objects.
 */
import { kinds, scopeType } from "../kinds/registry.ts";
import { isRemoval, type Change } from "../model/change.ts";
import { CIRCUIT_OPEN, type Outcome, type OutcomeError, type Status } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { executeChange } from "./execute-change.ts";
import { closeResolvedIntents } from "./journal/intents-in-snapshot.ts";
import {
  describeProblem,
  interimOutcomes,
  INTERRUPTED,
  KEY_TAKEN,
  NAME_IN_DOUBT,
  NOT_REMOVED,
  PARENT_FAILED,
  PROVIDER_FAILED,
  resultWithoutRequests,
} from "./outcomes.ts";
import { createRun, isInterrupted, progressOf, recordOutcome, type ApplyContext, type ApplyRun } from "./run-state.ts";
import { createPrerequisites, type Prerequisites } from "./schedule/prerequisites.ts";
import { inRemovalOrder } from "./schedule/removal-order.ts";
import { Task, type ExecuteResult } from "./task.ts";

/** A change that removes an object, and so is made after the others. */
interface LastStep {
  readonly change: Change;
  readonly run: () => Promise<void>;
}

/** The order in which the changes of a run are executed. */
interface Schedule {
  readonly run: ApplyRun;
  readonly prerequisites: (change: Change) => Prerequisites;
  /** By address. */
  readonly started: Map<string, Promise<void>>;
  readonly lastSteps: LastStep[];
}

/** Returns the outcomes of all changes, in the plan's order. Never throws because of an answer of the service. */
export async function executePlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const prerequisites = createPrerequisites(plan);
  const run = createRun(plan, context, prerequisites);
  const schedule: Schedule = {
    run,
    prerequisites,
    started: new Map(),
    lastSteps: [],
  };
  context.onBegin?.(() => interimOutcomes(run, plan));
  await closeResolvedIntents(context, run.claims);
  const late = lateChanges(plan, schedule);
  await Promise.all(plan.changes.filter((change) => !late.has(change)).map((change) => start(schedule, change)));
  for (const change of late) await runLate(schedule, change, late);
  await runLastSteps(schedule);
  return plan.changes.flatMap(({ address }) => progressOf(run, address).outcome ?? []);
}

/** The changes that take a name which a removal or a replace frees, and what waits for them. */
function lateChanges({ changes }: Plan, { prerequisites }: Schedule): ReadonlySet<Change> {
  const late = new Set<Change>();
  if (!changes.some(isRemoval)) return late;
  const visit = (change: Change, seen: readonly Change[]): boolean => {
    if (late.has(change) || seen.includes(change)) return late.has(change);
    const { parent, freeing, inner } = prerequisites(change);
    const isWaiting = [...parent, ...freeing, ...inner].some((other) => visit(other, [...seen, change]));
    if (isWaiting || freeing.some(isRemoval)) late.add(change);
    return late.has(change);
  };
  for (const change of changes) visit(change, []);
  return late;
}

/** Makes a late change right after the last step that frees its name. */
async function runLate(schedule: Schedule, change: Change, late: ReadonlySet<Change>): Promise<void> {
  if (schedule.started.has(change.address)) return;
  const { parent, freeing, inner } = schedule.prerequisites(change);
  for (const other of [...parent, ...freeing, ...inner]) {
    if (late.has(other)) await runLate(schedule, other, late);
    await runStepOf(schedule, other);
  }
  await start(schedule, change);
  await runStepOf(schedule, change);
}

/** Runs the last step of one change before the others. */
async function runStepOf({ run, lastSteps }: Schedule, change: Change): Promise<void> {
  const index = lastSteps.findIndex((step) => step.change === change);
  const [step] = index === -1 ? [] : lastSteps.splice(index, 1);
  if (step === undefined) return;
  await (hasFailed(run) ? skip(run, change, NOT_REMOVED) : runLastStep(run, step));
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
  const result = resultWithoutRequests(change);
  if (result !== undefined) return recordOutcome(run, change, { ...result, id: change.id });
  const { parent, freeing, inner, opening } = schedule.prerequisites(change);
  await Promise.all([...parent, ...freeing, ...inner, ...opening].map((other) => start(schedule, other)));
  const statusOf = ({ address }: Change): Status | undefined => progressOf(run, address).outcome?.status;
  if (!freeing.every((other) => statusOf(other) === "applied")) return skip(run, change, KEY_TAKEN);
  if (!opening.every((other) => statusOf(other) === "applied")) return skip(run, change, PROVIDER_FAILED);
  if (inner.some((other) => statusOf(other) === "unknown")) return skip(run, change, NAME_IN_DOUBT);
  await run.pool.run(() => runChange(schedule, change));
}

async function runChange({ run, lastSteps }: Schedule, change: Change): Promise<void> {
  if (isInterrupted(run)) return skip(run, change, INTERRUPTED);
  const { address, kind } = change;
  const scope = change.work?.scope ?? "";
  const liveScope = run.scopes.get(scope);
  if (liveScope?.status !== "known") return skip(run, change, PARENT_FAILED);
  const task = new Task(run, { address, kind: kinds[kind], scope, path: liveScope.path });
  await recordFailure(run, change, task, async () => {
    const { id, link = change.link, lastStep, unchanged, yielded } = await executeChange(task, change);
    if (scopeType(scope) === "service" && id !== null)
      run.scopes.set(address, { status: "known", path: { organization_id: id } });
    const done: Change =
      unchanged === undefined ? change : { ...change, action: "no_op", reason: unchanged, fields: [] };
    if (lastStep === undefined) return recordOutcome(run, { ...done, link }, doneResult({ id, yielded }));
    const finish = async (): Promise<void> => {
      recordOutcome(run, { ...change, link: undefined }, doneResult(await lastStep()));
    };
    lastSteps.push({ change, run: () => recordFailure(run, change, task, finish) });
  });
}

function doneResult({ id, yielded }: Pick<ExecuteResult, "id" | "yielded">): Parameters<typeof recordOutcome>[2] {
  if (yielded === undefined) return { status: "applied", id, error: null };
  return { status: "yielded", id, taken_back: yielded.takenBack, error: null };
}

function skip(run: ApplyRun, change: Change, error: OutcomeError): void {
  recordOutcome(run, change, { status: "skipped", id: change.id, error });
}

/** Does a part of a change. An error becomes the outcome of the change. */
async function recordFailure(run: ApplyRun, change: Change, task: Task, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    recordOutcome(run, change, await describeProblem(thrown, change, task, progressOf(run, change.address)));
  }
}

/** Runs the last steps in the order of removals. None of them is begun after a failure. */
async function runLastSteps({ run, lastSteps }: Schedule): Promise<void> {
  for (const due of inRemovalOrder(lastSteps)) {
    if (hasFailed(run)) for (const { change } of due) skip(run, change, NOT_REMOVED);
    else await Promise.all(due.map((step) => runLastStep(run, step)));
  }
}

function hasFailed({ progress }: ApplyRun): boolean {
  return [...progress.values()].some(({ outcome }) => outcome !== undefined && isFailure(outcome));
}

/** A create that was not sent because others had failed counts as failed, even if those have created their objects. */
function isFailure({ status, error }: Outcome): boolean {
  return status === "failed" || status === "unknown" || error?.code === CIRCUIT_OPEN;
}

async function runLastStep(run: ApplyRun, step: LastStep): Promise<void> {
  const { change } = step;
  await run.pool.run(async () => (isInterrupted(run) ? skip(run, change, INTERRUPTED) : step.run()));
}
