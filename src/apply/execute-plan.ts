/**
 * Executes a plan. It decides nothing: the plan says what is done, and to which object.
 *
 * - The changes run in groups, one group after the other (schedule/groups.ts). Within a group, a change begins once its prerequisites have
 *   ended (schedule/prerequisites.ts).
 * - A failure skips what depends on it. It also skips all last steps of later groups: those remove objects, and a replace that is begun
 *   beside a failure would leave two.
 * - A create that keeps people out has two parts (schedule/parts.ts). What lets them in comes between, and may refer to the new object.
 */
import { mapReferences } from "../kinds/references.ts";
import { kinds, scopeType } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { ValueObject } from "../model/json/json.ts";
import { CIRCUIT_OPEN, type Outcome, type OutcomeError } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { OTHER_THAN_WRITTEN } from "./actions/verdict.ts";
import { executeChange } from "./execute-change.ts";
import { closeResolvedIntents } from "./journal/intent-objects.ts";
import {
  describeProblem,
  interimOutcomes,
  INTERRUPTED,
  NOT_REMOVED,
  PARENT_FAILED,
  resultWithoutRequests,
  STOPPED_IN_PART,
} from "./outcomes.ts";
import { createRun, isInterrupted, progressOf, recordOutcome, type ApplyContext, type ApplyRun } from "./run-state.ts";
import { inGroups, isLastStep } from "./schedule/groups.ts";
import { partsOf } from "./schedule/parts.ts";
import { createPrerequisites, type PrerequisitesOf } from "./schedule/prerequisites.ts";
import { Task, type ExecuteResult } from "./task.ts";

/** What the changes of a run wait for. */
interface Schedule {
  readonly run: ApplyRun;
  readonly prerequisitesOf: PrerequisitesOf;
  readonly started: Map<Change, Promise<void>>;
  /** The last part of each change. */
  readonly lastParts: ReadonlySet<Change>;
  /** The results of first parts, by address. */
  readonly firstResults: Map<string, ExecuteResult>;
  /** Whether a change of an earlier group has failed. */
  hasFailed: boolean;
}

/** Returns the outcomes of all changes, in the plan's order. Never throws because of an answer of the service. */
export async function executePlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const run = createRun(plan, context);
  const inParts = { ...plan, changes: plan.changes.flatMap(partsOf) };
  const prerequisitesOf = createPrerequisites(inParts);
  const schedule: Schedule = {
    run,
    prerequisitesOf,
    started: new Map(),
    lastParts: new Set(plan.changes),
    firstResults: new Map(),
    hasFailed: false,
  };
  context.onBegin?.(() => interimOutcomes(run, plan));
  await closeResolvedIntents(context, run.holders);
  for (const group of inGroups(inParts, prerequisitesOf)) {
    schedule.hasFailed = hasFailed(run);
    await Promise.all(group.map((change) => start(schedule, change)));
  }
  return plan.changes.flatMap(({ address }) => progressOf(run, address).outcome ?? []);
}

/** Starts a change once its prerequisites have ended. A change is started only once. */
function start(schedule: Schedule, change: Change): Promise<void> {
  const { started } = schedule;
  const running = started.get(change) ?? runAfterPrerequisites(schedule, change);
  started.set(change, running);
  return running;
}

async function runAfterPrerequisites(schedule: Schedule, change: Change): Promise<void> {
  const { run, prerequisitesOf } = schedule;
  const result = resultWithoutRequests(change);
  if (result !== undefined) return recordOutcome(run, change, { ...result, id: change.id });
  const before = prerequisitesOf(change);
  await Promise.all(before.flatMap((other) => (other.isAwaited ? [start(schedule, other.change)] : [])));
  // Its first part has failed.
  if (progressOf(run, change.address).outcome !== undefined) return;
  for (const { change: other, refusal } of before) {
    const error = refusal(progressOf(run, other.address));
    if (error !== undefined) return skip(run, change, error);
  }
  if (schedule.hasFailed && isLastStep(change)) return skip(run, change, NOT_REMOVED);
  await run.gathering.during(change, () => run.pool.run(() => runChange(schedule, change)));
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

async function runChange({ run, lastParts, firstResults }: Schedule, change: Change): Promise<void> {
  const { address, kind } = change;
  const first = firstResults.get(address);
  if (isInterrupted(run)) return skip(run, change, first === undefined ? INTERRUPTED : STOPPED_IN_PART);
  const scope = change.work?.scope ?? "";
  const liveScope = run.scopes.get(scope);
  if (liveScope?.status !== "known") return skip(run, change, PARENT_FAILED);
  const task = new Task(run, { address, kind: kinds[kind], scope, path: liveScope.path });
  await recordFailure(run, change, task, async () => {
    const result = await executeChange(task, withMade(run, change), first);
    const { id } = result;
    if (scopeType(scope) === "service" && id !== null)
      run.scopes.set(address, { status: "known", path: { organization_id: id } });
    if (lastParts.has(change)) return recordDone(run, change, result);
    progressOf(run, address).made = id ?? undefined;
    firstResults.set(address, result);
  });
}

function recordDone(run: ApplyRun, change: Change, { id, link, unchanged, yielded }: ExecuteResult): void {
  // What removes an object leaves no page of it.
  const done = { ...change, link: link ?? (isLastStep(change) ? undefined : change.link) };
  const ended = { id, taken_back: yielded?.takenBack, error: null };
  if (unchanged === undefined)
    return recordOutcome(run, done, { ...ended, status: yielded === undefined ? "applied" : "yielded" });
  recordOutcome(run, { ...done, action: "no_op", reason: unchanged, fields: [] }, { ...ended, status: "unchanged" });
}

/** Nothing is sent for a change, or no more after its first part. */
function skip(run: ApplyRun, change: Change, error: OutcomeError): undefined {
  const { made } = progressOf(run, change.address);
  recordOutcome(run, change, { status: made === undefined ? "skipped" : "unverified", id: made ?? change.id, error });
}

/** Does a part of a change. An error becomes the outcome of the change. */
async function recordFailure(run: ApplyRun, change: Change, task: Task, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    recordOutcome(run, change, await describeProblem(thrown, change, task, progressOf(run, change.address)));
  }
}

function hasFailed({ progress }: ApplyRun): boolean {
  return [...progress.values()].some(({ outcome }) => outcome !== undefined && isFailure(outcome));
}

/**
 * A create that was not sent because others had failed counts as failed, even if those have created their objects. So does a change of
 * which only a part was written, unless the service accepted all of it and stored something else.
 */
function isFailure({ status, error }: Outcome): boolean {
  if (status === "unverified") return error !== null && !OTHER_THAN_WRITTEN.has(error.code);
  return status === "failed" || status === "unknown" || error?.code === CIRCUIT_OPEN;
}
