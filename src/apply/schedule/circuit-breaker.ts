/**
 * Stops what would fail anyway: writes, and the reads right before them, while the service is out of order or the key lacks a permission.
 *
 * Terms: each operation has a circuit of its own. A request fails here if it gets no answer or an unclear one, such as 503. A
 * probe is the one request that is sent while its circuit is paused.
 * Premise: a failed write may have taken effect, so each costs reads and a wait until it is resolved, and during an outage
 * the next one fails in the same way. A read has no effect, so nothing is lost if it is sent again.
 * Algorithm: after several failures in a row, without a success in between, the circuit is paused. What was not sent yet waits, and at
 * intervals one request is sent as a probe. A success ends the pause. A failure after the longest pause opens the circuit for the rest of
 * the run, and what waits or comes later is refused for one and the same reason. A read that fails is sent once more after the interval
 * of probes, and again as long as it is a probe. If the service says that the key lacks a permission, it would reject every other write
 * of the family too: all of them are refused. api/limits/retry.ts lists all parts that send a request again.
 */
import { own } from "../../model/json/json.ts";
import type { Clock } from "../../api/client.ts";
import { ApiError, isFromService } from "../../api/errors/errors.ts";
import { PROBE_INTERVAL } from "../../api/limits/retry.ts";
import { failsOnDeployed, familyOf, operations, type OperationName } from "../../api/operations/index.ts";
import { CIRCUIT_OPEN } from "../../model/outcome.ts";
import { ChangeError } from "../change-error.ts";
import { createPool, type Pool } from "./pool.ts";

/** Failures in a row after which a circuit is paused. */
const FAILURES = 5;
const VERBS: Readonly<Record<string, string>> = {
  create: "creates",
  update: "updates",
  delete: "removals",
  get: "reads",
};
/** How long an outage may last for a run to go on after it. Milliseconds. */
const LONGEST_PAUSE = 60_000;

/** The change that wants to send a request. */
export interface Caller {
  /** Its slot is free for others while it waits. */
  readonly pool: Pool;
  /** After an abort nothing waits any more. */
  readonly signal: AbortSignal | undefined;
  /** Called for the first change that a pause holds up, with the time at which it ends at the latest. Milliseconds since 1970. */
  readonly onPause: (reason: string, until: number) => void;
}

/** Sends writes, and the reads right before them, unless they would fail. Runs at the same time can share it. */
export interface CircuitBreaker {
  /**
   * Sends a request once its circuit is not paused, or as a probe. Its failure is thrown, or returned as `error`.
   *
   * @param send gets whether it had to wait
   * @throws ChangeError if it is not sent
   */
  send<T extends object>(
    operation: OperationName,
    send: (hasWaited: boolean) => Promise<T>,
    caller: Caller,
  ): Promise<T>;
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
  refusal: ChangeError | undefined;
}

interface Pause {
  /** The end, unless a success comes first. Milliseconds since 1970. */
  readonly until: number;
  isReported: boolean;
}

/** @param clock measures the pauses */
export function createCircuitBreaker(clock: Clock): CircuitBreaker {
  const circuits = new Map<OperationName, Circuit>();
  /** By family: the permission that the key lacks. */
  const denied = new Map<string, ChangeError>();
  const circuitOf = (operation: OperationName): Circuit => {
    const circuit = circuits.get(operation) ?? createCircuit(operation);
    circuits.set(operation, circuit);
    return circuit;
  };
  const record = async <T extends object>(circuit: Circuit, sending: Promise<T>): Promise<T> => {
    try {
      const sent = await sending;
      recordResult(circuit, "error" in sent ? sent.error : undefined, clock.now());
      return sent;
    } catch (error) {
      const refusal = permissionRefusal(circuit, error);
      if (refusal !== undefined) denied.set(familyOf(circuit.operation), refusal);
      recordResult(circuit, error, clock.now());
      throw error;
    }
  };
  return {
    succeeded: (operation) => recordSuccess(circuitOf(operation)),
    send: async (operation, send, caller) => {
      const circuit = circuitOf(operation);
      let [hasWaited, hasFailed] = [false, false];
      const sendNow = (): ReturnType<typeof send> => record(circuit, send(hasWaited));
      for (;;) {
        const refusal = circuit.refusal ?? (isGuarded(operation) ? denied.get(familyOf(operation)) : undefined);
        if (refusal !== undefined) throw refusal;
        const isProbe = isPaused(circuit, caller);
        hasWaited ||= isProbe;
        try {
          const sent = isProbe ? await waitAndProbe(circuit, caller, clock, sendNow) : await sendNow();
          if (sent !== undefined) return sent;
        } catch (error) {
          if (!isRead(operation) || !isFailure(circuit, error) || (hasFailed && !isProbe)) throw error;
          hasFailed = true;
          if (!isPaused(circuit, caller)) await caller.pool.outside(() => clock.sleep(PROBE_INTERVAL, caller.signal));
        }
      }
    },
  };
}

function createCircuit(operation: OperationName): Circuit {
  return { operation, probes: createPool(1), failures: 0, pause: undefined, refusal: undefined };
}

/** Returns undefined if the pause has ended before the probe was due. */
function waitAndProbe<T>(
  circuit: Circuit,
  caller: Caller,
  clock: Clock,
  send: () => Promise<T>,
): Promise<T | undefined> {
  reportPause(circuit, caller);
  return caller.pool.outside(() =>
    circuit.probes.run(async () => {
      if (!isPaused(circuit, caller)) return undefined;
      await clock.sleep(PROBE_INTERVAL, caller.signal);
      return isPaused(circuit, caller) ? caller.pool.run(send) : undefined;
    }),
  );
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
  // What was sent and failed ends with the same reason, once a read has shown that it took no effect.
  const message = isCreate ? `not sent, ${reason}` : `not changed (what was sent was checked by reading), ${reason}`;
  const hint = "Check the health of the service, then apply again.";
  circuit.refusal = new ChangeError("skipped", CIRCUIT_OPEN, message, { hint });
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
  // If the time of one resource was up before its request was sent, that says nothing about the service.
  return error.code !== "deadline" && ["server", "network", "timeout", "protocol"].includes(error.kind);
}

/** Why nothing of the family is written any more, if an error names a permission that the key lacks. */
function permissionRefusal({ operation }: Circuit, error: unknown): ChangeError | undefined {
  const permission = error instanceof ApiError && error.operation === operation ? error.missingPermission : undefined;
  if (permission === undefined || isRead(operation) || !isGuarded(operation)) return undefined;
  return new ChangeError(
    "failed",
    "missing_scope",
    `not sent: the key has no scope ${permission}, as the service said before`,
    { hint: `Give the API key the scope ${permission}.` },
  );
}

function isRead(operation: OperationName): boolean {
  return operations[operation].method === "GET";
}

/** Whether a missing permission concerns an operation. For writes without a listed one, a rejection says nothing about others. */
function isGuarded(operation: OperationName): boolean {
  return isRead(operation) || operations[operation].permission !== null;
}

/** Such as "creates of insights". */
function operationWords(operation: OperationName): string {
  const [family = "", verb = ""] = operation.split(".");
  return `${own(VERBS, verb) ?? `requests (${verb})`} of ${family.replaceAll("_", " ")}`;
}
