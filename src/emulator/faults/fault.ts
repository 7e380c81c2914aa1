/** A failure of one request. Several faults can apply to the same request. */
export type Fault =
  /** The socket is closed before anything happens. */
  | { readonly type: "drop-before" }
  /** The request is processed, then the socket is closed without an answer. */
  | { readonly type: "process-then-drop" }
  /** Waits before the request is processed, or between processing and the answer: `ms`, or until a promise settles. */
  | { readonly type: "delay-before" | "delay-after"; readonly ms?: number; readonly until?: Promise<unknown> }
  /** Whole headers, half of the body, then the socket is closed. */
  | { readonly type: "half-body" }
  /** The request is processed. Then half of the headers are sent, or all headers without a body, and a reset. */
  | { readonly type: "half-headers" | "headers-only" }
  /** Half of a chunked body, without the final chunk. */
  | { readonly type: "half-chunked" }
  /** The request is processed, but the connection sends these bytes (one per character) instead of HTTP, and ends. */
  | { readonly type: "bytes"; readonly text: string }
  /**
   * The connection is closed silently after a complete answer. A client that keeps it alive fails on its next request.
   */
  | { readonly type: "hang-up" }
  /** The answer is sent in pieces of `bytes` (default 1), `ms` (default 1) apart. */
  | { readonly type: "slow-drip"; readonly bytes?: number; readonly ms?: number }
  /** An HTML page of a gateway instead of an answer. The request is not processed. */
  | { readonly type: "html-502" }
  /** An error of the service, 400 to 599, instead of an answer. The request is not processed. */
  | { readonly type: "status"; readonly status: number }
  /** Any other text instead of an answer, for example from a proxy. The request is not processed. */
  | { readonly type: "answer"; readonly status: number; readonly text: string; readonly contentType?: string }
  /** 307 to another address. The request is not processed. */
  | { readonly type: "redirect"; readonly location: string }
  /** The correct body with a different content type. */
  | { readonly type: "content-type"; readonly value: string }
  /** The request is processed even if another fault replaces the answer. */
  | { readonly type: "process-first" }
  /** 429. `retryAfter` is in seconds, a date, or null for no header. */
  | { readonly type: "throttle"; readonly retryAfter: number | Date | null }
  /** `next` and `previous` name another origin, for example `http://other.example`. */
  | { readonly type: "wrong-next-host"; readonly origin: string }
  /** Pages are never larger than this, even if the request asks for more. */
  | { readonly type: "clamp-limit"; readonly limit: number }
  /** Swaps the first row of the page and the last row of the previous page. A client sees one twice and misses one. */
  | { readonly type: "move-row" }
  /** The last row of the page appears twice. */
  | { readonly type: "duplicate-row" }
  /** The last row of the page is missing. `count` and `next` do not change. */
  | { readonly type: "short-page" }
  /** `count` is off by this. */
  | { readonly type: "lying-count"; readonly by: number }
  /** A read answers as before the last write. */
  | { readonly type: "stale-read" }
  /** A field of the body is silently ignored. */
  | { readonly type: "ignore-field"; readonly field: string }
  /** A key is missing in the answer, at every depth. */
  | { readonly type: "drop-field"; readonly field: string }
  /** A key has another value in the answer, at every depth; `mask` defaults to asterisks. */
  | { readonly type: "mask-field"; readonly field: string; readonly mask?: string }
  /** A create is processed twice. The answer shows the first object. */
  | { readonly type: "duplicate-create" };

/** A fault and the requests that it applies to. An undefined condition matches every request. */
export interface FaultRule {
  readonly method?: string;
  /** A part of the path or a pattern, tested against the path without the query. */
  readonly path?: string | RegExp;
  /** The first matching request that the fault applies to, counted from 1. */
  readonly nth?: number;
  /** The number of matching requests from there on. Default: 1 with `nth`, otherwise all. */
  readonly times?: number;
  readonly fault: Fault;
}

/** A rule that was added. */
export interface FaultHandle {
  /** Unique among the rules of the emulator. */
  readonly id: number;
  readonly rule: FaultRule;
  /** The number of requests that the fault was applied to. */
  readonly hits: number;
  /** The number of requests that the rule matched, including those before `nth` and after `times`. */
  readonly matches: number;
  remove(): void;
}
