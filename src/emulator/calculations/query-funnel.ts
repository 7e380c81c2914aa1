import {
  average,
  conversionByTime,
  groupIndex,
  median,
  stepTimes,
  timeToConvert,
  VIEWS,
  walkAll,
  type PersonWalk,
} from "./funnel.ts";
import { bodyOfQuery, partOf } from "./query-body.ts";
import { groupBy } from "./group.ts";
import { invalid } from "../http/errors.ts";
import { readFunnelRules } from "./funnel-rules.ts";
import { readOption, type Series } from "./request.ts";
import { readQuery } from "./query-trend.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Service } from "../service.ts";
import type { Team } from "../resources/project/record.ts";

/** The breakdown values of people without the property, and of those beyond the limit. */
const NO_VALUE = "";
const OTHER_VALUES = "Other";
const DEFAULT_BREAKDOWN_LIMIT = 25;

/**
 * Calculates a funnel as the query route answers it: the list of its steps, or with a breakdown a list for each value.
 * @throws ApiError 400
 */
export function calculateFunnelQuery(service: Service, team: Team, source: JsonObject): JsonObject {
  const body = bodyOfQuery(source);
  const view = readOption(body, "funnel_viz_type", VIEWS, "steps");
  const request = readQuery(service, team, source, view !== "trends");
  if (request.series.length < 2) throw invalid("invalid_input", "A funnel needs at least two steps.");
  const people = walkAll(request, readFunnelRules(body, request.series), groupIndex(body));
  if (view === "trends") return { results: [conversionByTime(request, people)] };
  if (view === "time_to_convert") return { results: timeToConvert(request, people) };
  if (request.breakdown === undefined) return { results: stepsOf(request.series, people, {}) };
  const limit = partOf(source, "breakdownFilter")["breakdown_limit"];
  const groups = groupsOf(people, typeof limit === "number" ? limit : DEFAULT_BREAKDOWN_LIMIT);
  const results = groups.map(([value, own]) =>
    stepsOf(request.series, own, { breakdown: [value], breakdown_value: [value] }),
  );
  return { results };
}

/** Groups people by their breakdown value, the most frequent one first. Those beyond the limit form the last group. */
function groupsOf(people: readonly PersonWalk[], limit: number): readonly (readonly [string, readonly PersonWalk[]])[] {
  const groups = [...groupBy(people, ({ value }) => value ?? NO_VALUE)].toSorted(
    ([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1),
  );
  const others = groups.slice(limit).flatMap(([, own]) => own);
  return others.length === 0 ? groups : [...groups.slice(0, limit), [OTHER_VALUES, others]];
}

function stepsOf(series: readonly Series[], people: readonly PersonWalk[], value: JsonObject): readonly JsonObject[] {
  return series.map((step, order) => {
    const times = stepTimes(people, order);
    return {
      action_id: idOf(step),
      name: step.name,
      custom_name: step.customName,
      order,
      people: [],
      count: people.filter(({ walk }) => walk.length > order).length,
      type: step.type,
      average_conversion_time: average(times),
      median_conversion_time: median(times),
      ...value,
    };
  });
}

function idOf({ id, type }: Series): Json {
  if (type === "actions") return Number(id);
  return id === "null" ? null : id;
}
