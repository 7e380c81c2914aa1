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
import type { ApplyContext } from "./context.ts";
import { endOf, INTERRUPTED, KEY_TAKEN, NAME_IN_DOUBT, NOT_REMOVED, PARENT_FAILED } from "./ends.ts";
import { execute } from "./execute.ts";
import { createRun, end, guarded, isInterrupted, taskOf, type Due, type Run } from "./run.ts";
import { settleSeen } from "./intents.ts";
import { soFar } from "./so-far.ts";

/** The outcomes of all changes, in the plan's order. Never throws for what a service answers. */
export async function applyPlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  const run = createRun(plan, context);
  context.onBegin?.(() => soFar(run, plan));
  await settleSeen(context, run.claims);
  await Promise.all(plan.changes.map((change) => start(run, change)));
  await removeLast(run);
  return plan.changes.flatMap((change) => run.outcomes.get(change.address) ?? []);
}

/** Begins a change once those that it depends on have ended. A change is begun once. */
function start(run: Run, change: Change): Promise<void> {
  const started = run.started.get(change.address) ?? afterOthers(run, change);
  run.started.set(change.address, started);
  return started;
}

async function afterOthers(run: Run, change: Change): Promise<void> {
  const ended = endOf(change);
  if (ended !== undefined) return end(run, change, ended.status, change.id, ended.error);
  const { parent, freeing, inner } = run.before(change);
  await Promise.all([...parent, ...freeing, ...inner].map((other) => start(run, other)));
  const statusOf = ({ address }: Change): Status | undefined => run.outcomes.get(address)?.status;
  if (!freeing.every((other) => statusOf(other) === "applied"))
    return end(run, change, "skipped", change.id, KEY_TAKEN);
  if (inner.some((other) => statusOf(other) === "unknown"))
    return end(run, change, "skipped", change.id, NAME_IN_DOUBT);
  await run.pool.run(() => carryOut(run, change));
}

async function carryOut(run: Run, change: Change): Promise<void> {
  if (isInterrupted(run)) return end(run, change, "skipped", change.id, INTERRUPTED);
  const address = change.work?.scope ?? "";
  const scope = run.scopes.get(address);
  if (scope?.status !== "known") return end(run, change, "skipped", change.id, PARENT_FAILED);
  const task = taskOf(run, change, address, scope.path);
  await guarded(run, change, task, async () => {
    const { id, removal } = await execute(task, change);
    if (scopeType(task.scope) === "service" && id !== null)
      run.scopes.set(change.address, { status: "known", path: { organization_id: id } });
    if (removal === undefined) end(run, change, "applied", id, null);
    else run.due.push({ change, id, task, removal });
  });
}

/** Removals, children before parents; none of them where something has failed. */
async function removeLast(run: Run): Promise<void> {
  const depth = ({ change }: Due): number => change.address.split("/").length;
  const levels = [...new Set(run.due.map(depth))].toSorted((a, b) => b - a);
  for (const level of levels) {
    const hasFailed = [...run.outcomes.values()].some(({ status }) => status === "failed" || status === "unknown");
    await Promise.all(run.due.filter((due) => depth(due) === level).map((due) => removeOne(run, due, hasFailed)));
  }
}

async function removeOne(run: Run, due: Due, hasFailed: boolean): Promise<void> {
  const { change, id, task, removal } = due;
  if (hasFailed) return leave(run, due, NOT_REMOVED);
  await run.pool.run(async () => {
    if (isInterrupted(run)) return leave(run, due, INTERRUPTED);
    await guarded(run, change, task, async () => {
      await removal();
      end(run, change, "applied", id, null);
    });
  });
}

/** Ends a change whose removal is not begun. Of a replace the new object is there by now. */
function leave(run: Run, { change, id }: Due, error: OutcomeError): void {
  if (change.action !== "replace") return end(run, change, "skipped", id, error);
  const message = `its replacement was created, but it was not removed: ${error.message}`;
  end(run, change, "unverified", id, { ...error, message });
}
