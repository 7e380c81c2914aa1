/**
 * Carries out a plan. It decides nothing: what is done, and to what, is the plan's.
 *
 * Premise: parents come before children; an update that frees a natural key comes before the create that takes it; removals
 * come last, children first, and only if nothing before them failed. A failure skips what depends on it, nothing else.
 */
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import type { Change } from "../model/change.ts";
import type { LiveScope } from "../model/live.ts";
import type { Outcome, OutcomeError, Status } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { ApplyContext, Task } from "./context.ts";
import { settleSeen } from "./create.ts";
import { execute, type Removal } from "./execute.ts";
import { createPool } from "./pool.ts";
import { describeProblem } from "./problem.ts";
import { createTask } from "./task.ts";

/** Changes under way at once; the client's limiter has the last word on requests. */
const CONCURRENCY = 8;

/** A change of which everything is done but the removal. */
interface Due {
  readonly change: Change;
  readonly id: string | null;
  readonly task: Task;
  readonly removal: Removal;
}

interface Run {
  readonly plan: Plan;
  readonly context: ApplyContext;
  /** Grows by the organizations that are created. */
  readonly scopes: Map<string, LiveScope>;
  readonly pool: ReturnType<typeof createPool>;
  readonly started: Map<string, Promise<void>>;
  readonly due: Due[];
  readonly requests: Map<string, number>;
  readonly outcomes: Map<string, Outcome>;
}

/** The outcomes of all changes, in the plan's order. Never throws for what a service answers. */
export async function applyPlan(plan: Plan, context: ApplyContext): Promise<readonly Outcome[]> {
  await settleSeen(context);
  const run: Run = {
    plan,
    context,
    scopes: new Map(context.snapshot.scopes),
    pool: createPool(CONCURRENCY),
    started: new Map(),
    due: [],
    requests: new Map(),
    outcomes: new Map(),
  };
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
  await Promise.all(before(run.plan, change).map((other) => start(run, other)));
  if (change.blocked !== null) {
    const { rule, lift } = change.blocked;
    return end(run, change, "skipped", change.id, { code: rule, message: `refused by the rule ${rule}`, hint: lift });
  }
  if (change.action === "unknown") return end(run, change, "skipped", change.id, { code: "unknown", message: change.reason });
  if (change.action === "no_op") return end(run, change, "applied", change.id, null);
  await run.pool(() => carryOut(run, change));
}

/** The parent of a create, and whatever has the natural key that it is about to take. */
function before(plan: Plan, change: Change): readonly Change[] {
  if (change.action !== "create") return [];
  const { scope, key } = change.work ?? { scope: "", key: null };
  return plan.changes.filter((other) => {
    if (other.address === scope) return true;
    const frees = other.action === "update" && other.kind === change.kind && other.work?.scope === scope;
    return frees && key !== null && other.work.key !== key && other.work.live?.keys.includes(key) === true;
  });
}

async function carryOut(run: Run, change: Change): Promise<void> {
  if (isInterrupted(run)) return end(run, change, "skipped", change.id, INTERRUPTED);
  const scope = run.scopes.get(change.work?.scope ?? "");
  if (scope?.status !== "known") return end(run, change, "skipped", change.id, PARENT_FAILED);
  const task = createTask(run.context, kinds[change.kind], change.work?.scope ?? "", scope.path, (requests) => {
    run.requests.set(change.address, (run.requests.get(change.address) ?? 0) + requests);
  });
  await guarded(run, change, task, async () => {
    const { id, removal } = await execute(task, change);
    const isParent = scopeType(task.scope) === "service" && change.action === "create";
    if (isParent && id !== null) run.scopes.set(change.address, { status: "known", path: { organization_id: id } });
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

async function removeOne(run: Run, { change, id, task, removal }: Due, hasFailed: boolean): Promise<void> {
  if (hasFailed) return end(run, change, "skipped", id, NOT_REMOVED);
  await run.pool(async () => {
    if (isInterrupted(run)) return end(run, change, "skipped", id, INTERRUPTED);
    await guarded(run, change, task, async () => {
      await removal();
      end(run, change, "applied", id, null);
    });
  });
}

const INTERRUPTED: OutcomeError = { code: "interrupted", message: "not begun: interrupted", hint: "Apply again." };
const PARENT_FAILED: OutcomeError = { code: "parent_failed", message: "what it belongs to is not there", hint: "Apply again once its parent is." };
const NOT_REMOVED: OutcomeError = { code: "not_removed", message: "nothing is removed after a failure", hint: "Put right what failed, and apply again." };

async function guarded(run: Run, change: Change, task: Task, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { status, id, ...problem } = await describeProblem(error, change, task);
    end(run, change, status, id, problem);
  }
}

function end(run: Run, change: Change, status: Status, id: string | null, error: OutcomeError | null): void {
  const { work: _work, ...shown } = change;
  const outcome: Outcome = { ...shown, id, status, error, requests: run.requests.get(change.address) ?? 0 };
  run.outcomes.set(change.address, outcome);
  run.context.onOutcome?.(outcome);
}

function isInterrupted(run: Run): boolean {
  return run.context.signal?.aborted === true;
}
