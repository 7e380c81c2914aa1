import { Hono } from "hono";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { allowed, dispatch } from "./dispatch.ts";
import { bend, has, insteadOf, tweaksOf } from "../faults/effects.ts";
import { breaksWire, delay, reset, sendBroken } from "../faults/wire.ts";
import { parseJson } from "../json.ts";
import { routesOf } from "./routes.ts";
import { stamp } from "../store/time.ts";
import type { Context } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { Answer, Call } from "./call.ts";
import type { Fault } from "../faults/fault.ts";
import type { OpenFaultBook } from "../faults/book.ts";
import type { OpenRequest, RequestLog } from "./log.ts";
import type { ServedRoute } from "./route.ts";
import type { Service } from "../service.ts";
import type { Sleep } from "../faults/wire.ts";
import type { Throttle } from "./dispatch.ts";

/** The service and the parts of the server around it. */
interface Edge {
  readonly service: Service;
  readonly faults: OpenFaultBook;
  readonly requests: RequestLog;
  readonly throttle: Throttle;
  readonly sleep: Sleep;
  /** Picks the wait before a request, in milliseconds. */
  readonly latency: () => number;
}

type Http = Context<{ Bindings: HttpBindings }>;

/** Creates the HTTP server of the service. A trailing slash in a path is ignored. */
export function createApp(edge: Edge): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false });
  for (const route of routesOf(edge.service)) app.all(route.path, (http) => exchange(edge, http, route));
  app.notFound((http) => exchange(edge, http, undefined));
  return app;
}

/** Handles one request, from its arrival to the last byte of its answer. */
async function exchange(edge: Edge, http: Http, route: ServedRoute | undefined): Promise<Response> {
  const { service, sleep } = edge;
  const call = await readCall(edge, http);
  const entry = note(edge, call);
  const faults = edge.faults.strike(call.method, call.path);
  const latency = edge.latency();
  if (latency > 0) await sleep(latency);
  await delay(faults, "delay-before", sleep);
  if (has(faults, "drop-before")) {
    reset(http.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  }
  const answer = answerTo(edge, call, route, faults);
  entry.status = answer.status;
  await delay(faults, "delay-after", sleep);
  const text = answer.raw ?? (answer.body === undefined ? "" : JSON.stringify(answer.body));
  const headers: Record<string, string> = { "content-type": "application/json", ...answer.headers };
  if (text === "") delete headers["content-type"];
  if (route !== undefined) headers["allow"] = allowed(route, service.deployed);
  if (breaksWire(faults)) {
    await sendBroken(http.env.outgoing, { status: answer.status, headers, text }, faults, sleep);
    return RESPONSE_ALREADY_SENT;
  }
  return new Response(text === "" ? null : text, { status: answer.status, headers });
}

function answerTo(edge: Edge, call: Call, route: ServedRoute | undefined, faults: readonly Fault[]): Answer {
  const instead = insteadOf(faults);
  if (instead !== undefined && !has(faults, "process-first")) return instead;
  const own = process(edge, { ...call, tweaks: tweaksOf(faults) }, route, faults);
  return instead ?? bend(own, faults);
}

function process(edge: Edge, call: Call, route: ServedRoute | undefined, faults: readonly Fault[]): Answer {
  const answer = (): Answer => dispatch(call, route, edge.throttle);
  if (call.method === "GET" && has(faults, "stale-read")) return edge.service.store.journal.before(answer);
  const first = answer();
  if (call.method === "POST" && first.status === 201 && has(faults, "duplicate-create")) answer();
  return first;
}

async function readCall(edge: Edge, http: Http): Promise<Call> {
  const url = new URL(http.req.url);
  return {
    service: edge.service,
    method: http.req.method === "HEAD" ? "GET" : http.req.method,
    path: url.pathname,
    origin: url.origin,
    params: http.req.param(),
    query: url.searchParams,
    authorization: http.req.header("authorization"),
    contentType: http.req.header("content-type") ?? "",
    text: hasBody(http) ? await http.req.text() : "",
    tweaks: tweaksOf([]),
    serial: edge.service.ids.next("request"),
  };
}

/** Reports whether a request has a body. Checking the headers is faster than reading an empty body. */
function hasBody(http: Http): boolean {
  return http.req.header("content-length") !== undefined || http.req.header("transfer-encoding") !== undefined;
}

function note(edge: Edge, call: Call): OpenRequest {
  const entry: OpenRequest = {
    method: call.method,
    path: call.path,
    query: Object.fromEntries(call.query),
    body: call.text === "" ? undefined : (parseJson(call.text) ?? call.text),
    status: null,
    at: stamp(edge.service.now()),
  };
  edge.requests.add(entry, call.text.length);
  return entry;
}
