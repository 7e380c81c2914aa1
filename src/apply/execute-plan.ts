/**
 * Executes a plan. It decides nothing: the plan says what is done, and to which object.
 *
 * Terms: a last step is a change that removes an object: a removal, or a replace that creates before it removes.
 * Premise: a failure skips what depends on it. It also skips all last steps that were not begun: a replace that is begun
 * beside a failure would leave two objects.
 * Algorithm:
 * 1. A change begins once its prerequisites have ended (schedule/prerequisites.ts). Parents come before children. What
 *    makes an object comes before what refers to it. An update that frees a natural key comes before what takes that key.
 * 2. A late change takes a name that a removal or a replace frees, or it refers to a replacement, or it waits for another
 *    late change. The late changes come after all others, one by one. The last step that frees the name of a late change
 *    comes right before it.
 * 3. The other last steps come at the end: replaces first, and children before parents (schedule/removal-order.ts).
 */
import { PROVIDER_FAILED } from "../kinds/entrances.ts";
import { mapReferences } from "../kinds/references.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import { isRemoval, type Change } from "../model/change.ts";
import type { ValueObject } from "../model/json/json.ts";
import { CIRCUIT_OPEN, type Outcome, isAsDeclared, type OutcomeError } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { reaches } from "../model/reaches.ts";
import { executeChange, isLastStep } from "./execute-change.ts";
import { closeResolvedIntents } from "./journal/intent-objects.ts";
import {
  describeProblem,
  interimOutcomes,
  INTERRUPTED,
  KEY_TAKEN,
  NAME_IN_DOUBT,
  NOT_MADE,
  NOT_REMOVED,
  PARENT_FAILED,
  resultWithoutRequests,
  STOPPED_IN_PART,
} from "./outcomes.ts";
import { createRun, isInterrupted, progressOf, recordOutcome, type ApplyContext, type ApplyRun } from "./run-state.ts";
import { createPrerequisites, type Prerequisites } from "./schedule/prerequisites.ts";
import { inRemovalOrder } from "./schedule/removal-order.ts";
import { Task, type ExecuteResult } from "./task.ts";

/** A change that removes an object, and so is made after the others. */
interface LastStep {
  readonly change: Change;
  readonly task: Task;
}

/** What is left of a change once its object is there. It waits for what the object itself need not wait for. */
type Rest = (() => Promise<void>) | undefined;

interface Started {
  /** The object is there, or the change has ended. */
  readonly made: Promise<Rest>;
  readonly ended: Promise<void>;
}

/** The order in which the changes of a run are executed. */
interface Schedule {
  readonly run: ApplyRun;
  readonly prerequisites: (change: Change) => Prerequisites;
  /** By address. */
  readonly started: Map<string, Started>;
  readonly lastSteps: LastStep[];
}

/** Returns the outcomes of all changes, in the plan's order. Never throws because of an answer of the service. */
export async function executePlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const run = createRun(plan, context);
  const schedule: Schedule = { run, prerequisites: createPrerequisites(plan), started: new Map(), lastSteps: [] };
  context.onBegin?.(() => interimOutcomes(run, plan));
  await closeResolvedIntents(context, run.holders);
  const late = lateChanges(plan, schedule);
  await Promise.all(plan.changes.filter((change) => !late.has(change)).map((change) => start(schedule, change).ended));
  for (const change of late) await runLate(schedule, change, late);
  await runLastSteps(schedule);
  return plan.changes.flatMap(({ address }) => progressOf(run, address).outcome ?? []);
}

/** The changes that take a name which a removal or a replace frees, or that refer to a replacement, and what waits for them. */
function lateChanges({ changes }: Plan, { prerequisites }: Schedule): ReadonlySet<Change> {
  if (!changes.some(isRemoval)) return new Set();
  const needs = new Map(changes.map((change) => [change, prerequisites(change)]));
  const waitsForRemoval = (change: Change): boolean => {
    const { freeing = [], referred = [] } = needs.get(change) ?? {};
    return [...freeing, ...referred].some(isRemoval);
  };
  const waitsFor = (change: Change): readonly Change[] => {
    const { parent = [], freeing = [], inner = [], referred = [] } = needs.get(change) ?? {};
    return [...parent, ...freeing, ...inner, ...referred];
  };
  return new Set(changes.filter((change) => waitsForRemoval(change) || reaches(change, waitsFor, waitsForRemoval)));
}

/** Makes a late change right after the last step that frees its name. */
async function runLate(schedule: Schedule, change: Change, late: ReadonlySet<Change>): Promise<void> {
  if (schedule.started.has(change.address)) return;
  const { parent, freeing, inner, referred } = schedule.prerequisites(change);
  for (const other of [...parent, ...freeing, ...inner, ...referred]) {
    if (late.has(other)) await runLate(schedule, other, late);
    await runStepOf(schedule, other);
  }
  await start(schedule, change).ended;
  await runStepOf(schedule, change);
}

/** Runs the last step of one change before the others. */
async function runStepOf({ run, lastSteps }: Schedule, change: Change): Promise<void> {
  const index = lastSteps.findIndex((step) => step.change.address === change.address);
  const [step] = index === -1 ? [] : lastSteps.splice(index, 1);
  if (step === undefined) return;
  await (hasFailed(run) ? skip(run, change, NOT_REMOVED) : runLastStep(run, step));
}

