import { defineResource } from "../resource.ts";
import { defineTable, type Row } from "../store/table.ts";
import { eventTable, type ProjectEvent } from "./event.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { numberId, teamOf } from "./scope.ts";
import type { SeedRules } from "../seed/rules.ts";
import type { Service } from "../service.ts";

/** How often the values of each property occur. */
type Weights = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Many events in a few words. Every emulator makes the same events of it, relative to the time at which it starts. */
export interface EventSeriesInput {
  readonly event: string;
  /** How many days it lasts. The last one is today. Default: 90. */
  readonly days?: number;
  /** How many people cause it. Several series have the same people. Default: 100. */
  readonly people?: number;
  /** How many events a day has on average. Default: 50. */
  readonly per_day?: number;
  /** What `per_day` is multiplied with on each day of the week, from Monday on. Default: 1 for each. */
  readonly weekly_shape?: readonly number[];
  /** The values of properties with their weights. A person has one value of each. */
  readonly properties?: Weights;
}

/** A series in the store. */
export interface EventSeries extends Row, Required<EventSeriesInput> {
  readonly id: number;
  readonly team_id: number;
  /** No event is later than this, in milliseconds since 1970. */
  readonly until: number;
}

const DAY_MS = 86_400_000;
const MAX_EVENTS = 1_000_000;
const EVERY_DAY = [1, 1, 1, 1, 1, 1, 1];

/** The series, by project. */
const eventSeriesTable = defineTable<EventSeries>((row) => row.team_id);

/** The events of each series. They are made when a calculation needs them, so that an emulator starts at once. */
const madeEvents = new WeakMap<EventSeries, readonly ProjectEvent[]>();

/** Lists the events of a project, including those of its series. */
export function eventsOf(service: Service, teamId: number): readonly ProjectEvent[] {
  const events = eventTable(service).within(teamId);
  const series = eventSeriesTable(service).within(teamId);
  return series.length === 0 ? events : [...events, ...series.flatMap(madeFrom)];
}

function madeFrom(series: EventSeries): readonly ProjectEvent[] {
  const known = madeEvents.get(series) ?? makeEvents(series);
  madeEvents.set(series, known);
  return known;
}

function makeEvents(series: EventSeries): readonly ProjectEvent[] {
  const { days, per_day, weekly_shape, until } = series;
  const today = Math.floor(until / DAY_MS);
  return Array.from({ length: days }, (_, index) => today - days + 1 + index)
    .flatMap((day) => {
      // Day 0 was a Thursday.
      const weight = weekly_shape[(day + 3) % 7] ?? 1;
      const wobble = 0.85 + 0.3 * fraction(`${series.event} ${day - today}`);
      const length = Math.round(per_day * weight * wobble);
      return Array.from({ length }, (_, index) => makeEvent(series, day, `${series.event} ${day - today} ${index}`));
    })
    .filter(({ at }) => at <= until);
}

function makeEvent({ id, team_id, event, people, properties }: EventSeries, day: number, key: string): ProjectEvent {
  const person = `person-${1 + Math.floor(fraction(`who ${key}`) * people)}`;
  const chosen = Object.entries(properties).map(
    ([name, weights]) => [name, choose(weights, `${name} ${person}`)] as const,
  );
  return {
    id,
    team_id,
    event,
    distinct_id: person,
    at: day * DAY_MS + Math.floor(fraction(`when ${key}`) * DAY_MS),
    properties: Object.fromEntries(chosen),
  };
}

/** Chooses a value by its weight. */
function choose(weights: Readonly<Record<string, number>>, key: string): string | null {
  const entries = Object.entries(weights);
  let rest = fraction(key) * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const found = entries.find(([, weight]) => (rest -= weight) < 0);
  return found?.[0] ?? null;
}

/** Returns a number in [0, 1) that looks random but depends on the text alone: FNV-1a with a final mix. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const isCount = (value: Json): boolean => typeof value === "number" && Number.isInteger(value) && value > 0;
const isWeight = (value: Json): boolean => typeof value === "number" && value >= 0;

function checkSeries(value: JsonObject): readonly (readonly [string, string])[] {
  const { days = 90, people = 100, per_day = 50, weekly_shape = EVERY_DAY, properties = {} } = value;
  const counts = Object.entries({ days, people, per_day }).filter(([, count]) => !isCount(count));
  const shaped = Array.isArray(weekly_shape) && weekly_shape.length === 7 && weekly_shape.every(isWeight);
  const weighted =
    isObject(properties) &&
    Object.values(properties).every((weights) => isObject(weights) && Object.values(weights).every(isWeight));
  return [
    ...counts.map(([name]) => [name, "a whole number above 0 is needed here."] as const),
    ...(Number(days) * Number(per_day) > MAX_EVENTS ? [["per_day", "these are too many events."] as const] : []),
    ...(shaped ? [] : [["weekly_shape", "seven numbers are expected here, the first one for Monday."] as const]),
    ...(weighted
      ? []
      : [["properties", "an object with the weights of values for each name is expected here."] as const]),
  ];
}

const SEED_RULES: SeedRules<"event_series", "project", EventSeriesInput> = {
  list: "event_series",
  within: ["project"],
  needed: ["event"],
  fields: ["event", "days", "people", "per_day", "weekly_shape", "properties"],
  check: checkSeries,
};

/** Series have no route. Seeds and the control interface add them. */
export const eventSeries = defineResource({
  name: "event_series",
  table: eventSeriesTable,
  livesIn: "project",
  controlled: true,
  insert(service, scope, values) {
    const { id = service.ids.next("event_series") } = numberId(values);
    service.ids.reserve("event_series", id);
    const defaults = { event: "", days: 90, people: 100, per_day: 50, weekly_shape: EVERY_DAY, properties: {} };
    const until = service.now().getTime();
    return eventSeriesTable(service).put({ id, team_id: teamOf(service, scope).id, until, ...defaults });
  },
  seed: SEED_RULES,
});
