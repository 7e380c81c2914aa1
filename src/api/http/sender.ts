import type { PreparedRequest, RequestEvent, SendingOptions } from "./request.ts";
import { ApiError } from "../errors/errors.ts";
import { errorBeforeSending, type Origin, type UnsentProblem } from "../errors/from-response.ts";
import type { Limiter, SendRefusal, Slot } from "../limits/limiter.ts";
import {
  FailedTry,
  type RetryBudget,
  retryWait,
  tooLongWait,
  type Tries,
  type RetryWait,
  withRetries,
} from "../limits/retry.ts";
import { httpRequest } from "./http-request.ts";
import { type Answer, decode, receive } from "./receive.ts";
import { retryAfter } from "./retry-after.ts";
import { createYieldQueue } from "./event-loop.ts";
import type { Transport } from "./transport.ts";
import type { Exchange, HttpRequest } from "./exchange.ts";

interface SenderOptions extends SendingOptions {
  readonly service: URL;
  readonly transport: Transport;
  readonly limiter: Limiter;
  readonly budget: RetryBudget;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Sends requests with limits and retries. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #yieldTurns = createYieldQueue();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  /** @throws ApiError */
  send(request: PreparedRequest): Promise<Answer> {
    const { clock, signal, budget } = this.#options;
    return withRetries(request.origin, (attempt, tries) => this.#try(request, attempt, tries), {
      clock,
      budget,
      deadline: deadlineOf(this.#options, request),
      attempts: request.attempts,
      signal,
      onRetry: ({ kind, code, status }, attempt, waitMs) => {
        // A wait for a rate limit was already reported as "throttled".
        if (kind !== "throttled")
          this.#report(request, { type: "retry", attempt, status, waitMs, reason: code ?? kind });
      },
    });
  }

  async #try(request: PreparedRequest, attempt: number, tries: Tries): Promise<Answer> {
    const { operation, path } = request.origin;
    const onWait = (waitMs: number): void => this.#report(request, { type: "paced", attempt, waitMs });
    const entered = await this.#options.limiter.enter(operation.budget, onWait, request.deadline);
    if ("refused" in entered) throw refusalError(request.origin, entered.refused, attempt);
    const { slot } = entered;
    const ended = this.#options.onSend?.({ method: operation.method, path });
    try {
      const onSlowBody = (waitMs: number): void => this.#report(request, { type: "slow", attempt, waitMs });
      const exchange = await this.#exchange(request, slot, onSlowBody);
      const result = receive(request, this.#options.service, await this.#decoded(exchange));
      this.#report(request, { type: "request", attempt, status: result.status });
      if (!(result instanceof ApiError)) return result;
      // An earlier try without an answer has removed the object.
      if (operation.method === "DELETE" && result.kind === "not_found" && tries.ambiguous)
        return { status: 404, body: undefined };
      throw new FailedTry(result, this.#waitAfter(request, { exchange, error: result, slot, attempt }));
    } finally {
      ended?.();
      slot.release();
    }
  }

  /** Sends once. The slot is free as soon as the service has accepted the request. */
  async #exchange(request: PreparedRequest, slot: Slot, onSlowBody: HttpRequest["onSlowBody"]): Promise<Exchange> {
    request.onRequest?.();
    const exchange = await this.#options.transport.send({ ...httpRequest(this.#options, request), onSlowBody });
    if (isAccepted(exchange)) {
      slot.succeeded();
      slot.release();
    }
    if (exchange.status !== null) request.onResponse?.({ status: exchange.status, headers: exchange.headers });
    return exchange;
  }

  async #decoded(exchange: Exchange): ReturnType<typeof decode> {
    const decoded = await decode(exchange);
    // Requests that wait for the slot or for this arrival are sent first, because parsing may take longer than sending.
    if (isAccepted(exchange)) await this.#yieldTurns();
    return decoded;
  }

  #waitAfter(request: PreparedRequest, { exchange, error, slot, attempt }: FailedExchange): RetryWait {
    const { clock } = this.#options;
    const { kind, code, status } = error;
    const requested = "headers" in exchange ? retryAfter(exchange.headers, clock.now()) : null;
    const wait = retryWait(kind, attempt, requested, clock);
    const { ms: waitMs } = wait;
    const isLast =
      attempt >= (request.attempts ?? Infinity) || clock.now() + waitMs > deadlineOf(this.#options, request);
    if (kind === "throttled" && slot.throttled(waitMs) && !isLast)
      this.#report(request, { type: "throttled", attempt, status, waitMs, reason: code ?? "throttled" });
    return wait;
  }

  #report(
    { origin: { operation, path } }: PreparedRequest,
    event: Pick<RequestEvent, "type" | "attempt" | "status" | "waitMs" | "reason">,
  ): void {
    this.#options.onEvent?.({ operation: operation.name, method: operation.method, path, ...event });
  }
}

interface FailedExchange {
  readonly exchange: Exchange;
  readonly error: ApiError;
  readonly slot: Slot;
  readonly attempt: number;
}

/** Whether the service accepted the request. The body may still be unreadable. */
function isAccepted(exchange: Exchange): boolean {
  return exchange.type === "answer" && exchange.status < 300;
}

/** A request without a deadline of its own waits for its answer as long as the transport does. */
function deadlineOf(options: SenderOptions, { deadline = Infinity }: PreparedRequest): number {
  return Math.min(options.deadline, deadline);
}

function refusalError(origin: Origin, refused: SendRefusal, attempt: number): ApiError {
  return errorBeforeSending(origin, { ...unsentProblem(refused), attempt });
}

function unsentProblem(refused: SendRefusal): UnsentProblem {
  if (refused === "interrupted")
    return { kind: "interrupted", problem: "the run was interrupted", hint: "Run it again." };
  if (refused === "too late")
    return { kind: "timeout", code: "deadline", problem: "its time was up", hint: "Give it more time." };
  return { kind: "throttled", problem: tooLongWait(refused.waitMs), hint: "Run it again later." };
}
