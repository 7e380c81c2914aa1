/** What goes wrong with a request. Several faults on one request add up. */
export type Fault =
  /** The socket is closed before anything happens. */
  | { readonly type: "drop-before" }
  /** The request is carried out, then the socket is closed without an answer. */
  | { readonly type: "process-then-drop" }
  /** Waits before anything happens, or after it happened and before the answer: `ms`, or until a promise settles. */
  | { readonly type: "delay-before" | "delay-after"; readonly ms?: number; readonly until?: Promise<unknown> }
  /** Whole headers, half of the body, then the socket is closed. */
  | { readonly type: "half-body" }
  /** The request is carried out; then half of the headers, or whole ones without a body, and a reset. */
  | { readonly type: "half-headers" | "headers-only" }
  /** The body comes in chunks, half of them and no end. */
  | { readonly type: "half-chunked" }
  /** After a whole answer the connection is closed without a word: whoever keeps it alive finds that out on the next request. */
  | { readonly type: "hang-up" }
  /** The answer comes in pieces of `bytes` (1), `ms` (1) apart. */
  | { readonly type: "slow-drip"; readonly bytes?: number; readonly ms?: number }
  /** A gateway's HTML page in place of an answer; the service never sees the request. */
  | { readonly type: "html-502" }
  /** The service's own error, 400 to 599, in place of an answer; nothing happens. */
  | { readonly type: "status"; readonly status: number }
  /** Any other text in place of an answer, as whatever stands before the service may give; nothing happens. */
  | { readonly type: "answer"; readonly status: number; readonly text: string; readonly contentType?: string }
  /** 307 to another address; nothing happens. */
  | { readonly type: "redirect"; readonly location: string }
  /** The body is as it should be, its type is said to be another one. */
  | { readonly type: "content-type"; readonly value: string }
  /** The request is carried out first, where another fault answers in the service's place. */
  | { readonly type: "process-first" }
  /** 429; `retryAfter` in seconds, as a date, or null for no header. */
  | { readonly type: "throttle"; readonly retryAfter: number | Date | null }
  /** `next` and `previous` name another origin, for example `http://other.example`. */
  | { readonly type: "wrong-next-host"; readonly origin: string }
  /** Pages are never larger than this, whatever was asked. */
  | { readonly type: "clamp-limit"; readonly limit: number }
  /** The first row of the page and the last of the page before change places: one is seen twice, one never. */
  | { readonly type: "move-row" }
  /** The last row of the page stands there twice. */
  | { readonly type: "duplicate-row" }
  /** The last row of the page is left out; `count` and `next` know nothing of it. */
  | { readonly type: "short-page" }
  /** `count` is off by this. */
  | { readonly type: "lying-count"; readonly by: number }
  /** A read answers as before the last write. */
  | { readonly type: "stale-read" }
  /** A field of the body is ignored, without a word. */
  | { readonly type: "ignore-field"; readonly field: string }
  /** A key is missing in the answer, at every depth. */
  | { readonly type: "drop-field"; readonly field: string }
  /** A key has another value in the answer, at every depth; `mask` defaults to asterisks. */
  | { readonly type: "mask-field"; readonly field: string; readonly mask?: string }
  /** A create is carried out twice; the answer shows the first. */
  | { readonly type: "duplicate-create" };

/** Which requests a fault befalls. Undefined matches everything. */
export interface FaultRule {
  readonly method?: string;
  /** Tested against the path without the query: a part of it, or a pattern. */
  readonly path?: string | RegExp;
  /** The first matching request that it befalls, counted from 1. */
  readonly nth?: number;
  /** How many matching requests from there on. Default: 1 with `nth`, otherwise all. */
  readonly times?: number;
  readonly fault: Fault;
}

/** A rule that was set. */
export interface FaultHandle {
  /** Names it among the rules of its emulator. */
  readonly id: number;
  readonly rule: FaultRule;
  /** How many requests the fault befell. */
  readonly hits: number;
  /** How many requests the rule matched, befallen or not. */
  readonly matches: number;
  remove(): void;
}
