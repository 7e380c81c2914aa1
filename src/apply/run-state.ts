/**
 * The state of one apply.
 *
 * Terms: the progress of a change is how many requests it has sent, what is known of its last write, and its outcome.
 * The context is what the caller passes in and never changes; everything else in a run grows while changes are
 * executed.
 */
import type { Answer, Client, Clock } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import type { Change } from "../model/change.ts";
import type { Secret } from "../model/json/json.ts";
import type { LiveObject, LiveScope, LiveWorld } from "../model/live.ts";
import type { Outcome, Wait } from "../model/outcome.ts";
import type { Plan } from "../model/plan.ts";
import type { Journal } from "./journal/journal.ts";
import { createMemo, type Memo } from "./memo.ts";
import { createCoalescer, type Coalescer } from "../api/lists/coalesce.ts";
import { createCircuitBreaker, type CircuitBreaker } from "./schedule/circuit-breaker.ts";
import { createHolders, type Holders } from "./schedule/holders.ts";
import { createGathering, type Gathering } from "./other-runs/gathering.ts";
import type { ReadBefore } from "./other-runs/shared-reads.ts";
import { CONCURRENCY, createPool, type Pool } from "./schedule/pool.ts";

/** What applying needs from outside. */
export interface ApplyContext {
  readonly client: Client;
  /** The live state that the plan was made from. */
  readonly world: LiveWorld;
  /** Returns the value of a secret at the moment of sending. Throws if the secret cannot be resolved. */
  readonly secrets: (secret: Secret) => string;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Once it is aborted, requests in flight are finished and no new change is begun. */
  readonly signal?: AbortSignal | undefined;
  /** How long an unanswered request may still take effect: the settle time. Milliseconds. */
  readonly settleAfterMs: number;
  /** How creates treat those of other runs (creates/protocol.ts). */
  readonly otherRuns: "look after" | ReadBefore;
  /** Shared by runs at the same time; by default the run has its own. */
  readonly circuits?: CircuitBreaker | undefined;
  /**
   * Receives a function that returns the outcomes as they stand at any moment, for a caller that cannot wait for the
   * end.
   */
  readonly onBegin?: ((soFar: () => readonly Outcome[]) => void) | undefined;
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
  /** Called once for each change that has to wait before its outcome is known. */
  readonly onWait?: ((wait: Wait) => void) | undefined;
}

/** A create that was not answered can no longer take effect after this time: proxies give a request a minute. Milliseconds. */
const SETTLE_TIME = 60_000;

/** How long an unanswered create may still take effect. Milliseconds. @param settleAfter what a user says, in seconds */
export function settleTime(settleAfter: number | undefined): number {
  return settleAfter === undefined ? SETTLE_TIME : settleAfter * 1000;
}

/** What is known of the last writing request of a change. */
export type LastWrite = "in flight" | "answered" | "unclear";

/** How far a change has come. */
export interface ChangeProgress {
  requests: number;
  /** Undefined until a writing request is sent. */
  lastWrite: LastWrite | undefined;
  /** The id of the object that the change has made. */
  made?: string | undefined;
  /** Undefined until the change has ended. */
  outcome: Outcome | undefined;
}

/** What the changes of one apply share. */
export interface ApplyRun {
  readonly context: ApplyContext;
  readonly pool: Pool;
  readonly holders: Holders;
  readonly circuits: CircuitBreaker;
  /** By address; organizations are added once they are created. */
  readonly scopes: Map<string, LiveScope>;
  /** The lists as they were when the run first read them, by `listKey`. */
  readonly firstList: Memo<readonly LiveObject[]>;
  /** Lets changes that need a current list at the same time share one read. */
  readonly coalesce: Coalescer<readonly LiveObject[]>;
  /** Lets the creates of one kind in one scope look together. */
  readonly gathering: Gathering;
  /** By address of the change. */
  readonly progress: Map<string, ChangeProgress>;
}

export function createRun(plan: Plan, context: ApplyContext): ApplyRun {
  return {
    context,
    pool: createPool(CONCURRENCY),
    holders: createHolders(plan),
    circuits: context.circuits ?? createCircuitBreaker(context.clock),
    scopes: new Map(context.world.scopes),
    firstList: createMemo(),
    coalesce: createCoalescer(context.clock, context.signal),
    gathering: createGathering(),
    progress: new Map(),
  };
}

export function isInterrupted({ context }: ApplyRun): boolean {
  return context.signal?.aborted === true;
}

export function progressOf({ progress }: ApplyRun, address: string): ChangeProgress {
  const found = progress.get(address) ?? { requests: 0, lastWrite: undefined, outcome: undefined };
  progress.set(address, found);
  return found;
}

/** How a change ended. */
export type OutcomeResult = Pick<Outcome, "status" | "id" | "error" | "taken_back">;

/** Records how a change ended, and reports it to the caller. */
export function recordOutcome(run: ApplyRun, change: Change, result: OutcomeResult): undefined {
  const { work: _work, ...documented } = change;
  const progress = progressOf(run, change.address);
  const { requests } = progress;
  const time = requests === 0 ? {} : { ended_at: new Date(run.context.clock.now()).toISOString() };
  progress.outcome = { ...documented, ...result, requests, ...time };
  if (["applied", "unchanged", "yielded", "unverified"].includes(result.status)) progress.made = result.id ?? undefined;
  run.context.onOutcome?.(progress.outcome);
}

/**
 * Sends a writing request and records what is known of it. `send` calls its argument for every try. A request that
 * certainly did not reach the service leaves what was known before.
 */
export async function trackWrite(
  progress: ChangeProgress,
  send: (onRequest: () => void) => Promise<Answer>,
): Promise<Answer> {
  const before = progress.lastWrite;
  try {
    const answer = await send(() => {
      progress.lastWrite = "in flight";
    });
    progress.lastWrite = "answered";
    return answer;
  } catch (error) {
    const isUnclear = !(error instanceof ApiError) || error.tookEffect === "maybe";
    progress.lastWrite = isUnclear ? "unclear" : before;
    throw error;
  }
}
