import { type Dispatcher, EnvHttpProxyAgent, Pool } from "undici";
import type { Clock } from "../limits/clock.ts";

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
  /** When to give up, if that is before the timeouts. Milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** Aborting it cancels the request, even after it was sent. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of one try. */
export type Exchange =
  | { readonly type: "answer"; readonly status: number; readonly headers: Headers; readonly body: Uint8Array }
  | { readonly type: "too_large"; readonly status: number; readonly headers: Headers }
  | {
      readonly type: "failure";
      /** Whether the request was written to a connection. If so, the service may have processed it. */
      readonly reached: boolean;
      /** Status of the answer if its body did not arrive completely. */
      readonly status: number | null;
      readonly headers: Headers;
      readonly error: unknown;
      /** The proxy that failed, if it was not the service or the way to it. */
      readonly proxy?: Proxy | undefined;
    };

/** A proxy of the environment. */
interface Proxy {
  /** Without credentials. */
  readonly url: string;
  /** The environment variable that names it. */
  readonly variable: string;
}

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface Transport {
  /** Sends once. It never rejects, follows no redirects, and only its own signal ends it before its deadline. */
  send(request: HttpRequest): Promise<Exchange>;
  close(): Promise<void>;
}

/**
 * Sends over a pool of kept-alive connections that honours HTTP_PROXY, HTTPS_PROXY and NO_PROXY, or over `dispatcher`.
 */
export function createTransport(clock: Clock, timeouts: Timeouts, dispatcher?: Dispatcher): Transport {
  let own: Dispatcher | undefined;
  const proxyErrors = new WeakSet<Error>();
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { method, origin, path, headers, body, deadline = Infinity, signal } = request;
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
          const used = dispatcher ?? (own ??= createAgent(timeouts, proxyErrors));
          used.dispatch(
            options,
            new Collector(clock, { total: timeouts.total, deadline, signal }, (exchange) => {
              const isProxy = exchange.type === "failure" && isProxyFailure(exchange, proxyErrors);
              resolve(isProxy ? { ...exchange, proxy: proxyOf(origin) } : exchange);
            }),
          );
        } catch (error) {
          resolve({ type: "failure", reached: false, status: null, headers: {}, error });
        }
      }),
    // A dispatcher that was passed in is closed by its owner.
    close: async () => own?.close(),
  };
}

interface Limits {
  /** Milliseconds. */
  readonly total: number;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly signal: AbortSignal | undefined;
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

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    // An interim answer such as 103 is not the result.
    if (status < 200) return;
    this.#status = status;
    this.#headers = headers;
    this.#endBy = Math.min(this.#clock.now() + this.#limits.total, this.#limits.deadline);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#size += chunk.length;
    if (this.#size > MAX_BODY) this.#stop(controller, { type: "too_large", ...this.#head });
    else if (this.#clock.now() > this.#endBy) this.#stop(controller, this.#failure(new SlowBodyError()));
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

  get #head() {
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

/** The body keeps arriving but did not end in time. */
class SlowBodyError extends Error {
  readonly code = "DRIFTLINE_BODY_TIMEOUT";
}

/** The caller has cancelled the request. */
class EndedError extends Error {
  readonly code = "DRIFTLINE_ENDED";
}

/** Whether a proxy failed: it could not be reached, did not answer, or refused the tunnel. */
function isProxyFailure(
  { reached, error }: Extract<Exchange, { readonly type: "failure" }>,
  known: WeakSet<Error>,
): boolean {
  if (reached || !(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  // Before the request itself is written, only a proxy can be slow to answer.
  return (
    known.has(error) ||
    error.message.startsWith("Proxy response") ||
    code === "UND_ERR_HEADERS_TIMEOUT" ||
    code === "UND_ERR_PRX_TLS"
  );
}

/**
 * Creates a pool of kept-alive connections, directly or through the proxies of the environment. It adds the errors of connections
 * to a proxy to `proxyErrors`.
 *
 * @throws ProxyError
 */
function createAgent(timeouts: { readonly connect: number }, proxyErrors: WeakSet<Error>): Dispatcher {
  const connect = { timeout: timeouts.connect };
  const [http, https] = [proxySetting(HTTP), proxySetting(HTTPS)];
  for (const setting of [http, https]) if (setting !== undefined) checkProxy(setting);
  return new EnvHttpProxyAgent({
    ...(http === undefined ? {} : { httpProxy: http.text }),
    ...(https === undefined ? {} : { httpsProxy: https.text }),
    connect,
    proxyTls: connect,
    requestTls: connect,
    // Without this, a proxy that accepts the connection and never answers would block a run for undici's five
    // minutes.
    clientFactory: (origin, options) => {
      const pool = new Pool(origin, { ...options, headersTimeout: timeouts.connect });
      const note = (_origin: URL, _targets: unknown, error: Error): void => void proxyErrors.add(error);
      return pool.on("connectionError", note).on("disconnect", note);
    },
  });
}

const HTTP = ["http_proxy", "HTTP_PROXY"] as const;
const HTTPS = ["https_proxy", "HTTPS_PROXY"] as const;

/** Reads the first variable that is set, like undici. An address without a protocol gets http, like in other tools. */
function proxySetting(names: readonly string[]): { readonly variable: string; readonly text: string } | undefined {
  const variable = names.find((name) => process.env[name] !== undefined);
  const text = variable === undefined ? undefined : process.env[variable];
  if (variable === undefined || text === undefined || text === "") return undefined;
  return { variable, text: text.includes("://") ? text : `http://${text}` };
}

/** @throws ProxyError for what undici would not take, or could not decode */
function checkProxy({ variable, text }: { readonly variable: string; readonly text: string }): void {
  try {
    const { protocol, username, password } = new URL(text);
    decodeURIComponent(username + password);
    if (/^(?:https?|socks5?):$/u.test(protocol)) return;
  } catch {
    // It is reported below.
  }
  throw new ProxyError(`${variable} is not a URL such as http://proxy.example.com:8080`);
}

/** The proxy for a service: like undici, that for http is the one for https as well if that has none. */
function proxyOf(origin: string): Proxy | undefined {
  const setting = (origin.startsWith("https:") ? proxySetting(HTTPS) : undefined) ?? proxySetting(HTTP);
  if (setting === undefined) return undefined;
  const { protocol, host } = new URL(setting.text);
  return { url: `${protocol}//${host}`, variable: setting.variable };
}

/** The setting of a proxy is not a URL. The message does not quote it, because it may contain a password. */
class ProxyError extends Error {
  readonly code = "DRIFTLINE_PROXY";
}

/**
 * Waits two turns of the event loop, so that requests that were just started are written first. undici needs one turn
 * to take a connection back after a response, and one more before it writes to that connection again.
 */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/**
 * Creates a queue of such waits. Each caller gets turns of its own. If many responses were parsed in one turn, no
 * request could be sent until the last of them is parsed. Measured: without it, a list of 100 pages takes 1.5 times as
 * long.
 */
export function createYieldQueue(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(yieldToEventLoop));
}
