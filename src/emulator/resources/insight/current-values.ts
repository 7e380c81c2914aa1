import { ApiError, denied, invalid, limitExceeded, unparsable } from "../../http/errors.ts";
import { insightTable, type Insight } from "./record.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { queryProblem } from "./deployed-query-schema.ts";
import { runnerProblem, storedQuery } from "./current-query.ts";
import type { Authenticated } from "../../http/call.ts";
import type { INSIGHT_FIELDS } from "./fields.ts";
import type { Team } from "../project/record.ts";
import type { Values } from "../../http/fields.ts";

type SentValues = Values<typeof INSIGHT_FIELDS>;

/** A write of an insight. `before` is undefined for a create. */
interface Write {
  readonly call: Authenticated;
  readonly team: Team;
  readonly body: JsonObject;
  readonly sent: SentValues;
  readonly before: Insight | undefined;
}

/** A reason to refuse a write. */
interface Rule {
  readonly fact: number;
  readonly problem: (write: Write) => ApiError | undefined;
}

const SEE = "See https://posthog.com/docs/api/insights";

const RULES: readonly Rule[] = [
  {
    fact: 225,
    problem({ call, body, before }) {
      if (call.client !== "mcp" || (before !== undefined && body["query"] === undefined)) return undefined;
      if (!isQuery(body["query"])) return invalid("required", "This field is required.", "query");
      const problem = queryProblem(body["query"] ?? null);
      return problem === undefined ? undefined : refused(`This query can't be saved: ${problem}`);
    },
  },
  {
    // Null counts as not sent, and an empty object as sent.
    fact: 206,
    problem: ({ body }) =>
      (body["filters"] ?? null) === null || isQuery(body["query"])
        ? undefined
        : denied(
            `Creating or updating insights with legacy filters is not available for this user. Send a query object instead. ${SEE}`,
          ),
  },
  {
    fact: 204,
    problem: ({ body, before }) =>
      before === undefined && !isQuery(body["query"]) && !isWrongType(body["query"])
        ? refused(`Creating an insight needs a query. ${SEE}`)
        : undefined,
  },
  {
    fact: 205,
    problem: ({ body, before }) =>
      before !== undefined && body["query"] !== undefined && !isQuery(body["query"]) && !isWrongType(body["query"])
        ? refused(`An insight needs a query. To keep the stored one, leave query out of the request. ${SEE}`)
        : undefined,
  },
  {
    fact: 208,
    problem: ({ body }) => (isWrongType(body["query"]) ? refused("Query must be a valid JSON object") : undefined),
  },
  {
    fact: 208,
    problem({ body }) {
      const problem = isQuery(body["query"]) ? queryProblem(body["query"] ?? null) : undefined;
      return problem === undefined ? undefined : unparsable(problem);
    },
  },
  {
    fact: 210,
    problem({ call, body }) {
      const { query } = body;
      const found = call.service.switches.query_rules_enforced && isObject(query) ? runnerProblem(query) : undefined;
      return found && invalid(found.code, found.detail, "query");
    },
  },
  {
    fact: 212,
    problem({ team, sent }) {
      const missing = (sent.dashboards ?? []).filter((id) => !team.dashboards.includes(id));
      if (missing.length === 0) return undefined;
      return invalid("invalid_input", `Dashboard not found: ${missing.join(", ")}`, "dashboards");
    },
  },
  { fact: 213, problem: fullDashboard },
];

/**
 * Converts the values of a create or update in the `current` dialect: facts 204 to 213.
 * @throws ApiError 400, 402 or 403
 */
export function currentValues(write: Write): Partial<Insight> {
  for (const { problem } of RULES) {
    const found = problem(write);
    if (found !== undefined) throw found;
  }
  const { filters: _ignored, query, saved, dashboards, ...others } = write.sent;
  return {
    ...others,
    ...(isObject(query) ? { query: storedQuery(query) } : {}),
    // 211: a change that does not mention it saves the insight.
    ...(saved === undefined && write.before === undefined ? {} : { saved: saved ?? true }),
    ...tilesOf(write.before, write.sent.deleted === true ? [] : dashboards),
  };
}

function refused(detail: string): ApiError {
  return invalid("invalid_input", detail, "query");
}

function isQuery(query: Json | undefined): query is JsonObject {
  return isObject(query) && Object.keys(query).length > 0;
}

function isWrongType(query: Json | undefined): boolean {
  return query !== undefined && query !== null && !isObject(query);
}

/** Fact 213: a dashboard that the insight is already on does not count. */
function fullDashboard({ call, sent, before }: Write): ApiError | undefined {
  const { service } = call;
  const limit = service.switches.dashboard_limit;
  for (const id of (sent.dashboards ?? []).filter((one) => before?.dashboards.includes(one) !== true)) {
    const current = insightTable(service)
      .all()
      .filter((row) => !row.deleted && row.dashboards.includes(id)).length;
    if (current >= limit) return limitExceeded({ limit_key: "insights_per_dashboard", limit, current, request: 1 });
  }
  return undefined;
}

/** Facts 214 and 215: a tile that is taken away stays, as a deleted one. */
function tilesOf(before: Insight | undefined, wanted: readonly number[] | undefined): Partial<Insight> {
  if (wanted === undefined) return {};
  const known = [...(before?.hidden_dashboards ?? []), ...(before?.dashboards ?? [])];
  return { dashboards: wanted, hidden_dashboards: [...new Set(known)].filter((id) => !wanted.includes(id)) };
}