/** Starts a change once its prerequisites have ended. A change is started only once. */
function start(schedule: Schedule, change: Change): Started {
  const { started } = schedule;
  const before = started.get(change.address);
  if (before !== undefined) return before;
  const made = runAfterPrerequisites(schedule, change);
  const running = { made, ended: made.then((rest) => rest?.()) };
  started.set(change.address, running);
  return running;
}

async function runAfterPrerequisites(schedule: Schedule, change: Change): Promise<Rest> {
  const { run } = schedule;
  const result = resultWithoutRequests(change);
  if (result !== undefined) return recordOutcome(run, change, { ...result, id: change.id });
  const { parent, freeing, inner, opening, referred } = schedule.prerequisites(change);
  const isCreate = change.action === "create";
  const ended = [...parent, ...freeing, ...inner, ...(isCreate ? [] : opening)].map(
    (other) => start(schedule, other).ended,
  );
  await Promise.all([...ended, ...referred.map((other) => start(schedule, other).made)]);
  if (!freeing.every((other) => isApplied(run, other))) return skip(run, change, KEY_TAKEN);
  if (!isCreate && !opening.every((other) => isApplied(run, other))) return skip(run, change, PROVIDER_FAILED);
  if (inner.some(({ address }) => progressOf(run, address).outcome?.status === "unknown"))
    return skip(run, change, NAME_IN_DOUBT);
  if (referred.some(({ address }) => progressOf(run, address).made === undefined)) return skip(run, change, NOT_MADE);
  const rest = await run.gathering.during(change, () => run.pool.run(() => runChange(schedule, withMade(run, change))));
  return rest && (() => runRest(schedule, change, rest));
}

function isApplied(run: ApplyRun, { address }: Change): boolean {
  const { outcome } = progressOf(run, address);
  return outcome !== undefined && isAsDeclared(outcome);
}

/** The change with the ids of what this run has made in the place of addresses. */
function withMade(run: ApplyRun, change: Change): Change {
  const { kind, work } = change;
  if (work === null) return change;
  const made = <V extends ValueObject>(values: V): V =>
    mapReferences(kind, values, ({ text }) => run.progress.get(text)?.made);
  const resource = work.resource && { ...work.resource, values: made(work.resource.values) };
  return { ...change, work: { ...work, resource, body: made(work.body) } };
}

/** The rest of a create keeps people out, so it comes after what lets them in. */
async function runRest(schedule: Schedule, change: Change, rest: () => Promise<void>): Promise<void> {
  const { run } = schedule;
  const { opening } = schedule.prerequisites(change);
  await Promise.all(opening.map((other) => start(schedule, other).ended));
  const { made: id = null } = progressOf(run, change.address);
  if (!opening.every((other) => isApplied(run, other)))
    return recordOutcome(run, change, { status: "unverified", id, error: PROVIDER_FAILED });
  if (isInterrupted(run)) return recordOutcome(run, change, { status: "unverified", id, error: STOPPED_IN_PART });
  await run.pool.run(rest);
}

async function runChange({ run, lastSteps }: Schedule, change: Change): Promise<Rest> {
  if (isInterrupted(run)) return skip(run, change, INTERRUPTED);
  const { address, kind } = change;
  const scope = change.work?.scope ?? "";
  const liveScope = run.scopes.get(scope);
  if (liveScope?.status !== "known") return skip(run, change, PARENT_FAILED);
  const task = new Task(run, { address, kind: kinds[kind], scope, path: liveScope.path });
  if (!isLastStep(change)) return execute(run, change, task);
  lastSteps.push({ change, task });
}

/** Executes a change and records how it ended, unless a rest remains. */
async function execute(run: ApplyRun, change: Change, task: Task): Promise<Rest> {
  let rest: Rest;
  await recordFailure(run, change, task, async () => {
    const result = await executeChange(task, change);
    const { id } = result;
    if (scopeType(task.scope) === "service" && id !== null)
      run.scopes.set(change.address, { status: "known", path: { organization_id: id } });
    const { rest: remaining } = result;
    if (remaining === undefined) return recordDone(run, change, result);
    progressOf(run, change.address).made = id ?? undefined;
    rest = () =>
      recordFailure(run, change, task, async () => {
        await remaining();
        recordDone(run, change, result);
      });
  });
  return rest;
}

function recordDone(run: ApplyRun, change: Change, { id, link, unchanged, yielded }: ExecuteResult): void {
  // What removes an object leaves no page of it.
  const done = { ...change, link: link ?? (isLastStep(change) ? undefined : change.link) };
  const ended = { id, taken_back: yielded?.takenBack, error: null };
  if (unchanged === undefined)
    return recordOutcome(run, done, { ...ended, status: yielded === undefined ? "applied" : "yielded" });
  recordOutcome(run, { ...done, action: "no_op", reason: unchanged, fields: [] }, { ...ended, status: "unchanged" });
}

function skip(run: ApplyRun, change: Change, error: OutcomeError): undefined {
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

async function runLastStep(run: ApplyRun, { change, task }: LastStep): Promise<void> {
  await run.gathering.during(change, () =>
    run.pool.run(async () => (isInterrupted(run) ? skip(run, change, INTERRUPTED) : execute(run, change, task))),
  );
}
