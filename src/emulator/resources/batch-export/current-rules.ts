import { batchExportTable, type BatchExport } from "./record.ts";
import { denied, invalid, type ApiError } from "../../http/errors.ts";
import { isObject, type Json } from "../../json.ts";
import type { SentExport } from "./current-fields.ts";
import type { Service } from "../../service.ts";

/** A write of an export. `before` is undefined for a create. */
interface Write {
  readonly service: Service;
  readonly team: number;
  readonly sent: SentExport;
  readonly before: BatchExport | undefined;
  /** The value after the write. */
  readonly after: {
    readonly model: string;
    readonly interval: string;
    readonly hogql_query: string | null;
    readonly type: string;
  };
}

/** A reason to refuse a write. */
interface Rule {
  readonly fact: number;
  readonly problem: (write: Write) => ApiError | undefined;
}

const MODIFIERS: ReadonlySet<string> = new Set([
  "bounceRateDurationSeconds",
  "bounceRatePageViewMode",
  "convertToProjectTimezone",
  "customChannelTypeRules",
  "dataWarehouseEventsModifiers",
  "debug",
  "inCohortVia",
  "materializationMode",
  "optimizeJoinedFilters",
  "personsArgMaxVersion",
  "personsJoinMode",
  "personsOnEventsMode",
  "propertyGroupsMode",
  "s3TableUseInvalidColumns",
  "sessionTableVersion",
  "useMaterializedViews",
  "usePresortedEventsTable",
  "useWebAnalyticsPreAggregatedTables",
]);
const FILTER_TYPES: ReadonlySet<Json> = new Set(["event", "hogql", "person"]);
const RUN_ATTRIBUTES: ReadonlySet<Json> = new Set(["data_interval_start", "data_interval_end"]);

const RULES: readonly Rule[] = [
  {
    fact: 167,
    problem: ({ service, sent }) =>
      sent.interval?.startsWith("every") === true && !service.switches.frequent_exports
        ? denied("Higher frequency batch exports are not enabled for this team.")
        : undefined,
  },
  {
    fact: 168,
    problem({ service, sent: { model }, before }) {
      if (model !== undefined && before !== undefined && model !== (before.model ?? "events")) {
        return refused("model", "Changing models is not supported. Create a new batch export instead.");
      }
      const isMissing = model === "hogql" && before === undefined && !service.switches.hogql_exports;
      return isMissing ? denied("HogQL batch exports are not enabled for this team.") : undefined;
    },
  },
  {
    fact: 184,
    problem: ({ after: { type, model } }) =>
      type === "HTTP" && model !== "events"
        ? refused("model", "HTTP batch exports only support the events model")
        : undefined,
  },
  { fact: 187, problem: offsetProblem },
  { fact: 190, problem: ({ sent, after }) => filterProblem(sent.filters ?? null, after.model) },
  { fact: 191, problem: queryProblem },
  { fact: 192, problem: ({ sent, after }) => modifierProblem(sent.hogql_modifiers ?? null, after.model) },
  { fact: 192, problem: ({ sent, after, before }) => keyProblem(sent, after, before) },
];

/** Facts 167, 168, 184, 187 and 190 to 192. @throws ApiError 400 or 403 */
export function checkCurrentExport(write: Write): void {
  for (const { problem } of RULES) {
    const found = problem(write);
    if (found !== undefined) throw found;
  }
}

function refused(attr: string, detail: string): ApiError {
  return invalid("invalid_input", detail, attr);
}

function offsetProblem({ sent }: Write): ApiError | undefined {
  const { interval, offset_day: day = null, offset_hour: hour = null } = sent;
  if (interval === undefined) return undefined;
  if (day !== null && interval !== "week") {
    return refused("offset_day", "offset_day is not applicable for non-weekly intervals");
  }
  if (hour !== null && interval !== "week" && interval !== "day") {
    return refused("offset_hour", "offset_hour is not applicable for non-daily/weekly intervals");
  }
  if (day !== null && (day < 0 || day > 6)) return outside("offset_day", day, 6);
  return hour !== null && (hour < 0 || hour > 23) ? outside("offset_hour", hour, 23) : undefined;
}

