/** Faults of lists: those of the emulator, and answers that change on the way, as behind proxies and other servers. */
import { Dispatcher } from "undici";
import type { Fault } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/model/json/json.ts";
import type { Random } from "../support/random.ts";
import type { Named } from "./create-faults.ts";

const of = (name: string, fault: Fault): Named => ({ name, faults: [fault] });

/** Faults of the emulator. Each may hit any page of a list. */
export const PAGE_FAULTS: readonly [Named, ...Named[]] = [
  of("dropped before", { type: "drop-before" }),
  of("processed, then dropped", { type: "process-then-drop" }),
  of("half a body", { type: "half-body" }),
  of("half of the headers", { type: "half-headers" }),
  of("headers and no body", { type: "headers-only" }),
  of("half a chunked body", { type: "half-chunked" }),
  of("a row twice", { type: "duplicate-row" }),
  of("short page", { type: "short-page" }),
  of("slow drip without an end", { type: "slow-drip", bytes: 64, ms: 29_000 }),
  of("silence within the body", { type: "slow-drip", bytes: 64, ms: 40_000 }),
  of("answer after the time-out", { type: "delay-after", ms: 70_000 }),
  of("HTML 502", { type: "html-502" }),
  of("403", { type: "status", status: 403 }),
  of("404", { type: "status", status: 404 }),
  of("500", { type: "status", status: 500 }),
  of("503", { type: "status", status: 503 }),
  of("504", { type: "status", status: 504 }),
  of("429, no header", { type: "throttle", retryAfter: null }),
  of("429, seconds", { type: "throttle", retryAfter: 2 }),
  of("wrong next host", { type: "wrong-next-host", origin: "http://elsewhere.example" }),
  of("clamped limit", { type: "clamp-limit", limit: 1 }),
  of("clamped limit", { type: "clamp-limit", limit: 2 }),
  of("moved row", { type: "move-row" }),
  of("count too high", { type: "lying-count", by: 1 }),
  of("count much too high", { type: "lying-count", by: 100 }),
  of("count too low", { type: "lying-count", by: -1 }),
  of("rows without ids", { type: "drop-field", field: "id" }),
  of("no results", { type: "drop-field", field: "results" }),
  of("no count", { type: "drop-field", field: "count" }),
];

/** A page of a list. */
interface Body {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly JsonObject[];
}

/** A replacement for an answer. */
interface Bent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly text: string;
}

type Bend = (body: Body) => Bent;
const json = (bend: (body: Body) => unknown): Bend => {
  return (body) => ({ text: JSON.stringify(bend(body)) });
};
const text = (value: string, more: Partial<Bent> = {}): Bend => {
  return () => ({ text: value, ...more });
};

/** Answers that no complete list has. A list of one page is changed only in ways that are visible in its own answer. */
export const BENDS: Readonly<Record<string, Bend>> = {
  "last row missing": json((body) => ({ ...body, results: body.results.slice(0, -1), count: Math.max(1, body.count) })),
  "first row missing": json((body) => ({ ...body, results: body.results.slice(1), count: Math.max(1, body.count) })),
  "all rows missing": json((body) => ({ ...body, results: [], count: Math.max(1, body.count) })),
  "a row twice": json((body) => ({
    ...body,
    count: body.count + 1,
    results: [...body.results, ...body.results.slice(0, 1), {}].slice(0, body.results.length + 1),
  })),
  "a row in the place of another": json((body) => ({
    ...body,
    results: body.results.map(() => body.results[0] ?? {}),
    count: Math.max(2, body.count),
  })),
  "null rows": json((body) => ({ ...body, results: [null, ...body.results.slice(1)] })),
  "rows that are texts": json((body) => ({ ...body, results: ["row", ...body.results.slice(1)] })),
  "results null": json((body) => ({ ...body, results: null })),
  "results an object": json((body) => ({ ...body, results: {} })),
  "count a text": json((body) => ({ ...body, count: String(body.count) })),
  "count negative": json((body) => ({ ...body, count: -1 })),
  "count broken": json((body) => ({ ...body, count: body.count + 0.5 })),
  "count null": json((body) => ({ ...body, count: null })),
  "a bare array": json((body) => body.results),
  "an empty array": text("[]"),
  "an empty object": text("{}"),
  "JSON null": text("null"),
  "an HTML page": text("<html><body>Welcome</body></html>", { headers: { "content-type": "text/html" } }),
  "an HTML page called JSON": text("<html><body>Welcome</body></html>"),
  "no body": text(""),
  "204": text("", { status: 204 }),
  "a redirect": text("", { status: 302, headers: { location: "http://elsewhere.example/api/" } }),
  "401": text('{"type":"authentication_error","code":"authentication_failed","detail":"no","attr":null}', {
    status: 401,
  }),
  "402": text('{"detail":"pay"}', { status: 402 }),
  "410": text("", { status: 410 }),
  "451": text("nothing to see", { status: 451 }),
  "half of the text": (body) => ({ text: JSON.stringify(body).slice(0, -20) }),
  "an error with 200": text('{"type":"server_error","code":"error","detail":"A server error occurred.","attr":null}'),
};

/** Changes some answers to GET requests of a dispatcher and reports each one to `struck`. */
export function bending(
  inner: Dispatcher,
  random: Random,
  share: (path: string) => number,
  struck: (name: string, path: string) => void,
): Dispatcher {
  const names = Object.keys(BENDS) as [string, ...string[]];
  return inner.compose((dispatch) => (options, handler) => {
    const [path = ""] = options.path.split("?", 1);
    if (options.method !== "GET" || !random.chance(share(path))) return dispatch(options, handler);
    return dispatch(
      options,
      bent(handler, random.pick(names), (name) => struck(name, path)),
    );
  });
}

/** A handler that receives a changed answer. */
function bent(
  handler: Dispatcher.DispatchHandler,
  name: string,
  struck: (name: string) => void,
): Dispatcher.DispatchHandler {
  const pieces: Buffer[] = [];
  let status = 0;
  return {
    onRequestStart: (controller, context: unknown) => handler.onRequestStart?.(controller, context),
    onResponseStart: (_controller, code) => void (status = code),
    onResponseData: (_controller, piece) => void pieces.push(piece),
    onResponseEnd: (controller, trailers) => {
      const original = Buffer.concat(pieces).toString();
      const isList = status === 200 && /^\{"count":.*"results":\[/s.test(original);
      if (isList) struck(name);
      const answer = isList ? BENDS[name]?.(JSON.parse(original) as Body) : undefined;
      const { status: code = status, headers = {}, text: sent } = answer ?? { text: original };
      handler.onResponseStart?.(controller, code, { "content-type": "application/json", ...headers });
      handler.onResponseData?.(controller, Buffer.from(sent));
      handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}
