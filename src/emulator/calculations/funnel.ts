import { formatLabel, formatStart, isInRange, startOf, startsOf } from "./dates.ts";
import { groupBy } from "./group.ts";
import { invalid } from "../http/errors.ts";
import { readOption, readRequest, type CalculationRequest, type Series } from "./request.ts";
import { readFunnelRules } from "./funnel-rules.ts";
import { breakdownValue } from "./lines.ts";
import { longestWalk, type FunnelRules, type Walk } from "./funnel-walk.ts";
import { type Json, type JsonObject, own } from "../json.ts";
import type { ProjectEvent } from "../resources/event.ts";
import type { Service } from "../service.ts";
import type { Team } from "../resources/project/record.ts";

/** The ways to look at a funnel. */
export const VIEWS = ["steps", "trends", "time_to_convert"];
const DEFAULT_BREAKDOWN_LIMIT = 10;

/** The walk of one person, with the breakdown value of its first event. */
export interface PersonWalk {
  readonly walk: Walk;
  /** Undefined for an event without the property. */
  readonly value: string | undefined;
}

/**
 * Counts the people who complete one step after the other within a window. The document shows the result for steps
 * only. The two other views answer as deployed servers do.
 * @throws ApiError 400
 */
export function calculateFunnel(service: Service, team: Team, body: JsonObject): Json {
  const request = readRequest(service, team, body);
  const view = readOption(body, "funnel_viz_type", VIEWS, "steps");
  const people = walkAll(request, readFunnelRules(body, request.series), groupIndex(body));
  if (view === "trends") return [conversionByTime(request, people)];
  if (view === "time_to_convert") return timeToConvert(request, people);
  if (request.breakdown === undefined) return renderSteps(service, team, request.series, people, undefined);
  const limit = typeof body["breakdown_limit"] === "number" ? body["breakdown_limit"] : DEFAULT_BREAKDOWN_LIMIT;
  const groups = [...groupBy(people, ({ value }) => value ?? "none")]
    .toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
    .slice(0, limit)
    .map(([value, mine]) => renderSteps(service, team, request.series, mine, value));
  return service.isRealServer ? groups : groups.flat();
}

/** Returns the group type that is counted instead of people, or 0. @throws ApiError 400 */
export function groupIndex(body: JsonObject): number {
  const index = body["aggregation_group_type_index"] ?? 0;
  if (typeof index === "number" && Number.isInteger(index) && index >= 0) return index;
  throw invalid("invalid_input", "A valid integer is required.", "aggregation_group_type_index");
}

/** Returns the walk of each person. If `group` is above 0, groups are counted instead of people. */
export function walkAll(request: CalculationRequest, rules: FunnelRules, group: number): readonly PersonWalk[] {
  const events = request.events.filter((event) => isInRange(request.range, event));
  const actor = ({ distinct_id, properties }: ProjectEvent): string =>
    group === 0 ? distinct_id : (breakdownValue(properties[`$group_${group}`]) ?? "none");
  const walks: PersonWalk[] = [];
  for (const [name, mine] of groupBy(events, actor)) {
    const walk = group > 0 && name === "none" ? undefined : longestWalk(mine, rules);
    if (walk === undefined || walk.length === 0) continue;
    const start = mine.find((event) => event.at === walk[0] && rules.steps.some((step) => step(event)));
    walks.push({ walk, value: breakdownValue(own(start?.properties ?? {}, request.breakdown ?? "")) });
  }
  return walks;
}

function renderSteps(
  service: Service,
  team: Team,
  series: readonly Series[],
  people: readonly PersonWalk[],
  value: string | undefined,
): readonly JsonObject[] {
  return series.map((step, index) => {
    const arrived = people.filter(({ walk }) => walk.length > index);
    const times = stepTimes(people, index);
    const url = `/api/projects/${team.id}/persons/funnel?funnel_step=`;
    const shownStep = {
      count: arrived.length,
      action_id: step.id,
      average_conversion_time: average(times),
      median_conversion_time: median(times),
      converted_people_url: `${url}${index + 1}`,
      dropped_people_url: index === 0 ? null : `${url}-${index + 1}`,
      order: service.isRealServer ? index : String(index),
      ...(value === undefined ? {} : { breakdown_value: value }),
    };
    if (!service.isRealServer) return shownStep;
    return { ...shownStep, name: step.name, custom_name: null, type: step.type, people: [] };
  });
}

/** Lists the seconds that people took from the step before to a step. */
export function stepTimes(people: readonly PersonWalk[], step: number): readonly number[] {
  if (step === 0) return [];
  return people.filter(({ walk }) => walk.length > step).map(({ walk }) => seconds(walk[step - 1], walk[step]));
}

/** Returns the percentage of people who completed the funnel, by the interval in which they entered it. */
export function conversionByTime(request: CalculationRequest, people: readonly PersonWalk[]): JsonObject {
  const { interval } = request.range;
  const starts = startsOf(request.range);
  const byStart = groupBy(people, ({ walk: [start = 0] }) => startOf(start, interval));
  const data = starts.map((start) => {
    const entered = byStart.get(start) ?? [];
    const converted = entered.filter(({ walk }) => walk.length === request.series.length).length;
    return entered.length === 0 ? 0 : (100 * converted) / entered.length;
  });
  const days = starts.map((start) => formatStart(start, interval));
  return { count: request.series.length, data, days, labels: starts.map((start) => formatLabel(start, interval)) };
}

/** Counts people by the time they took, in at most 60 bins of at least one second. */
export function timeToConvert(request: CalculationRequest, people: readonly PersonWalk[]): JsonObject {
  const converted = people.filter(({ walk }) => walk.length === request.series.length);
  const times = converted.map(({ walk }) => seconds(walk[0], walk.at(-1)));
  const longest = times.reduce((most, time) => Math.max(most, time), 0);
  const width = Math.max(1, Math.ceil((longest + 1) / 60));
  const count = times.length === 0 ? 0 : Math.floor(longest / width) + 1;
  const bins = Array.from({ length: count }, (_, bin) => [
    bin * width,
    times.filter((time) => Math.floor(time / width) === bin).length,
  ]);
  return { bins, average_conversion_time: average(times) };
}

function seconds(from = 0, to = 0): number {
  return (to - from) / 1000;
}

/** Returns the mean of times, or null if there are none. */
export function average(times: readonly number[]): number | null {
  return times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length;
}

/** Returns the median of times, or null if there are none. */
export function median(times: readonly number[]): number | null {
  const sorted = times.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}
