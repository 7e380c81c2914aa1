import { defineResource } from "../resource.ts";
import { defineTable, type Row } from "../store/table.ts";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { teamOf } from "./scope.ts";
import { toUtc } from "../store/time.ts";
import type { SeedRules } from "../seed/rules.ts";
import type { Service } from "../service.ts";

/** Something that a person did in a project. Trends and funnels count events. */
export interface ProjectEvent extends Row {
  readonly id: number;
  readonly team_id: number;
  readonly event: string;
  readonly distinct_id: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly properties: JsonObject;
}

/** The events, by project. */
export const eventTable = defineTable<ProjectEvent>((row) => row.team_id);

/** An event in a seed or in a call of the control interface. The default of `timestamp` is now. */
export interface EventInput {
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp?: string;
  readonly properties?: JsonObject;
}

/**
 * Adds an event to a project.
 * @throws Error if the timestamp is not valid
 */
export function makeEvent(service: Service, teamId: number, input: EventInput): ProjectEvent {
  const utc = input.timestamp === undefined ? service.now().toISOString() : toUtc(input.timestamp);
  if (utc === undefined) throw new Error(`"${String(input.timestamp)}" is no date and time.`);
  return eventTable(service).put({
    id: service.ids.next("event"),
    team_id: teamId,
    event: input.event,
    distinct_id: input.distinct_id,
    at: Date.parse(utc),
    properties: input.properties ?? {},
  });
}

/** Reads events from JSON. @throws Error that names the first invalid event */
export function readEvents(value: Json): readonly EventInput[] {
  if (!Array.isArray(value)) throw new Error("A list of events is expected.");
  return value.map((item: Json, index) => readEvent(item, index));
}

function readEvent(item: Json, index: number): EventInput {
  if (!isObject(item)) throw new Error(`Event ${index} is no object.`);
  const { event: name, distinct_id, timestamp, properties = {} } = item;
  if (typeof name !== "string" || typeof distinct_id !== "string" || !isObject(properties)) {
    throw new Error(`Event ${index} needs the texts "event" and "distinct_id", and properties that are an object.`);
  }
  if (timestamp === undefined) return { event: name, distinct_id, properties };
  if (typeof timestamp !== "string") throw new Error(`The timestamp of event ${index} is no text.`);
  return { event: name, distinct_id, properties, timestamp };
}

const SEED_RULES: SeedRules<"events", "project", EventInput> = {
  list: "events",
  within: ["project"],
  needed: ["event", "distinct_id"],
  fields: ["event", "distinct_id", "timestamp", "properties"],
  check: ({ timestamp = "2000-01-01", properties = {} }) => [
    ...(typeof timestamp === "string" && toUtc(timestamp) !== undefined
      ? []
      : [["timestamp", "a date and time is needed here."] as const]),
    ...(isObject(properties) ? [] : [["properties", "an object is expected here."] as const]),
  ],
};

/** Events have no route. Seeds and the control interface add them. */
export const event = defineResource({
  name: "event",
  table: eventTable,
  livesIn: "project",
  controlled: false,
  insert: (service, scope, values) => makeEvent(service, teamOf(service, scope).id, readEvent(values, 0)),
  plainFields: () => ({}),
  seed: SEED_RULES,
});
