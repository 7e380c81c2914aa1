import { answerSql } from "./sql.ts";
import { asText, isObject, type JsonObject } from "../../json.ts";
import { calculateFunnelQuery } from "../../calculations/query-funnel.ts";
import { calculateTrendQuery } from "../../calculations/query-trend.ts";
import { invalid } from "../../http/errors.ts";
import { runnerProblem } from "../insight/current-query.ts";
import type { Service } from "../../service.ts";
import type { Team } from "../project/record.ts";

type Calculate = (service: Service, team: Team, source: JsonObject) => JsonObject;

const KINDS: Readonly<Record<string, Calculate>> = {
  TrendsQuery: calculateTrendQuery,
  FunnelsQuery: calculateFunnelQuery,
  HogQLQuery: answerSql,
};

/**
 * Calculates a query. A node that only says how to show another one is calculated as that one.
 * @returns `results`, and what else the kind of the query has
 * @throws ApiError 400, also for a kind that the emulator does not calculate
 */
export function calculateQuery(service: Service, team: Team, query: JsonObject): JsonObject {
  const { source } = query;
  if (isObject(source)) return calculateQuery(service, team, source);
  const problem = service.current ? runnerProblem(query) : undefined;
  if (problem !== undefined) throw invalid(problem.code, problem.detail);
  const kind = asText(query["kind"] ?? "");
  const calculate = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (calculate === undefined) throw invalid("invalid_input", `The emulator does not calculate ${kind}.`);
  return calculate(service, team, query);
}
