import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { Clock } from "../limits/clock.ts";
import { yieldToEventLoop } from "./event-loop.ts";

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

/** The largest body that is read. Bytes. */
export const MAX_BODY = 64 * 1024 * 1024;

export interface HttpRequest {
  readonly origin: string;
  /** Path and query. */
  readonly path: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** The result of one try. */
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
  /** Sends once. It never rejects, follows no redirects, and cannot be aborted. */
  send(request: HttpRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * Sends over a pool of kept-alive connections that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or over `dispatcher`.
 */
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
          // Created here, so that an invalid proxy setting fails the request instead of throwing in the caller.
          const used = dispatcher ?? (own ??= createAgent(timeouts));
          used.dispatch(options, createCollector(clock, timeouts.total, resolve));
        } catch (error) {
          resolve({ type: "failure", reached: false, status: null, headers: {}, error });
        }
      }),
    // A dispatcher that was passed in is closed by its owner.
    close: async () => own?.close(),
  };
}

/** Collects one answer. undici calls onRequestStart when it writes the request to an open connection. */
function createCollector(
  clock: Clock,
  total: number,
  resolve: (exchange: Exchange) => void,
): Dispatcher.DispatchHandler {
  const chunks: Uint8Array[] = [];
  let reached = false;
  let status: number | null = null;
  let headers: Headers = {};
  let size = 0;
  let endBy = Infinity;
  const stop = (controller: Dispatcher.DispatchController, exchange: Exchange): void => {
    resolve(exchange);
    controller.abort(new Error("the rest of the body is not needed"));
  };
  return {
    onRequestStart: () => {
      reached = true;
    },
    onResponseStart: (_controller, statusCode, received) => {
      // An interim answer such as 103 is not the result.
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
      // If the next request came before undici has the connection back, undici would open another one.
      void yieldToEventLoop().then(() => resolve({ type: "answer", status: status ?? 0, headers, body }));
    },
    onResponseError: (_controller, error) => {
      resolve({ type: "failure", reached, status, headers, error });
    },
  };
}

/** The body keeps arriving but did not end in time. */
class SlowBodyError extends Error {
  readonly code = "DRIFTLINE_BODY_TIMEOUT";
}

/**
 * Creates a pool of kept-alive connections, directly or through the proxies of the environment.
 *
 * @throws Error with the code `DRIFTLINE_PROXY`. It does not quote the variables, because they may contain a password.
 */
function createAgent(timeouts: { readonly connect: number }): Dispatcher {
  const connect = { timeout: timeouts.connect };
  try {
    return new EnvHttpProxyAgent({
      ...proxyOption("httpProxy", "http_proxy", "HTTP_PROXY"),
      ...proxyOption("httpsProxy", "https_proxy", "HTTPS_PROXY"),
      connect,
      proxyTls: connect,
      requestTls: connect,
      // Without this, a proxy that accepts the connection and never answers would block a run for undici's five
      // minutes.
      clientFactory: (origin, options) => new Pool(origin, { ...options, headersTimeout: timeouts.connect }),
    });
  } catch {
    throw new ProxyError("the proxy of the environment is not a URL such as http://proxy.example.com:8080");
  }
}

/** Reads the first variable that is set, like undici. An address without a protocol gets http, like in other tools. */
function proxyOption(
  option: "httpProxy" | "httpsProxy",
  ...names: readonly string[]
): Readonly<Record<string, string>> {
  const text = names.map((name) => process.env[name]).find((value) => value !== undefined);
  if (text === undefined || text === "") return {};
  return { [option]: text.includes("://") ? text : `http://${text}` };
}

class ProxyError extends Error {
  readonly code = "DRIFTLINE_PROXY";
}
