import { calculateQuery } from "./calculate.ts";
import { defineResource } from "../../resource.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { numberId, teamOf } from "../scope.ts";
import { objectBody } from "../../http/body.ts";
import { projectRoute, type Route } from "../../http/route.ts";
import { queryProblem } from "../insight/deployed-query-schema.ts";
import { queryResultTable } from "./sql.ts";
import { stamp } from "../../store/time.ts";
import { unparsable } from "../../http/errors.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { SeedRules } from "../../seed/rules.ts";
import type { Team } from "../project/record.ts";

/** The fields of a request. */
const FIELDS = new Set(
  "async client_query_id filters_override limit_context name query refresh variables_override".split(" "),
);
const REFRESHES = new Set<Json>([
  "async",
  "async_except_on_cache_miss",
  "blocking",
  "force_async",
  "force_blocking",
  "force_cache",
  "lazy_async",
  true,
  false,
  null,
]);

const ROUTES: readonly Route[] = [
  { ...projectRoute("query", { POST: { scope: "query:read", run: answerQuery } }), dialects: ["deployed", "current"] },
];

/** Calculates a query immediately, and ignores `refresh`: the emulator has no cache. */
function answerQuery(call: Authenticated, team: Team): Answer {
  const { service } = call;
  const query = readQuery(objectBody(call));
  const at = stamp(service.now());
  const body = {
    cache_key: null,
    calculation_trigger: null,
    error: null,
    hogql: null,
    is_cached: false,
    last_refresh: at,
    modifiers: null,
    next_allowed_client_refresh: at,
    query_status: null,
    timezone: team.timezone,
    timings: [],
    ...calculateQuery(service, team, query),
  };
  return { status: 200, body };
}

/** Reads the query of a request. @throws ApiError 400 if the schema of the service does not allow it */
function readQuery(body: JsonObject): JsonObject {
  const { query, refresh = null } = body;
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field));
  if (unknown !== undefined) throw notInSchema(`${unknown} Extra inputs are not permitted`);
  if (!REFRESHES.has(refresh)) throw notInSchema("refresh Input should be 'async', 'blocking' or another known mode");
  if (query === undefined) throw notInSchema("query Field required");
  if (!isObject(query)) throw notInSchema("query Input should be a valid dictionary");
  const problem = queryProblem(query);
  if (problem !== undefined) throw notInSchema(`query.${problem}`);
  return query;
}

function notInSchema(problem: string): Error {
  return unparsable(`JSON parse error - 1 validation error for QueryRequest ${problem}`);
}

/** The rows of one SQL text in a seed. */
export interface QueryResultInput {
  readonly query: string;
  readonly columns?: readonly string[];
  readonly types?: Json;
  readonly results: readonly Json[];
}

const SEED_RULES: SeedRules<"query_results", "project", QueryResultInput> = {
  list: "query_results",
  within: ["project"],
  needed: ["query"],
  fields: ["id", "query", "columns", "types", "results"],
  check: ({ results, columns = [] }) => [
    ...(Array.isArray(results) ? [] : [["results", "a list of rows is needed here."] as const]),
    ...(Array.isArray(columns) ? [] : [["columns", "a list of names is expected here."] as const]),
  ],
};

/** Queries, which are calculated and never stored, and the rows that SQL returns. */
export const queryResult = defineResource({
  name: "query_result",
  table: queryResultTable,
  livesIn: "project",
  routes: ROUTES,
  requests: { budget: "insights" },
  controlled: true,
  insert(service, scope, values) {
    const { id = service.ids.next("query_result") } = numberId(values);
    service.ids.reserve("query_result", id);
    const empty = { query: "", columns: [], types: [], results: [] };
    return queryResultTable(service).put({ id, team_id: teamOf(service, scope).id, ...empty });
  },
  seed: SEED_RULES,
});
