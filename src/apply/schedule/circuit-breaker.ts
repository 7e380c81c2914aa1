/**
 * Stops creates while the service is out of order.
 *
 * Terms: a family is all creates by one operation. A create fails here if it gets no answer or an unclear one, such as 503. A
 * trial is the one create that is sent while its family is paused.
 * Premise: a failed create may have taken effect, so each costs lists and a wait until it is resolved, and during an outage
 * the next one fails in the same way.
 * Algorithm: after several failures in a row, without a success in between, the family is paused. Creates that were not sent
 * yet wait, and at intervals one of them is sent as a trial. A success ends the pause. A failure after the longest pause
 * stops the family for the rest of the run, and creates that wait or come later are refused for one and the same reason.
 */
import type { Clock } from "../../api/client.ts";
import { ApiError, isFromService } from "../../api/errors/errors.ts";
import { failsOnDeployed, type OperationName } from "../../api/operations/index.ts";
import { FAMILY_STOPPED } from "../../model/outcome.ts";
import { createPool, type Pool } from "./pool.ts";

/** Failures in a row after which a family is paused. */
const FAILURES = 5;
/** Milliseconds. */
const TRIAL_INTERVAL = 5_000;
/** How long an outage may last for a run to go on after it. Milliseconds. */
const LONGEST_PAUSE = 60_000;

/** Why a create was not sent. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The change that wants to send a create. */
export interface Sender {
  /** Its slot is free for others while it waits. */
  readonly pool: Pool;
  /** After an abort nothing waits any more. */
  readonly signal: AbortSignal | undefined;
  /** Called for the first change that a pause holds up, with the time at which it ends at the latest. Milliseconds since 1970. */
  readonly onPause: (reason: string, until: number) => void;
}

/** Sends creates, unless the service is out of order. Runs at the same time can share it. */
export interface OutageBreaker {
  /** Sends a create once its family is not paused, or as a trial. The failure of a create is thrown, or returned as `error`. */
  send<T extends { readonly error?: unknown }>(
    operation: OperationName,
    send: () => Promise<T>,
    sender: Sender,
  ): Promise<T | { readonly refused: Refusal }>;
  /** Call if it turns out that a failed create has created its object. */
  succeeded(operation: OperationName): void;
}

interface Family {
  readonly operation: OperationName;
  /** Runs one trial at a time. */
  readonly trials: Pool;
  /** Failures since the last success. */
  failures: number;
  /** Undefined unless the family is paused. */
  pause: Pause | undefined;
  /** Set once the family is stopped. */
  refusal: Refusal | undefined;
}

interface Pause {
  /** The end, unless a success comes first. Milliseconds since 1970. */
  readonly until: number;
  isReported: boolean;
}

/** @param clock measures the pauses */
export function createOutageBreaker(clock: Clock): OutageBreaker {
  const families = new Map<OperationName, Family>();
  const familyOf = (operation: OperationName): Family => {
    const family = families.get(operation) ?? createFamily(operation);
    families.set(operation, family);
    return family;
  };
  return {
    succeeded: (operation) => recordSuccess(familyOf(operation)),
    send: async (operation, send, sender) => {
      const family = familyOf(operation);
      const sendNow = async (): ReturnType<typeof send> => {
        try {
          const sent = await send();
          recordResult(family, sent.error, clock.now());
          return sent;
        } catch (error) {
          recordResult(family, error, clock.now());
          throw error;
        }
      };
      for (;;) {
        if (family.refusal !== undefined) return { refused: family.refusal };
        if (!isPaused(family, sender)) return sendNow();
        reportPause(family, sender);
        const sent = await sender.pool.outside(() =>
          family.trials.run(() => sendAsTrial(family, sender, clock, sendNow)),
        );
        if (sent !== undefined) return sent;
      }
    },
  };
}

function createFamily(operation: OperationName): Family {
  return { operation, trials: createPool(1), failures: 0, pause: undefined, refusal: undefined };
}

/** Returns undefined if the pause has ended before the trial was due. */
async function sendAsTrial<T>(
  family: Family,
  sender: Sender,
  clock: Clock,
  send: () => Promise<T>,
): Promise<T | undefined> {
  if (!isPaused(family, sender)) return undefined;
  await clock.sleep(TRIAL_INTERVAL, sender.signal);
  return isPaused(family, sender) ? sender.pool.run(send) : undefined;
}

function isPaused({ pause }: Family, { signal }: Sender): boolean {
  return pause !== undefined && signal?.aborted !== true;
}

function reportPause({ operation, failures, pause }: Family, { onPause }: Sender): void {
  if (pause === undefined || pause.isReported) return;
  pause.isReported = true;
  onPause(
    `the last ${String(failures)} creates of ${nameOf(operation)} failed; until then, one is tried every ${String(TRIAL_INTERVAL / 1000)} s`,
    pause.until,
  );
}

function recordResult(family: Family, error: unknown, now: number): void {
  if (error === undefined || isRejection(family, error)) return recordSuccess(family);
  if (family.refusal !== undefined || !isFailure(family, error)) return;
  family.failures += 1;
  if (family.failures < FAILURES) return;
  family.pause ??= { until: now + LONGEST_PAUSE, isReported: false };
  if (now < family.pause.until) return;
  family.pause = undefined;
  family.refusal = {
    code: FAMILY_STOPPED,
    message: `not sent, because the last ${String(family.failures)} creates of ${nameOf(family.operation)} failed: ${error.message}`,
    hint: "Check the health of the service, then apply again.",
  };
}

function recordSuccess(family: Family): void {
  family.failures = 0;
  family.pause = undefined;
}

/** Whether the service has rejected this one object: then it is not out of order. */
function isRejection({ operation }: Family, error: unknown): boolean {
  return error instanceof ApiError && error.operation === operation && error.kind === "invalid";
}

/** Whether an error says that the service, or the way to it, is out of order. */
function isFailure({ operation }: Family, error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.operation !== operation) return false;
  if (isFromService(error) && failsOnDeployed(operation)) return false;
  // The time of one resource was up before its request was sent. That says nothing about the service.
  if (error.code === "deadline") return false;
  return ["server", "network", "timeout", "protocol"].includes(error.kind);
}

function nameOf(operation: OperationName): string {
  return (operation.split(".")[0] ?? "").replaceAll("_", " ");
}
