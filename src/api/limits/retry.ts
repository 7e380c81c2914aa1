/**
 * When a request is sent again.
 *
 * Terms: a try is one sending of a request; its effect is `no` where it certainly did not arrive or was refused, else `maybe`.
 * Premise: reads and idempotent writes may be sent any number of times, creates only as long as no try can have had an effect.
 * What a service refuses for a reason it will refuse again.
 * Algorithm: p-retry counts. Waits are full jitter, or what the service asks for, never past the run's deadline; a budget shared
 * by the run rations retries in an outage. Waits for a rate limit are the limiter's, for the whole family at once.
 */
import pRetry from "p-retry";
import type { RetryBudget } from "./retry-budget.ts";
import { errorBeforeSending, type Origin } from "../errors/from-response.ts";
import type { Clock } from "./clock.ts";
import { ApiError, withFields } from "../errors/errors.ts";
import { isLasting } from "../errors/from-network.ts";
import type { Operation } from "../operations/index.ts";

const ATTEMPTS: Readonly<Record<Operation["effect"], number>> = { read: 5, idempotent: 4, create: 4 };
/** Retries after a 500: on deployed servers most of them are defects that answer the same again. */
const MAX_RETRIES_OF_500 = 2;
/** Milliseconds. */
const BASE = 50;
const THROTTLED_BASE = 1_000;
const LONGEST = 20_000;

/** A try that failed, thrown so that p-retry counts it. */
export class FailedTry extends Error {
  readonly error: ApiError;
  /** How long to wait before the next one. Milliseconds. */
  readonly waitMs: number;
  constructor(error: ApiError, waitMs: number) {
    super(error.message);
    this.error = error;
    this.waitMs = waitMs;
  }
}

/** What is known of the tries of a request so far. */
export interface Tries {
  /** Whether one of them can have taken effect. */
  ambiguous: boolean;
  /** How many were answered by a server error that is likely to be a defect. */
  defects: number;
}

export interface RetryOptions {
  readonly clock: Clock;
  readonly budget: RetryBudget;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
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
  const tries: Tries = { ambiguous: false, defects: 0 };
  let again = false;
  options.budget.earn();
  try {
    return await pRetry((number) => attempt(number, tries), {
      retries: ATTEMPTS[origin.operation.effect] - 1,
      // p-retry's own waits run on global timers; ours happen before it asks.
      minTimeout: 0,
      onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
        again =
          error instanceof FailedTry &&
          (await prepareNext(origin, error, { attemptNumber, retriesLeft, tries }, options));
      },
      shouldRetry: () => again,
    });
  } catch (thrown) {
    const error: unknown = thrown instanceof FailedTry ? thrown.error : thrown;
    throw tries.ambiguous ? asAmbiguous(error) : error;
  }
}

interface Progress {
  readonly attemptNumber: number;
  readonly retriesLeft: number;
  readonly tries: Tries;
}

/** Decides and waits. False where the failure stands. */
async function prepareNext(
  origin: Origin,
  failed: FailedTry,
  { attemptNumber, retriesLeft, tries }: Progress,
  options: RetryOptions,
): Promise<boolean> {
  const { error, waitMs } = failed;
  const { clock, budget, deadline, signal } = options;
  if (error.effect === "maybe") tries.ambiguous = true;
  if (isDefect(error)) tries.defects += 1;
  if (retriesLeft === 0 || !mayRetry(error, origin.operation, tries.defects)) return false;
  if (isAborted(signal)) throw interrupted(origin, error);
  if (clock.now() + waitMs > deadline) throw pastDeadline(error, waitMs);
  if (error.kind !== "throttled" && !budget.spend()) return false;
  options.onRetry(error, attemptNumber, waitMs);
  // The limiter holds back the whole family, this request included.
  if (error.kind === "throttled") return true;
  await clock.sleep(waitMs, signal);
  if (isAborted(signal)) throw interrupted(origin, error);
  return true;
}

/** Whether a failed try may be followed by another one. `defects` counts the server errors of {@link isDefect} so far. */
export function mayRetry(error: ApiError, operation: Operation, defects: number): boolean {
  if (error.kind === "throttled") return true;
  if (operation.effect === "create") return error.effect === "no" && isTransient(error);
  if (isDefect(error)) return defects <= MAX_RETRIES_OF_500 && error.status !== 501 && error.status !== 505;
  return error.kind === "server" || isTransient(error);
}

/** How long to wait after try `number`: what the service asks for, else anything up to a limit that doubles. Milliseconds. */
export function waitAfter(kind: ApiError["kind"], number: number, asked: number | null, clock: Clock): number {
  if (asked !== null && asked > 0) return asked;
  const base = kind === "throttled" ? THROTTLED_BASE : BASE;
  return Math.round(clock.random() * Math.min(LONGEST, base * 2 ** (number - 1)));
}

/** Server errors other than those by which gateways and overload show themselves. */
function isDefect(error: ApiError): boolean {
  return error.kind === "server" && ![502, 503, 504].includes(error.status ?? 0);
}

function isTransient(error: ApiError): boolean {
  if (error.kind === "protocol") return error.code === "invalid_json";
  return (error.kind === "network" || error.kind === "timeout") && !isLasting(error);
}

/** A call, as the compiler takes a property that was false once to be false for ever. */
function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

function interrupted(origin: Origin, last: ApiError): ApiError {
  const stopped = errorBeforeSending(origin, "interrupted", null, "the run was interrupted", "Run it again.");
  return withFields(stopped, {
    message: `${last.message}; not tried again, as the run was interrupted`,
    effect: last.effect,
  });
}

function pastDeadline(error: ApiError, waitMs: number): ApiError {
  const wait = `the wait of ${String(Math.ceil(waitMs / 1000))} s before the next try would pass the deadline of this run`;
  return withFields(error, { message: `${error.message}; ${wait}`, hint: "Run it again later." });
}

function asAmbiguous(error: unknown): unknown {
  return error instanceof ApiError ? withFields(error, { effect: "maybe" }) : error;
}
