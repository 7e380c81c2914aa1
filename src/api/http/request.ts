import type { Json } from "../../model/json/json.ts";
import type { Origin } from "../errors/from-response.ts";
import type { Clock } from "../limits/clock.ts";
import type { Headers } from "./exchange.ts";

/** An event for progress output and logs. It contains no secrets. */
export interface RequestEvent {
  /**
   * `request`: a try ended. `retry`: it will be tried again. `throttled`: the service asks to wait with a whole family.
   * `paced`: the try waits because driftline keeps below a limit per minute. `slow`: the body of an answer takes long.
   */
  readonly type: "request" | "retry" | "throttled" | "paced" | "slow";
  readonly operation: string;
  readonly method: string;
  readonly path: string;
  /** Number of the try, from 1. */
  readonly attempt: number;
  /** Null if no answer arrived. */
  readonly status?: number | null;
  /** Milliseconds until the next try; if an answer is slow, until it is given up. */
  readonly waitMs?: number;
  readonly reason?: string;
}

/** Status and headers of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** Names in lower case. The values may be secrets. */
  readonly headers: Headers;
}

/** How one request is sent. */
export interface RequestOptions {
  /** If it is earlier than that of the client: no wait ends later, not even that for the answer. Milliseconds since the epoch. */
  readonly deadline?: number | undefined;
  /** How often it is sent at most, if that is less than usual. */
  readonly attempts?: number | undefined;
  /** Aborting it cancels the request, even after it was sent. Only for reads, because a write may have taken effect. */
  readonly signal?: AbortSignal | undefined;
  readonly onRequest?: (() => void) | undefined;
  /** Called for each answer, errors included. */
  readonly onResponse?: ((response: ResponseHead) => void) | undefined;
}

/** A request that is ready to be sent. */
export interface PreparedRequest extends RequestOptions {
  readonly origin: Origin;
  /** Starts with a question mark, or is empty. */
  readonly query: string;
  readonly body: Json | undefined;
  /** Return the body unchanged instead of parsing it as JSON. */
  readonly raw: boolean;
}

/** How the requests of a client are sent, as its creator says. */
export interface SendingOptions {
  readonly key: string;
  /** What driftline works for. The User-Agent names it after driftline's version. */
  readonly program?: string | undefined;
  readonly clock: Clock;
  /** After an abort, no request is sent, and the requests in flight are completed. */
  readonly signal?: AbortSignal | undefined;
  readonly onEvent?: ((event: RequestEvent) => void) | undefined;
  /** Called when a try is sent. Returns a function that is called when the try has ended. */
  readonly onSend?: ((request: Pick<RequestEvent, "method" | "path">) => () => void) | undefined;
}
