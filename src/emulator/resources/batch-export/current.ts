import { batchExportTable, makeBatchExport, renderBatchExport, type BatchExport, type ExportScope } from "./record.ts";
import { checkCurrentExport } from "./current-rules.ts";
import { convertedDestination, shownDestination, writtenDestination } from "./current-destination.ts";
import { CURRENT_FIELDS, type SentExport } from "./current-fields.ts";
import { isObject, type Json, type JsonObject } from "../../json.ts";
import { objectBody } from "../../http/body.ts";
import { readFields } from "../../http/fields.ts";
import { serverError } from "../../http/errors.ts";
import { stamp } from "../../store/time.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Service } from "../../service.ts";

const MAX_RUNS = 10;
type Offsets = Pick<BatchExport, "offset_day" | "offset_hour">;

/** Answers a create in the `current` dialect. Only the route of a project can create. */
export function createCurrent(call: Authenticated, scope: ExportScope): Answer {
  const { service } = call;
  if (scope.projectId === null) throw serverError();
  const sent = readFields(objectBody(call), CURRENT_FIELDS, { lenient: true, partial: false });
  const values = writtenValues(service, scope.projectId, sent, { before: undefined, partial: false });
  return { status: 201, body: renderCurrentExport(makeBatchExport(service, scope, values)) };
}

/** Answers an update in the `current` dialect. */
export function updateCurrent(call: Authenticated, row: BatchExport, partial: boolean): Answer {
  const { service } = call;
  const sent = readFields(objectBody(call), CURRENT_FIELDS, { lenient: true, partial });
  const before = { ...row, destination: convertedDestination(row.destination) };
  const values = writtenValues(service, row.team_id ?? 0, sent, { before, partial });
  const updated = batchExportTable(service).put({ ...before, ...values, last_updated_at: stamp(service.now()) });
  return { status: 200, body: renderCurrentExport(updated) };
}

interface Target {
  readonly before: BatchExport | undefined;
  readonly partial: boolean;
}

function writtenValues(
  service: Service,
  team: number,
  sent: SentExport,
  { before, partial }: Target,
): Partial<BatchExport> {
  const { destination, hogql_modifiers, ...plain } = sent;
  checkCurrentExport({
    service,
    team,
    sent,
    before,
    after: {
      model: sent.model ?? before?.model ?? "events",
      interval: sent.interval ?? before?.interval ?? "hour",
      hogql_query: (sent.hogql_query === undefined ? before?.hogql_query : sent.hogql_query) ?? null,
      type: destination?.type ?? before?.destination.type ?? "",
    },
  });
  const stored = before?.destination;
  const written = destination && writtenDestination(destination, { service, team, before: stored, partial });
  return {
    ...plain,
    ...writtenOffsets(service, sent, partial),
    ...(written === undefined ? {} : { destination: written }),
    // 192: the service drops nulls.
    ...(hogql_modifiers === undefined ? {} : { hogql_modifiers: withoutNulls(hogql_modifiers) }),
  };
}

/** Fact 188: the offsets are handled only together with the interval. @throws ApiError 500 without it */
function writtenOffsets(service: Service, sent: SentExport, partial: boolean): Partial<Offsets> {
  const { interval, offset_day: day, offset_hour: hour } = sent;
  const isSent = day !== undefined || hour !== undefined;
  if (interval === undefined) {
    if (isSent && service.switches.lone_offsets_fail) throw serverError();
    return {};
  }
  if (interval === "day")
    return isSent || !partial ? { offset_day: null, offset_hour: hour ?? null } : { offset_day: null };
  if (interval !== "week") return { offset_day: null, offset_hour: null };
  if (isSent) return { offset_day: day ?? 0, offset_hour: hour ?? 0 };
  return partial ? {} : { offset_day: null, offset_hour: null };
}

function withoutNulls(modifiers: Json): Json {
  if (!isObject(modifiers)) return modifiers;
  return Object.fromEntries(Object.entries(modifiers).filter(([, value]) => value !== null));
}

/** Facts 165, 182, 183, 189 and 191: how an export is shown. */
export function renderCurrentExport(row: BatchExport): JsonObject {
  const { latest_runs, interval, hogql_query, offset_day = null, offset_hour = null, overrides } = row;
  const hasHour = interval === "day" || interval === "week";
  const isQuery = row.model === "hogql";
  const isOldQuery = !isQuery && hogql_query !== null && hogql_query !== "";
  return {
    ...renderBatchExport(row),
    model: row.model ?? "events",
    destination: { ...shownDestination(convertedDestination(row.destination)) },
    latest_runs: latest_runs.slice(0, MAX_RUNS),
    filters: row.filters,
    hogql_query: isQuery ? hogql_query : null,
    schema: isOldQuery ? { fields: [], values: {}, hogql_query } : row.schema,
    offset_day: interval === "week" ? (offset_day ?? 0) : null,
    offset_hour: hasHour ? (offset_hour ?? 0) : null,
    ...overrides,
  };
}
