import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { Clock } from "../limits/clock.ts";
import { yieldToEventLoop } from "./event-loop.ts";

/** How long to wait for what. Milliseconds. */
export interface Timeouts {
  /** For a connection, TLS and the proxy's consent included. */
  readonly connect: number;
  /** From the request to the first byte of the answer. */
  readonly headers: number;
  /** From one piece of the body to the next. */
  readonly body: number;
  /** For the whole body, against one that drips. */
  readonly total: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, headers: 60_000, body: 30_000, total: 300_000 };

/** Largest body that is read. Bytes. */
export const MAX_BODY = 64 * 1024 * 1024;

export interface HttpRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** What came of one try. */
export type Exchange =
  | { readonly type: "answer"; readonly status: number; readonly headers: Headers; readonly body: Uint8Array }
  | { readonly type: "too_large"; readonly status: number; readonly headers: Headers }
  | {
      readonly type: "failure";
      readonly reached: boolean;
      readonly status: number | null;
      readonly headers: Headers;
      readonly error: unknown;
    };

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Transport {
  /** Sends once. Never rejects; follows no redirect; is not stopped by a signal. */
  send(request: HttpRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/** Sends over a pool of kept-alive connections that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or over `dispatcher`. */
export function createTransport(clock: Clock, timeouts: Timeouts, dispatcher?: Dispatcher): Transport {
  let own: Dispatcher | undefined;
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { method, origin, path, headers, body } = request;
        const options = {
          origin,
          path,
          method,
          headers: { ...headers },
          body: body ?? null,
          headersTimeout: timeouts.headers,
          bodyTimeout: timeouts.body,
        };
        try {
          // Made here, so that a proxy that is none ends a request, and not whatever was about to send one.
          const used = dispatcher ?? (own ??= createAgent(timeouts));
          used.dispatch(options, collector(clock, timeouts.total, resolve));
        } catch (error) {
          resolve({ type: "failure", reached: false, status: null, headers: {}, error });
        }
      }),
    // What was handed in is closed by whoever made it.
    close: async () => own?.close(),
  };
}

/** Gathers one answer. The handler's first call is the moment at which a request is written to a live connection. */
function collector(clock: Clock, total: number, resolve: (exchange: Exchange) => void): Dispatcher.DispatchHandler {
  const chunks: Uint8Array[] = [];
  let reached = false;
  let status: number | null = null;
  let headers: Headers = {};
  let size = 0;
  let endBy = Infinity;
  const stop = (controller: Dispatcher.DispatchController, exchange: Exchange): void => {
    resolve(exchange);
    controller.abort(new Error("the rest of the body is not wanted"));
  };
  return {
    onRequestStart: () => {
      reached = true;
    },
    onResponseStart: (_controller, statusCode, received) => {
      // An interim answer such as 103 says nothing about the request.
      if (statusCode < 200) return;
      status = statusCode;
      headers = received;
      endBy = clock.now() + total;
    },
    onResponseData: (controller, chunk) => {
      size += chunk.length;
      if (size > MAX_BODY) return stop(controller, { type: "too_large", status: status ?? 0, headers });
      if (clock.now() > endBy)
        return stop(controller, { type: "failure", reached, status, headers, error: new SlowBodyError() });
      chunks.push(chunk);
    },
    onResponseEnd: () => {
      const [only] = chunks;
      const body = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
      // A request that followed before undici has the connection back would open another one.
      void yieldToEventLoop().then(() => resolve({ type: "answer", status: status ?? 0, headers, body }));
    },
    onResponseError: (_controller, error) => {
      resolve({ type: "failure", reached, status, headers, error });
    },
  };
}

/** A body of which pieces keep coming, but no end. */
class SlowBodyError extends Error {
  readonly code = "DRIFTLINE_BODY_TIMEOUT";
}

/**
 * A pool of kept-alive connections, directly or through the proxies of the environment.
 *
 * @throws Error with the code `DRIFTLINE_PROXY`, which says nothing of what is in the variables: that may be secret
 */
function createAgent(timeouts: { readonly connect: number }): Dispatcher {
  const connect = { timeout: timeouts.connect };
  try {
    return new EnvHttpProxyAgent({
      ...proxyOf("httpProxy", "http_proxy", "HTTP_PROXY"),
      ...proxyOf("httpsProxy", "https_proxy", "HTTPS_PROXY"),
      connect,
      proxyTls: connect,
      requestTls: connect,
      // A proxy that takes the connection and then says nothing must not hold a run for undici's five minutes.
      clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: timeouts.connect }),
    });
  } catch {
    throw new ProxyError("the proxy of the environment is no address such as http://proxy.example.com:8080");
  }
}

/** The first of the variables that is set, as undici chooses. Without a protocol it is one of http, as everywhere else. */
function proxyOf(option: "httpProxy" | "httpsProxy", ...names: readonly string[]): Readonly<Record<string, string>> {
  const text = names.map((name) => process.env[name]).find((value) => value !== undefined);
  if (text === undefined || text === "") return {};
  return { [option]: text.includes("://") ? text : `http://${text}` };
}

class ProxyError extends Error {
  readonly code = "DRIFTLINE_PROXY";
}
