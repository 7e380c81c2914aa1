import { isObject } from "../json.ts";
import { toUtc } from "../store/time.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Row } from "../store/table.ts";
import type { Service } from "../service.ts";

/** Something that a person did in a project; what trends and funnels count. */
export interface ProjectEvent extends Row {
  readonly id: number;
  readonly team_id: number;
  readonly event: string;
  readonly distinct_id: string;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly properties: JsonObject;
}

/** An event as seeds and the control interface give it. Without `timestamp` it happens now. */
export interface EventInput {
  readonly event: string;
  readonly distinct_id: string;
  readonly timestamp?: string;
  readonly properties?: JsonObject;
}

/** A named set of events, which calculations may ask for in place of one. */
export interface ActionInput {
  readonly id: number;
  readonly name: string;
  readonly events: readonly string[];
}

/**
 * Adds an event to a project.
 * @throws Error for a timestamp that is none
 */
export function makeEvent(service: Service, teamId: number, input: EventInput): ProjectEvent {
  const utc = input.timestamp === undefined ? service.now().toISOString() : toUtc(input.timestamp);
  if (utc === undefined) throw new Error(`"${String(input.timestamp)}" is no date and time.`);
  return service.store.events.put({
    id: service.ids.next("event"),
    team_id: teamId,
    event: input.event,
    distinct_id: input.distinct_id,
    at: Date.parse(utc),
    properties: input.properties ?? {},
  });
}

/** Reads events from JSON. @throws Error that names the first one which is none */
export function readEvents(value: Json): readonly EventInput[] {
  if (!Array.isArray(value)) throw new Error("A list of events is expected.");
  return value.map((item: Json, index) => {
    if (!isObject(item)) throw new Error(`Event ${index} is no object.`);
    const { event, distinct_id, timestamp, properties = {} } = item;
    if (typeof event !== "string" || typeof distinct_id !== "string" || !isObject(properties)) {
      throw new Error(`Event ${index} needs the texts "event" and "distinct_id", and properties that are an object.`);
    }
    if (timestamp === undefined) return { event, distinct_id, properties };
    if (typeof timestamp !== "string") throw new Error(`The timestamp of event ${index} is no text.`);
    return { event, distinct_id, properties, timestamp };
  });
}
