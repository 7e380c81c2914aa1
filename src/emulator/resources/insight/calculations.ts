import { calculateFunnel } from "../../calculations/funnel.ts";
import { calculateTrend } from "../../calculations/trend.ts";
import { denied, invalid } from "../../http/errors.ts";
import { objectBody } from "../../http/body.ts";
import { parseJson, type Json, type JsonObject } from "../../json.ts";
import { projectRoute, type Route } from "../../http/route.ts";
import { stamp } from "../../store/time.ts";
import { placeholderInsight } from "./fields.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Service } from "../../service.ts";
import type { Team } from "../project/record.ts";

const READ = "insight:read";
type Calculate = (service: Service, team: Team, body: JsonObject) => Json;

/** The routes of calculations that are not saved. Deployed servers have no paths and retention any more. */
export const calculationRoutes: readonly Route[] = [
  projectRoute("insights/trend", {
    GET: { scope: READ, run: (call, team) => calculateFromQuery(call, team, trend) },
    POST: { scope: READ, run: (call, team) => calculateFromBody(call, team, trend) },
  }),
  projectRoute("insights/funnel", {
    GET: { scope: READ, run: (call, team) => calculateFromQuery(call, team, funnel) },
    POST: { scope: READ, run: (call, team) => calculateFromBody(call, team, funnel) },
  }),
  projectRoute("insights/funnel/correlation", {
    GET: { scope: null, run: (call, team) => correlation(call, team) },
    POST: { scope: null, run: (call, team) => correlation(call, team) },
  }),
  ...["path", "retention"].map((name): Route => {
    const run = (call: Authenticated, team: Team): Answer => placeholderInsight(call, team, afterBodyCheck(call, []));
    const route = projectRoute(`insights/${name}`, { GET: { scope: READ, run }, POST: { scope: READ, run } });
    return { ...route, dialects: ["document"] };
  }),
];

/** On deployed servers a request without series has an empty result. */
function trend(service: Service, team: Team, body: JsonObject): Json {
  if (!service.isRealServer) requireSeries(body);
  return calculateTrend(service, team, body);
}

function funnel(service: Service, team: Team, body: JsonObject): Json {
  if (!service.isRealServer) requireSeries(body);
  const steps = [body["events"], body["actions"]].flatMap((list) => (Array.isArray(list) ? list : []));
  if (service.isRealServer && steps.length < 2) {
    throw invalid("invalid_input", "A funnel needs at least two steps.");
  }
  return calculateFunnel(service, team, body);
}

/** @throws ApiError 400 if neither events nor actions are given */
function requireSeries(body: JsonObject): void {
  const given = ["events", "actions"].some((name) => {
    const list = body[name];
    return list !== undefined && list !== null && !(Array.isArray(list) && list.length === 0);
  });
  if (!given) throw invalid("required", "Either events or actions are required.");
}

/**
 * Answers the GET of a calculation. In the document it has no parameters and the shape of an insight. Deployed servers
 * calculate the request in the query string, in which lists and objects are JSON.
 */
function calculateFromQuery(call: Authenticated, team: Team, calculate: Calculate): Answer {
  if (!call.service.isRealServer) return placeholderInsight(call, team, null);
  checkOldCalculation(call);
  const body = [...call.query].map(([name, text]) => [name, parseJson(text) ?? text] as const);
  return resultAnswer(call, calculate(call.service, team, Object.fromEntries(body)));
}

function calculateFromBody(call: Authenticated, team: Team, calculate: Calculate): Answer {
  checkOldCalculation(call);
  return resultAnswer(call, calculate(call.service, team, objectBody(call)));
}

/** Fact 224: today's service can refuse these routes to a caller. @throws ApiError 403 */
function checkOldCalculation({ service }: Authenticated): void {
  if (service.current && !service.switches.old_calculations) {
    throw denied("Legacy insight endpoints are not available for this user.");
  }
}

/** Renders the result of a calculation. It is never cached. */
function resultAnswer({ service }: Authenticated, value: Json): Answer {
  const body = { is_cached: false, last_refresh: stamp(service.now()), timezone: "UTC", result: value };
  if (!service.isRealServer) return { status: 200, body };
  return { status: 200, body: { ...body, query_method: "hogql", timings: [{ k: ".", t: 0.001 }], next: null } };
}

function correlation(call: Authenticated, team: Team): Answer {
  const found = afterBodyCheck(call, { events: [], skewed: false });
  return call.service.isRealServer ? resultAnswer(call, found) : placeholderInsight(call, team, found);
}

/** Returns the value after checking that the body of a POST is an object. */
function afterBodyCheck(call: Authenticated, value: Json): Json {
  if (call.method === "POST") objectBody(call);
  return value;
}
