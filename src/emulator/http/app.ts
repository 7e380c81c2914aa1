import { Hono, type Context } from "hono";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { allowedMethods, dispatch, type Throttle } from "./dispatch.ts";
import { answerWithFaults, hasFault, tweaksFrom } from "../faults/effects.ts";
import { changesTransport, delay, reset, sendWithFaults, type Sleep } from "../faults/wire.ts";
import { DEFAULT_RULES, withEnvironments, type ServedRoute } from "./route.ts";
import { parseJson } from "../json.ts";
import { stamp } from "../store/time.ts";
import { withLaterFields } from "./later-fields.ts";
import type { HttpBindings } from "@hono/node-server";
import type { Answer, Call } from "./call.ts";
import type { ServerFaultBook } from "../faults/book.ts";
import type { PendingRequest, RequestLog } from "./log.ts";
import type { Service } from "../service.ts";

/** The service and the parts of the server around it. */
interface Server {
  readonly service: Service;
  readonly faults: ServerFaultBook;
  readonly requests: RequestLog;
  readonly throttle: Throttle;
  readonly sleep: Sleep;
  /** Picks the wait before a request, in milliseconds. */
  readonly latency: () => number;
}

type Http = Context<{ Bindings: HttpBindings }>;

/** Creates the HTTP server of the service. A trailing slash in a path is ignored. */
export function createApp(server: Server): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>({ strict: false });
  for (const route of routesOf(server.service)) app.all(route.path, (http) => handleRequest(server, http, route));
  app.notFound((http) => handleRequest(server, http, undefined));
  return app;
}

/** Handles one request, from its arrival to the last byte of its answer. */
async function handleRequest(server: Server, http: Http, route: ServedRoute | undefined): Promise<Response> {
  const { service, sleep } = server;
  const call = await readCall(server, http);
  const entry = logRequest(server, call);
  const faults = server.faults.faultsFor(call.method, call.path);
  const latency = server.latency();
  if (latency > 0) await sleep(latency);
  await delay(faults, "delay-before", sleep);
  if (hasFault(faults, "drop-before")) {
    reset(http.env.outgoing);
    return RESPONSE_ALREADY_SENT;
  }
  const tweaked = { ...call, tweaks: tweaksFrom(faults) };
  const process = (): Answer => withLaterFields(tweaked, route, () => dispatch(tweaked, route, server.throttle));
  const answer = answerWithFaults(call, faults, process);
  entry.status = answer.status;
  await delay(faults, "delay-after", sleep);
  const text = answer.raw ?? (answer.body === undefined ? "" : JSON.stringify(answer.body));
  const headers: Record<string, string> = { "content-type": "application/json", ...answer.headers };
  if (text === "") delete headers["content-type"];
  if (route !== undefined) headers["allow"] = allowedMethods(route, service.isRealServer);
  if (changesTransport(faults)) {
    await sendWithFaults(http.env.outgoing, { status: answer.status, headers, text }, faults, sleep);
    return RESPONSE_ALREADY_SENT;
  }
  return new Response(text === "" ? null : text, { status: answer.status, headers });
}

async function readCall(server: Server, http: Http): Promise<Call> {
  const url = new URL(http.req.url);
  return {
    service: server.service,
    method: http.req.method === "HEAD" ? "GET" : http.req.method,
    path: url.pathname,
    origin: url.origin,
    params: http.req.param(),
    query: url.searchParams,
    authorization: http.req.header("authorization"),
    contentType: http.req.header("content-type") ?? "",
    userAgent: http.req.header("user-agent") ?? "",
    client: http.req.header("x-posthog-client"),
    text: hasBody(http) ? await http.req.text() : "",
    tweaks: tweaksFrom([]),
    serial: server.service.ids.next("request"),
  };
}

/** Reports whether a request has a body. Checking the headers is faster than reading an empty body. */
function hasBody(http: Http): boolean {
  return http.req.header("content-length") !== undefined || http.req.header("transfer-encoding") !== undefined;
}

function logRequest(server: Server, call: Call): PendingRequest {
  const entry: PendingRequest = {
    method: call.method,
    path: call.path,
    query: Object.fromEntries(call.query),
    body: call.text === "" ? undefined : (parseJson(call.text) ?? call.text),
    status: null,
    at: stamp(server.service.now()),
  };
  server.requests.add(entry, call.text.length);
  return entry;
}

/** Lists the routes of a service in its dialect. If two of them match a request, the first one answers. */
function routesOf({ resources, dialect }: Service): readonly ServedRoute[] {
  const all = resources.flatMap(({ routes = [], requests }) =>
    routes
      .filter((route) => route.dialects?.includes(dialect) ?? true)
      .map((route) => ({ ...route, rules: { ...DEFAULT_RULES, ...requests } })),
  );
  return dialect === "current" ? withEnvironments(all) : all;
}
