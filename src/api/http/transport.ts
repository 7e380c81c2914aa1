import type { Exchange, Headers, HttpRequest } from "./exchange.ts";
import type { Dispatcher } from "undici";
import type { Clock } from "../limits/clock.ts";
import { yieldToEventLoop } from "./event-loop.ts";
import { createAgent, isProxyFailure, proxyOf } from "./proxy-agent.ts";

/** Timeouts in milliseconds. */
export interface Timeouts {
  /** To open a connection, including TLS and the proxy. */
  readonly connect: number;
  /** From the request to the first byte of the answer. */
  readonly headers: number;
  /** From one piece of the body to the next. */
  readonly body: number;
  /** For the whole body, against a body that arrives very slowly. */
  readonly total: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, headers: 60_000, body: 30_000, total: 300_000 };

/** After this time a body is slow. Milliseconds. */
const SLOW_BODY = 10_000;

/** The largest body that is read. Bytes. */
export const MAX_BODY = 64 * 1024 * 1024;

export interface Transport {
  /** Sends once. It never rejects, follows no redirects, and only its own signal ends it before its deadline. */
  send(request: HttpRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * Sends over a pool of kept-alive connections that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or over `dispatcher`.
 */
export function createTransport(clock: Clock, timeouts: Timeouts, dispatcher?: Dispatcher): Transport {
  let agent: Dispatcher | undefined;
  const proxyErrors = new WeakSet<Error>();
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { method, origin, path, headers, body, deadline = Infinity, signal, onSlowBody } = request;
        // 0 would switch the timeouts off.
        const left = Math.max(1, deadline - clock.now());
        const options = {
          origin,
          path,
          method,
          headers: { ...headers },
          body: body ?? null,
          headersTimeout: Math.min(timeouts.headers, left),
          bodyTimeout: Math.min(timeouts.body, left),
        };
        try {
          // Created here, so that an invalid proxy setting fails the request instead of throwing in the caller.
          const used = dispatcher ?? (agent ??= createAgent(timeouts, proxyErrors, origin));
          used.dispatch(
            options,
            new Collector(clock, { total: timeouts.total, deadline, signal, onSlowBody }, (exchange) => {
              const isProxy = exchange.type === "failure" && isProxyFailure(exchange, proxyErrors);
              resolve(isProxy ? { ...exchange, proxy: proxyOf(origin) } : exchange);
            }),
          );
        } catch (error) {
          resolve({ type: "failure", reached: false, status: null, headers: {}, error });
        }
      }),
    // A dispatcher that was passed in is closed by its owner.
    close: async () => agent?.close(),
  };
}

interface Limits {
  /** Milliseconds. */
  readonly total: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
  readonly onSlowBody: HttpRequest["onSlowBody"];
}

/** Collects one answer. undici calls onRequestStart when it writes the request to an open connection. */
class Collector implements Dispatcher.DispatchHandler {
  readonly #clock: Clock;
  readonly #limits: Limits;
  readonly #resolve: (exchange: Exchange) => void;
  readonly #chunks: Uint8Array[] = [];
  #reached = false;
  #status: number | null = null;
  #headers: Headers = {};
  #size = 0;
  #slowAt = Infinity;
  #endBy = Infinity;
  #end: () => void = () => undefined;

  constructor(clock: Clock, limits: Limits, resolve: (exchange: Exchange) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#resolve = (exchange) => {
      limits.signal?.removeEventListener("abort", this.#end);
      resolve(exchange);
    };
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#reached = true;
    const { signal } = this.#limits;
    this.#end = (): void => this.#stop(controller, this.#failure(new EndedError()));
    if (signal?.aborted === true) this.#end();
    else signal?.addEventListener("abort", this.#end);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // undici passes any number on, and would fail with an assertion at the end of the answer.
    if (status < 100) return this.#stop(controller, this.#failure(new StatusError("Invalid response status")));
    // An interim answer such as 103 is not the result.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    const now = this.#clock.now();
    this.#slowAt = now + SLOW_BODY;
    this.#endBy = Math.min(now + this.#limits.total, this.#limits.deadline);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#size += chunk.length;
    const now = this.#clock.now();
    if (now > this.#slowAt) {
      this.#slowAt = Infinity;
      this.#limits.onSlowBody?.(this.#endBy - now);
    }
    if (this.#size > MAX_BODY) this.#stop(controller, { type: "too_large", ...this.#head });
    else if (now > this.#endBy) this.#stop(controller, this.#failure(new SlowBodyError()));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const [only] = this.#chunks;
    const body = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size);
    // If the next request came before undici has the connection back, undici would open another one.
    void yieldToEventLoop().then(() => this.#resolve({ type: "answer", ...this.#head, body }));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#resolve(this.#failure(error));
  }

  get #head(): { readonly status: number; readonly headers: Headers } {
    return { status: this.#status ?? 0, headers: this.#headers };
  }

  #failure(error: Error): Exchange {
    return { type: "failure", reached: this.#reached, status: this.#status, headers: this.#headers, error };
  }

  #stop(controller: Dispatcher.DispatchController, exchange: Exchange): void {
    this.#resolve(exchange);
    controller.abort(new Error("the rest of the body is not needed"));
  }
}

/** A status that HTTP does not have. */
export class StatusError extends Error {}

/** The body keeps arriving but did not end in time. */
class SlowBodyError extends Error {
  readonly code = "DRIFTLINE_BODY_TIMEOUT";
}

/** The caller has cancelled the request. */
class EndedError extends Error {
  readonly code = "DRIFTLINE_ENDED";
}