function outside(attr: string, value: number, most: number): ApiError {
  const code = value < 0 ? "min_value" : "max_value";
  const detail = value < 0 ? "greater than or equal to 0" : `less than or equal to ${most}`;
  return invalid(code, `Ensure this value is ${detail}.`, attr);
}

function filterProblem(filters: Json, model: string): ApiError | undefined {
  if (filters === null) return undefined;
  if (!Array.isArray(filters)) return refused("filters", "'filters' should be an array of filters");
  if (model !== "events") return refused("filters", `'filters' is only supported for 'events' not '${model}' model`);
  for (const filter of filters as readonly Json[]) {
    if (!isObject(filter)) return refused("filters", "Each filter must be an object");
    if (RUN_ATTRIBUTES.has(filter["key"] ?? null)) {
      const detail =
        "'data_interval_start' and 'data_interval_end' are run attributes and not 'filters'. Use a backfill instead.";
      return refused("filters", detail);
    }
    if (!FILTER_TYPES.has(filter["type"] ?? null)) {
      return refused("filters", "Each filter must have a 'type' of one of: 'event', 'hogql', 'person'");
    }
  }
  return undefined;
}

/** Fact 191: the query belongs to the model hogql, except in a project that still has one of the old form. */
function queryProblem({ service, team, sent, after }: Write): ApiError | undefined {
  if (after.model === "hogql") {
    const detail = "'hogql_query' is required when 'model' is 'hogql'";
    return after.hogql_query === null ? refused("hogql_query", detail) : undefined;
  }
  const query = sent.hogql_query ?? null;
  if (query === null) return undefined;
  if (after.model !== "events" || !hasCompiledSchema(service, team)) {
    return refused("hogql_query", `'hogql_query' is only supported for 'hogql' not '${after.model}' model`);
  }
  const isPlain =
    /^\s*select\b[^;]*\bfrom\s+events\b/i.test(query) && !/\b(join|union|with)\b|\(\s*select\b/i.test(query);
  return isPlain ? undefined : refused("hogql_query", "Only one plain SELECT from events is supported.");
}

function hasCompiledSchema(service: Service, team: number): boolean {
  return batchExportTable(service)
    .all()
    .some((row) => row.team_id === team && row.model !== "hogql" && (row.schema !== null || row.hogql_query !== null));
}

function modifierProblem(modifiers: Json, model: string): ApiError | undefined {
  if (modifiers === null) return undefined;
  if (model !== "hogql") {
    return refused("hogql_modifiers", `'hogql_modifiers' is only supported for 'hogql' not '${model}' model`);
  }
  const unknown = isObject(modifiers) ? Object.keys(modifiers).find((name) => !MODIFIERS.has(name)) : "";
  return unknown === undefined ? undefined : refused("hogql_modifiers", `Unknown modifier: '${unknown}'`);
}

function keyProblem(sent: SentExport, after: Write["after"], before: BatchExport | undefined): ApiError | undefined {
  const columns = columnsOf(after.hogql_query ?? "");
  for (const name of ["primary_key", "version_key"] as const) {
    const key = sent[name] ?? null;
    if (key === null) continue;
    if (after.model !== "hogql")
      return refused(name, `'${name}' is only supported for 'hogql' not '${after.model}' model`);
    if (key.length === 0) return invalid("empty", "This list may not be empty.", name);
    const missing = key.filter((column) => !columns.includes(column));
    if (missing.length > 0) {
      return refused(name, `'${name}' contains columns that are not present in the query: ${missing.join(", ")}`);
    }
  }
  const mode = sent.incremental_mode ?? before?.incremental_mode;
  const key = sent.primary_key === undefined ? (before?.primary_key ?? null) : sent.primary_key;
  if (mode !== "MERGE" || key !== null) return undefined;
  return refused("primary_key", "'primary_key' is required when 'incremental_mode' is 'MERGE'");
}

/** The names of the columns of a query: what follows AS, or the last word of an expression. */
function columnsOf(query: string): readonly string[] {
  const [, list = ""] = /^\s*select\s+(?:distinct\s+)?([\s\S]*?)\sfrom\s/i.exec(query) ?? [];
  const parts = list.split(/,(?![^(]*\))/);
  return parts.flatMap((part) => /(\w+)[`"]?\s*$/.exec(part.trim())?.[1] ?? []);
}
