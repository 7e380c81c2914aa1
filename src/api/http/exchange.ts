import type { Dispatcher } from "undici";

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
  /** Called once if the body takes long, with the milliseconds that it still has. */
  readonly onSlowBody?: ((waitMs: number) => void) | undefined;
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

/** Names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The value of a header that counts if it was sent more than once. */
export function firstValue(value: Headers[string]): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** A proxy of the environment. */
export interface Proxy {
  /** Without credentials. */
  readonly url: string;
  /** The environment variable that names it. */
  readonly variable: string;
}
