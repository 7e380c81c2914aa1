import { asText, isObject, type Json, type JsonObject } from "../json.ts";
import { formatStart, requestedRange, type TimeRange } from "./dates.ts";
import { eventsOf } from "../resources/event-series.ts";
import { invalid } from "../http/errors.ts";
import { parseFilter, type Matcher } from "./properties.ts";
import type { ProjectEvent } from "../resources/event.ts";
import type { Service } from "../service.ts";
import type { Team } from "../resources/project/record.ts";

/** One of the events or actions that a request names. */
export interface Series {
  readonly id: string;
  readonly name: string;
  readonly type: "events" | "actions";
  readonly math: Json;
  /** The name that people gave it. Only queries show it. */
  readonly customName: Json;
  readonly matches: Matcher;
}

/** The parts of a request that trends and funnels share. */
export interface CalculationRequest {
  readonly series: readonly Series[];
  readonly range: TimeRange;
  /** The events of the project that pass the filters of the request, sorted by time. Not limited to the range. */
  readonly events: readonly ProjectEvent[];
  /** The event property to break down by. */
  readonly breakdown: string | undefined;
  /** The request in the form in which results repeat it. */
  readonly filter: JsonObject;
}

const BREAKDOWN_TYPES = ["event", "person", "cohort", "group", "session", "hogql"];

/**
 * Reads the parts of a request that trends and funnels share.
 * @throws ApiError 400 for a malformed list, or for a request that the emulator cannot calculate
 */
export function readRequest(
  service: Service,
  team: Team,
  body: JsonObject,
  range: TimeRange = requestedRange(body["date_from"], body["date_to"], service.now(), service.isRealServer),
): CalculationRequest {
  const { properties = null, filter_test_accounts = false } = body;
  const wanted = [parseFilter(properties)];
  if (filter_test_accounts === true) wanted.push(parseFilter(team.test_account_filters));
  const events = eventsOf(service, team.id)
    .filter((event) => wanted.every((matches) => matches(event)))
    .toSorted((a, b) => a.at - b.at || a.id - b.id);
  const filter = {
    events: body["events"] ?? [],
    actions: body["actions"] ?? [],
    properties,
    filter_test_accounts,
    date_from: formatStart(range.first, range.interval),
    date_to: formatStart(range.last, range.interval),
  };
  return { series: readSeries(body, team), range, events, breakdown: readBreakdown(body), filter };
}

function readBreakdown(body: JsonObject): string | undefined {
  const type = readOption(body, "breakdown_type", BREAKDOWN_TYPES, "event");
  const { breakdown } = body;
  if (breakdown === undefined || breakdown === null || breakdown === "") return undefined;
  if (type !== "event" || typeof breakdown !== "string") {
    throw invalid("invalid_input", "The emulator breaks down by properties of events only.", "breakdown");
  }
  return breakdown;
}

/** Reads a parameter that has a fixed list of values. @throws ApiError 400 for any other value */
export function readOption(body: JsonObject, name: string, values: readonly string[], fallback: string): string {
  const value = body[name];
  if (value === undefined || value === null) return fallback;
  const found = values.find((known) => known === value);
  if (found === undefined) throw invalid("invalid_choice", `"${asText(value)}" is not a valid choice.`, name);
  return found;
}

function readSeries(body: JsonObject, team: Team): readonly Series[] {
  const events = readEntries(body, "events").map((item) => ({ item, series: eventSeries(item) }));
  const actions = readEntries(body, "actions").map((item) => ({ item, series: actionSeries(item, team) }));
  const position = ({ item }: { readonly item: JsonObject }, index: number): number =>
    typeof item["order"] === "number" ? item["order"] : index;
  return [...events, ...actions]
    .map((entry, index) => ({ ...entry, at: position(entry, index) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ series }) => series);
}

function readEntries(body: JsonObject, name: "events" | "actions"): readonly JsonObject[] {
  const value = body[name] ?? [];
  if (!Array.isArray(value)) throw invalid("not_a_list", "Expected a list of items.", name);
  return value.map((item: Json) => {
    if (isObject(item) && item["id"] !== undefined) return item;
    throw invalid("invalid_input", "Each item is an object with an id.", name);
  });
}

function eventSeries(item: JsonObject): Series {
  const { id = null, name, math = null, custom_name: customName = null, properties } = item;
  const extra = parseFilter(properties, "events");
  const matches: Matcher = id === null ? extra : (event) => event.event === id && extra(event);
  const label = typeof name === "string" ? name : id === null ? "All events" : asText(id);
  return { id: asText(id), name: label, type: "events", math, customName, matches };
}

function actionSeries(item: JsonObject, team: Team): Series {
  const { id = null, name, math = null, custom_name: customName = null, properties } = item;
  const action = team.actions.find((known) => String(known.id) === asText(id));
  if (action === undefined) throw invalid("does_not_exist", `There is no action ${asText(id)}.`, "actions");
  const extra = parseFilter(properties, "actions");
  const matches: Matcher = (event) => action.events.includes(event.event) && extra(event);
  const label = typeof name === "string" ? name : action.name;
  return { id: asText(id), name: label, type: "actions", math, customName, matches };
}
