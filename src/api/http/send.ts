import type { Json } from "../../model/json.ts";
import { createRetryBudget } from "../limits/retry-budget.ts";
import { errorBeforeSending, type Origin } from "../errors/from-response.ts";
import type { Clock } from "../limits/clock.ts";
import { decode } from "./decode.ts";
import { ApiError } from "../errors/errors.ts";
import type { Limiter, Refusal } from "../limits/limiter.ts";
import { stringifyExactly } from "../json/exact-numbers.ts";
import { receive, retryAfter, type Answer } from "./receive.ts";
import { FailedTry, waitAfter, withRetries, type Tries } from "../limits/retry.ts";
import type { Exchange, Headers, Transport } from "./transport.ts";
import { createYieldQueue } from "./event-loop.ts";

/** Something that a client did, for progress and logs. Holds no secrets. */
export interface RequestEvent {
  /** `request`: a try ended. `retry`: it will be tried again. `throttled`: the service wants the whole family to wait. */
  readonly type: "request" | "retry" | "throttled";
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Which try it was, from 1. */
  readonly attempt: number;
  /** Null where no answer arrived. */
  readonly status?: number | null;
  /** Milliseconds until the next try. */
  readonly waitMs?: number;
  readonly reason?: string;
}

/** What stands before the body of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. They may hold secrets. */
  readonly headers: Headers;
}

/** A request that is ready to be sent. */
export interface Prepared {
  readonly origin: Origin;
  /** With its leading question mark, or empty. */
  readonly query: string;
  readonly body: Json | undefined;
  /** Whether the answer is wanted as it comes, rather than as JSON. */
  readonly raw: boolean;
  /** Called once per try. */
  readonly onRequest?: (() => void) | undefined;
  /** Called for every answer, whatever it says. */
  readonly onResponse?: ((response: ResponseHead) => void) | undefined;
}

export interface SenderOptions {
  readonly service: URL;
  readonly key: string;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly limiter: Limiter;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RequestEvent) => void) | undefined;
}

/** Sends with limits and retries. @throws ApiError */
export function createSender(options: SenderOptions): (request: Prepared) => Promise<Answer> {
  const { clock, signal, deadline } = options;
  const budget = createRetryBudget();
  const nextTurns = createYieldQueue();
  return (request) =>
    withRetries(request.origin, (number, tries) => tryOnce(options, request, number, tries, nextTurns), {
      clock,
      budget,
      deadline,
      signal,
      onRetry: (error, attempt, waitMs) => {
        // The wait of a whole family was told when it began.
        if (error.kind !== "throttled")
          reportTry(options, request, {
            type: "retry",
            attempt,
            status: error.status,
            waitMs,
            reason: error.code ?? error.kind,
          });
      },
    });
}

async function tryOnce(
  options: SenderOptions,
  request: Prepared,
  number: number,
  tries: Tries,
  nextTurns: () => Promise<void>,
): Promise<Answer> {
  const { clock, limiter, transport, service } = options;
  const { operation } = request.origin;
  const entered = await limiter.enter(operation.budget);
  if ("refused" in entered) throw refusedError(request.origin, entered.refused);
  const { slot } = entered;
  try {
    request.onRequest?.();
    const exchange = await transport.send(httpRequest(options, request));
    if (isAccepted(exchange)) {
      slot.succeeded();
      slot.release();
    }
    if (exchange.status !== null) request.onResponse?.({ status: exchange.status, headers: exchange.headers });
    const decoded = await decode(exchange);
    // What waits for the slot, or for this answer to be there, is sent before a body is parsed, which may take longer than sending.
    if (isAccepted(exchange)) await nextTurns();
    const result = receive(request.origin, service, decoded, request.raw);
    reportTry(options, request, { type: "request", attempt: number, status: result.status });
    if (!(result instanceof ApiError)) return result;
    // An earlier try that was not heard of has removed it.
    if (operation.method === "DELETE" && result.kind === "not_found" && tries.ambiguous)
      return { status: 404, body: undefined };
    const asked = "headers" in exchange ? retryAfter(exchange.headers, clock.now()) : null;
    const waitMs = waitAfter(result.kind, number, asked, clock);
    if (result.kind === "throttled" && slot.throttled(waitMs) && clock.now() + waitMs <= options.deadline) {
      reportTry(options, request, {
        type: "throttled",
        attempt: number,
        status: result.status,
        waitMs,
        reason: result.code ?? "throttled",
      });
    }
    throw new FailedTry(result, waitMs);
  } finally {
    slot.release();
  }
}

/** Whether the service took the request, whatever its answer is worth. */
function isAccepted(exchange: Exchange): boolean {
  return exchange.type === "answer" && exchange.status < 300;
}

function httpRequest({ service, key }: SenderOptions, { origin, query, body, raw }: Prepared) {
  const text = body === undefined ? undefined : stringifyExactly(body);
  return {
    origin: service.origin,
    path: `${service.pathname.replace(/\/+$/u, "")}${origin.path}${query}`,
    method: origin.operation.method,
    headers: {
      authorization: `Bearer ${key}`,
      // Some servers refuse a format in the query that is not among the accepted ones.
      accept: raw ? "*/*" : "application/json",
      "accept-encoding": "gzip",
      "user-agent": "driftline",
      ...(text === undefined ? {} : { "content-type": "application/json" }),
    },
    body: text,
  };
}

function refusedError(origin: Origin, refused: Refusal): ApiError {
  if (refused === "interrupted")
    return errorBeforeSending(origin, "interrupted", null, "the run was interrupted", "Run it again.");
  const seconds = String(Math.ceil(refused.waitMs / 1000));
  return errorBeforeSending(
    origin,
    "throttled",
    null,
    `the service asks to wait ${seconds} s, which would pass the deadline of this run`,
    "Run it again later.",
  );
}

function reportTry(
  { onEvent }: SenderOptions,
  { origin }: Prepared,
  event: Pick<RequestEvent, "type" | "attempt" | "status" | "waitMs" | "reason">,
): void {
  onEvent?.({ operation: origin.operation.name, method: origin.operation.method, path: origin.path, ...event });
}
