/**
 * Decides when a request is sent again.
 *
 * These parts decide it, from the inside out. Each deals only with what the part above it has given up. An interruption ends every wait.
 *
 * who                        sends again                                   waits before that             until
 *
 * withRetries, below         a read, an idempotent write; a create only    what the service asks for,    5 or 4 tries, 3 after a 500, 20 if
 *                            if no try can have had an effect              else a random time            asked to wait; deadline; budget
 * lists/coalesce.ts          a list, for callers that still need it        PROBE_INTERVAL                no caller needs it
 * apply/creates/             a list, as long as a create is open           0.5 s, doubled up to 20 s     four failures in a row
 *   resolve-create.ts
 * apply/schedule/            a read before a write. Lets no write go       PROBE_INTERVAL                two failures; or a minute of pause,
 *   circuit-breaker.ts       while the service is out of order                                           then all are refused
 * apply/actions/             an idempotent write without a clear answer,   the settle time, and what     it was sent twice
 *   send-idempotent.ts       if a read shows no effect                     the circuit breaker waits
 * apply/creates/             a create without a clear answer, if complete  the settle time, and what     it was sent three times, or failed
 *   create-once.ts           lists show that there is no new object        the circuit breaker waits     twice with one error; budget
 *
 * Terms: a try is one sending of a request. `tookEffect` is `no` if the service certainly did not receive or did not
 * accept it, otherwise `maybe`.
 * Premise: reads and idempotent writes may be sent any number of times. A create may be sent again only if no earlier
 * try can have had an effect. If the service rejects a request for a stated reason, it would reject it again.
 * Algorithm: p-retry counts the tries. A 429 that asks for a wait is not among them: where other clients use a part of the limit, one
 * request may meet it several times. A random wait has a limit that doubles ("full jitter"). A wait that would pass the deadline of the
 * run is not begun. A budget for the whole run limits the retries during an outage. After a 429 the limiter waits instead, for all
 * requests of the same budget.
 */
import pRetry from "p-retry";
import { requestLabel, type Origin } from "../errors/from-response.ts";
import type { Clock } from "./clock.ts";
import { ApiError, isFromService, isOutage, withFields } from "../errors/errors.ts";
import { isPermanent } from "../errors/from-network.ts";
import type { Operation } from "../operations/index.ts";

const ATTEMPTS: Readonly<Record<Operation["effect"], number>> = { read: 5, idempotent: 4, create: 4 };
/** How often a request is sent at most that a service asks to wait. */
const MAX_THROTTLED = 20;
/** Retries after a 500. On deployed servers most of these are defects that would answer the same again. */
const MAX_RETRIES_OF_500 = 2;
/** Waits in milliseconds. */
const BASE_WAIT = 50;
const THROTTLED_BASE_WAIT = 1_000;
const MAX_WAIT = 20_000;

/** How long a service that is out of order is left alone before one request tries it again. Milliseconds. */
export const PROBE_INTERVAL = 5_000;

/** The wait before the next try. */
export interface RetryWait {
  readonly ms: number;
  /** Whether the service has asked for it. */
  readonly isAsked: boolean;
}

/** A failed try, thrown for p-retry to count. */
export class FailedTry extends Error {
  readonly error: ApiError;
  readonly wait: RetryWait;
  constructor(error: ApiError, wait: RetryWait) {
    super(error.message);
    this.error = error;
    this.wait = wait;
  }
}

/** The tries of a request so far. */
export interface Tries {
  failed: number;
  /** Whether one of them may have taken effect. */
  ambiguous: boolean;
  /** Whether the service may still be working on one of them. */
  mayStillRun: boolean;
  /** How many got a server error that is likely to be a defect. */
  defects: number;
  /** How many were asked to wait by a 429. */
  throttled: number;
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly budget: RetryBudget;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** How often it is sent at most, if that is less than the operation allows. */
  readonly attempts?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onRetry: (error: ApiError, attempt: number, waitMs: number) => void;
}

/**
 * Runs `attempt` until it succeeds or must not be run again.
 *
 * @throws ApiError whose effect covers all tries
 */
export async function withRetries<T>(
  origin: Origin,
  attempt: (number: number, tries: Tries) => Promise<T>,
  options: RetryOptions,
): Promise<T> {
  const tries: Tries = { failed: 0, ambiguous: false, mayStillRun: false, defects: 0, throttled: 0 };
  options.budget.earn();
  try {
    return await pRetry((number) => attempt(number, tries), {
      retries: Math.min(ATTEMPTS[origin.operation.effect], options.attempts ?? Infinity) - 1,
      onFailedAttempt: ({ error }) => noteFailure(tries, error),
      shouldConsumeRetry: ({ error }) => !(error instanceof FailedTry && isAskedToWait(error)),
      // p-retry would wait on global timers. The wait on our clock happens in shouldRetry.
      minTimeout: 0,
      shouldRetry: ({ error, attemptNumber }) =>
        error instanceof FailedTry && prepareNext(origin, error, { attemptNumber, tries }, options),
    });
  } catch (thrown) {
    const error: unknown = thrown instanceof FailedTry ? thrown.error : thrown;
    if (!(error instanceof ApiError)) throw error;
    const unclear = tries.ambiguous ? ({ tookEffect: "maybe", mayStillRun: tries.mayStillRun } as const) : {};
    throw withFields(error, { tries: tries.failed, ...unclear });
  }
}

