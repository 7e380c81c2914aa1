import { asText, isObject, parseJson, type Json } from "../../json.ts";
import { serverError } from "../../http/errors.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Insight } from "./record.ts";

/** Fact 220: a parameter of the list, and the rows that it leaves. A list parameter is a JSON array. */
interface Filter {
  readonly parameter: string;
  readonly isList?: true;
  readonly keeps: (value: Json, row: Insight, call: Authenticated) => boolean;
}

const includes = (list: Json, value: Json): boolean => Array.isArray(list) && list.includes(value);
const isAfter = (time: string, value: Json): boolean => Date.parse(time) >= Date.parse(asText(value));
const isBefore = (time: string, value: Json): boolean => Date.parse(time) <= Date.parse(asText(value));

const FILTERS: readonly Filter[] = [
  { parameter: "created_by", isList: true, keeps: (list, { created_by }) => includes(list, created_by?.id ?? null) },
  {
    parameter: "dashboards",
    isList: true,
    keeps: (list, { dashboards }) => dashboards.some((id) => includes(list, id)),
  },
  { parameter: "tags", isList: true, keeps: (list, { tags }) => tags.some((tag) => includes(list, tag)) },
  {
    parameter: "events",
    isList: true,
    keeps: (list, { query }) => eventsIn(query).some((event) => includes(list, event)),
  },
  { parameter: "user", keeps: (value, { created_by }, { user }) => value !== "true" || created_by?.id === user.id },
  { parameter: "favorited", keeps: (value, { favorited }) => value !== "true" || favorited },
  // An insight on a dashboard counts as saved.
  { parameter: "saved", keeps: (value, { saved, dashboards }) => value !== "true" || saved || dashboards.length > 0 },
  { parameter: "short_id", keeps: (value, { short_id }) => short_id === value },
  { parameter: "insight", keeps: (value, { query }) => kindOf(query) === `${asText(value).toLowerCase()}query` },
  { parameter: "date_from", keeps: (value, { last_modified_at }) => isAfter(last_modified_at, value) },
  { parameter: "date_to", keeps: (value, { last_modified_at }) => isBefore(last_modified_at, value) },
  { parameter: "created_date_from", keeps: (value, { created_at }) => isAfter(created_at, value) },
  { parameter: "created_date_to", keeps: (value, { created_at }) => isBefore(created_at, value) },
  {
    parameter: "search",
    keeps: (value, { name, derived_name, description, tags }) =>
      [name, derived_name, description, ...tags].some(
        (text) => typeof text === "string" && text.toLowerCase().includes(asText(value).toLowerCase()),
      ),
  },
];

/** Fact 220: applies the parameters of the list. @throws ApiError 500 for a bare value where a JSON array is due */
export function filteredInsights(call: Authenticated, rows: readonly Insight[]): readonly Insight[] {
  const asked = FILTERS.flatMap((filter) => {
    const text = call.query.get(filter.parameter);
    if (text === null || text === "") return [];
    const value = filter.isList ? (parseJson(text) ?? null) : text;
    if (!filter.isList || Array.isArray(value)) return [{ filter, value }];
    if (call.service.switches.bare_list_parameters_fail) throw serverError();
    return [];
  });
  return rows.filter((row) => asked.every(({ filter, value }) => filter.keeps(value, row, call)));
}

function sourceOf(query: Json): Json {
  return isObject(query) && isObject(query["source"]) ? query["source"] : query;
}

function kindOf(query: Json): string {
  const source = sourceOf(query);
  return isObject(source) ? asText(source["kind"] ?? "").toLowerCase() : "";
}

function eventsIn(query: Json): readonly Json[] {
  const source = sourceOf(query);
  const series = isObject(source) ? source["series"] : undefined;
  if (!Array.isArray(series)) return [];
  return (series as readonly Json[]).flatMap((node) =>
    isObject(node) && node["event"] !== undefined ? [node["event"]] : [],
  );
}
