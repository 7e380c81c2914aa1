import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { LiveObject, LiveScope, ScopePath } from "../model/live.ts";
import type { Outcome, OutcomeError, Status } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import { createOwnership, type Ownership } from "./schedule/ownership.ts";
import { type ApplyContext, type Task, createTask } from "./task.ts";
import type { Removal } from "./actions/replace.ts";
import { createMissingScopeBreaker, type MissingScopeBreaker } from "./schedule/missing-scope-breaker.ts";
import { createPrerequisites, type Prerequisites } from "./schedule/order.ts";
import { createPool, type Pool } from "./schedule/pool.ts";
import { describeProblem, watchWrites, type LastWrite } from "./outcomes.ts";
import { createCoalescer, type Coalescer } from "./schedule/coalesce.ts";

/** Changes under way at once; the client's limiter has the last word on requests. */
const CONCURRENCY = 8;

/** A change of which everything is done but the removal. */
export interface PendingRemoval {
  readonly change: Change;
  readonly id: string | null;
  readonly task: Task;
  readonly removal: Removal;
}

/** The state of one apply. */
export interface Run {
  readonly context: ApplyContext;
  readonly prerequisites: (change: Change) => Prerequisites;
  /** Grows by the organizations that are created. */
  readonly scopes: Map<string, LiveScope>;
  readonly pool: Pool;
  readonly ownership: Ownership;
  readonly lists: Map<string, Promise<readonly LiveObject[]>>;
  readonly coalesce: Coalescer<readonly LiveObject[]>;
  readonly breaker: MissingScopeBreaker;
  readonly started: Map<string, Promise<void>>;
  readonly pendingRemovals: PendingRemoval[];
  readonly requests: Map<string, number>;
  /** By address. */
  readonly writes: Map<string, LastWrite>;
  readonly outcomes: Map<string, Outcome>;
}

export function createRun(plan: Plan, context: ApplyContext): Run {
  return {
    context,
    prerequisites: createPrerequisites(plan),
    scopes: new Map(context.snapshot.scopes),
    pool: createPool(CONCURRENCY),
    ownership: createOwnership(plan),
    coalesce: createCoalescer((ms) => context.clock.sleep(ms, context.signal)),
    breaker: createMissingScopeBreaker(),
    lists: new Map(),
    started: new Map(),
    pendingRemovals: [],
    requests: new Map(),
    writes: new Map(),
    outcomes: new Map(),
  };
}

/** Binds a change to its scope. */
export function taskOf(run: Run, change: Change, scope: string, path: ScopePath): Task {
  const { context, ownership: claims, lists, coalesce: waves, pool, breaker: gate } = run;
  return createTask(kinds[change.kind], {
    context,
    scope,
    path,
    address: change.address,
    ownership: claims,
    lists,
    coalesce: waves,
    breaker: gate,
    count: (requests) => {
      run.requests.set(change.address, (run.requests.get(change.address) ?? 0) + requests);
    },
    watch: watchWrites(run.writes, change.address),
    outside: pool.outside,
    pause: (ms) => pool.outside(() => context.clock.sleep(ms, context.signal)),
  });
}

/** Does a part of a change; whatever it throws becomes the outcome. */
export async function recordFailure(run: Run, change: Change, task: Task, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isSent = (run.requests.get(change.address) ?? 0) > 0;
    const { status, id, ...problem } = await describeProblem(error, change, task, isSent);
    recordOutcome(run, change, status, id, problem);
  }
}

/** Notes and tells how a change ended. */
export function recordOutcome(
  run: Run,
  change: Change,
  status: Status,
  id: string | null,
  error: OutcomeError | null,
): void {
  const { work: _work, ...shown } = change;
  const outcome: Outcome = { ...shown, id, status, error, requests: run.requests.get(change.address) ?? 0 };
  run.outcomes.set(change.address, outcome);
  run.context.onOutcome?.(outcome);
}

export function isInterrupted(run: Run): boolean {
  return run.context.signal?.aborted === true;
}
