/**
 * Stops writes, and the reads right before them, while the service is out of order.
 *
 * Terms: each operation has a circuit of its own. A request fails here if it gets no answer or an unclear one, such as 503. A
 * probe is the one request that is sent while its circuit is paused.
 * Premise: a failed write may have taken effect, so each costs reads and a wait until it is resolved, and during an outage
 * the next one fails in the same way.
 * Algorithm: after several failures in a row, without a success in between, the circuit is paused. Writes that were not sent
 * yet wait, and at intervals one of them is sent as a probe. A success ends the pause. A failure after the longest pause
 * opens the circuit for the rest of the run, and writes that wait or come later are refused for one and the same reason.
 */
import { own } from "../../model/json/json.ts";
import type { Clock } from "../../api/client.ts";
import { ApiError, isFromService } from "../../api/errors/errors.ts";
import { failsOnDeployed, operations, type OperationName } from "../../api/operations/index.ts";
import { CIRCUIT_OPEN } from "../../model/outcome.ts";
import { createPool, type Pool } from "./pool.ts";

/** Failures in a row after which a circuit is paused. */
const FAILURES = 5;
const VERBS: Readonly<Record<string, string>> = {
  create: "creates",
  update: "updates",
  delete: "removals",
  get: "reads",
};
/** Milliseconds. */
const PROBE_INTERVAL = 5_000;
/** How long an outage may last for a run to go on after it. Milliseconds. */
const LONGEST_PAUSE = 60_000;

/** Why a write was not sent. */
export interface CircuitRefusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The change that wants to send a write. */
export interface Caller {
  /** Its slot is free for others while it waits. */
  readonly pool: Pool;
  /** After an abort nothing waits any more. */
  readonly signal: AbortSignal | undefined;
  /** Called for the first change that a pause holds up, with the time at which it ends at the latest. Milliseconds since 1970. */
  readonly onPause: (reason: string, until: number) => void;
}

/** Sends writes, unless the service is out of order. Runs at the same time can share it. */
export interface CircuitBreaker {
  /**
   * Sends a write once its circuit is not paused, or as a probe. Its failure is thrown, or returned as `error`.
   *
   * @param send gets whether it had to wait
   */
  send<T extends { readonly error?: unknown }>(
    operation: OperationName,
    send: (hasWaited: boolean) => Promise<T>,
    caller: Caller,
  ): Promise<T | { readonly refused: CircuitRefusal }>;
  /** Call if it turns out that a failed write has taken effect. */
  succeeded(operation: OperationName): void;
}

interface Circuit {
  readonly operation: OperationName;
  /** Runs one probe at a time. */
  readonly probes: Pool;
  /** Failures since the last success. */
  failures: number;
  /** Undefined unless the circuit is paused. */
  pause: Pause | undefined;
  /** Set once the circuit is open. */
  refusal: CircuitRefusal | undefined;
}

interface Pause {
  /** The end, unless a success comes first. Milliseconds since 1970. */
  readonly until: number;
  isReported: boolean;
}

/** @param clock measures the pauses */
export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  const circuits = new Map<OperationName, Circuit>();
  const circuitOf = (operation: OperationName): Circuit => {
    const circuit = circuits.get(operation) ?? createCircuit(operation);
    circuits.set(operation, circuit);
    return circuit;
  };
  return {
    succeeded: (operation) => recordSuccess(circuitOf(operation)),
    send: async (operation, send, caller) => {
      const circuit = circuitOf(operation);
      let hasWaited = false;
      const sendNow = async (): ReturnType<typeof send> => {
        try {
          const sent = await send(hasWaited);
          recordResult(circuit, sent.error, clock.now());
          return sent;
        } catch (error) {
          recordResult(circuit, error, clock.now());
          throw error;
        }
      };
      for (;;) {
        if (circuit.refusal !== undefined) return { refused: circuit.refusal };
        if (!isPaused(circuit, caller)) return sendNow();
        hasWaited = true;
        reportPause(circuit, caller);
        const sent = await caller.pool.outside(() =>
          circuit.probes.run(() => sendAsProbe(circuit, caller, clock, sendNow)),
        );
        if (sent !== undefined) return sent;
      }
    },
  };
}

function createCircuit(operation: OperationName): Circuit {
  return { operation, probes: createPool(1), failures: 0, pause: undefined, refusal: undefined };
}

/** Returns undefined if the pause has ended before the probe was due. */
async function sendAsProbe<T>(
  circuit: Circuit,
  caller: Caller,
  clock: Clock,
  send: () => Promise<T>,
): Promise<T | undefined> {
  if (!isPaused(circuit, caller)) return undefined;
  await clock.sleep(PROBE_INTERVAL, caller.signal);
  return isPaused(circuit, caller) ? caller.pool.run(send) : undefined;
}

function isPaused({ pause }: Circuit, { signal }: Caller): boolean {
  return pause !== undefined && signal?.aborted !== true;
}

function reportPause({ operation, failures, pause }: Circuit, { onPause }: Caller): void {
  if (pause === undefined || pause.isReported) return;
  pause.isReported = true;
  onPause(
    `the last ${String(failures)} ${operationWords(operation)} failed; until then, one is tried every ${String(PROBE_INTERVAL / 1000)} s`,
    pause.until,
  );
}

function recordResult(circuit: Circuit, error: unknown, now: number): void {
  if (error === undefined || isRejection(circuit, error)) return recordSuccess(circuit);
  if (circuit.refusal !== undefined || !isFailure(circuit, error)) return;
  circuit.failures += 1;
  if (circuit.failures < FAILURES) return;
  circuit.pause ??= { until: now + LONGEST_PAUSE, isReported: false };
  if (now < circuit.pause.until) return;
  circuit.pause = undefined;
  const reason = `because the last ${String(circuit.failures)} ${operationWords(circuit.operation)} failed: ${error.message}`;
  const isCreate = operations[circuit.operation].effect === "create";
  circuit.refusal = {
    code: CIRCUIT_OPEN,
    // What was sent and failed ends with the same reason, once a read has shown that it took no effect.
    message: isCreate ? `not sent, ${reason}` : `not changed (what was sent was checked by reading), ${reason}`,
    hint: "Check the health of the service, then apply again.",
  };
}

function recordSuccess(circuit: Circuit): void {
  circuit.failures = 0;
  circuit.pause = undefined;
}

/** Whether the service has rejected this one object: then it is not out of order. */
function isRejection({ operation }: Circuit, error: unknown): boolean {
  return error instanceof ApiError && error.operation === operation && error.kind === "invalid";
}

/** Whether an error says that the service, or the way to it, is out of order. */
function isFailure({ operation }: Circuit, error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.operation !== operation) return false;
  if (isFromService(error) && failsOnDeployed(operation)) return false;
  return isOutOfOrder(error);
}

/** Whether a request failed because of the service, or the way to it. */
export function isOutOfOrder({ code, kind }: ApiError): boolean {
  // The time of one resource was up before its request was sent. That says nothing about the service.
  return code !== "deadline" && ["server", "network", "timeout", "protocol"].includes(kind);
}

/** Such as "creates of insights". */
function operationWords(operation: OperationName): string {
  const [family = "", verb = ""] = operation.split(".");
  return `${own(VERBS, verb) ?? `requests (${verb})`} of ${family.replaceAll("_", " ")}`;
}