function noteFailure(tries: Tries, thrown: Error): void {
  if (!(thrown instanceof FailedTry)) return;
  const { error } = thrown;
  tries.failed += 1;
  if (isAskedToWait(thrown)) tries.throttled += 1;
  if (error.tookEffect === "maybe") {
    tries.ambiguous = true;
    tries.mayStillRun ||= !isFromService(error);
  }
  if (isLikelyDefect(error)) tries.defects += 1;
}

/** Decides whether to try again, and waits. Returns false if the failure is final. */
async function prepareNext(
  origin: Origin,
  failed: FailedTry,
  { attemptNumber, tries }: { readonly attemptNumber: number; readonly tries: Tries },
  options: RetryOptions,
): Promise<boolean> {
  const { error, wait } = failed;
  const { clock, budget, deadline, signal } = options;
  if (!mayRetry(error, origin.operation, tries)) return false;
  if (isAborted(signal)) throw interruptedError(origin, error);
  if (clock.now() + wait.ms > deadline) throw pastDeadline(error, wait.ms);
  if (error.kind !== "throttled" && !budget.spend()) return false;
  options.onRetry(error, attemptNumber, wait.ms);
  // The limiter makes every request of the budget wait, including this one.
  if (error.kind === "throttled") return true;
  await clock.sleep(wait.ms, signal);
  if (isAborted(signal)) throw interruptedError(origin, error);
  return true;
}

/** Whether another try may follow a failed one. */
function mayRetry(error: ApiError, operation: Operation, { defects, throttled }: Tries): boolean {
  if (error.kind === "throttled") return throttled < MAX_THROTTLED;
  if (operation.effect === "create") return error.tookEffect === "no" && isTransient(error);
  if (isLikelyDefect(error)) return defects <= MAX_RETRIES_OF_500 && error.status !== 501 && error.status !== 505;
  return error.kind === "server" || isTransient(error);
}

function isAskedToWait({ error, wait }: FailedTry): boolean {
  return error.kind === "throttled" && wait.isAsked;
}

/** The wait after try `number`: what the service asks for, otherwise a random time. */
export function retryWait(kind: ApiError["kind"], number: number, requested: number | null, clock: Clock): RetryWait {
  if (requested !== null && requested > 0) return { ms: requested, isAsked: true };
  const base = kind === "throttled" ? THROTTLED_BASE_WAIT : BASE_WAIT;
  return { ms: Math.round(clock.random() * Math.min(MAX_WAIT, base * 2 ** (number - 1))), isAsked: false };
}

/** A server error that does not come from a gateway or from overload. */
function isLikelyDefect(error: ApiError): boolean {
  return error.kind === "server" && !isOutage(error);
}

function isTransient(error: ApiError): boolean {
  if (error.kind === "protocol") return error.code === "invalid_json";
  return (error.kind === "network" || error.kind === "timeout") && !isPermanent(error);
}

/** A function, because the compiler assumes that a property that was false stays false. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function interruptedError(origin: Origin, last: ApiError): ApiError {
  return new ApiError({
    kind: "interrupted",
    ...requestLabel(origin),
    hint: "Run it again.",
    tookEffect: last.tookEffect,
    message: `${last.message}; not tried again because the run was interrupted`,
  });
}

function pastDeadline(error: ApiError, waitMs: number): ApiError {
  return withFields(error, { message: `${error.message}; ${tooLongWait(waitMs)}`, hint: "Run it again later." });
}

/** Why no other try is made, as the end of a sentence. */
export function tooLongWait(waitMs: number): string {
  return `the wait of ${String(Math.ceil(waitMs / 1000))} s before the next try would pass the deadline of this run`;
}

/** Retries that a run may spend before they are rationed. */
const STOCK = 10;
/** What every request adds. With some hundreds of requests, at most one in ten is a retry. */
const PER_REQUEST = 0.05;

/** Limits the retries of a run, because retries must not multiply the load that may have caused an outage. */
export interface RetryBudget {
  /** Call for each request that is sent for the first time. */
  earn(): void;
  /** Takes one retry. Returns false if none is left. */
  spend(): boolean;
}

/** Creates a full budget. It never holds more, so a long healthy run does not save up retries. */
export function createRetryBudget(): RetryBudget {
  // Counted in integer parts, because sums of 0.05 are not exact.
  const scale = Math.round(1 / PER_REQUEST);
  let parts = STOCK * scale;
  return {
    earn: () => {
      parts = Math.min(STOCK * scale, parts + 1);
    },
    spend: () => {
      if (parts < scale) return false;
      parts -= scale;
      return true;
    },
  };
}
