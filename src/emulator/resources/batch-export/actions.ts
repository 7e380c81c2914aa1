import { batchExportTable, type BatchExport, type ExportScope } from "./record.ts";
import { flag, readFields } from "../../http/fields.ts";
import { hasCurrentProject } from "../../deployed/current-organization.ts";
import { invalid, serverError, unauthenticated } from "../../http/errors.ts";
import { hasNoOffset, stamp, toUtc } from "../../store/time.ts";
import { objectBody } from "../../http/body.ts";
import { renderExport } from "./fields.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Json } from "../../json.ts";

/** The number of runs that an export shows, the newest first. */
const MAX_RUNS = 10;

/**
 * Pauses or unpauses an export. An export that already has this state does not change, but the answer is 200 too.
 * @throws ApiError 401 if a deployed server unpauses for a user without a current project
 */
export function pause(call: Authenticated, row: BatchExport, paused: boolean): Answer {
  const { service, user } = call;
  if (service.isRealServer && !paused && !hasCurrentProject(service, user))
    throw unauthenticated(401, "not_authenticated");
  const body = objectBody(call);
  // 193: only the other action reads its body.
  if (service.current && !paused) readFields(body, { backfill: flag() }, { lenient: true, partial: true });
  const at = stamp(service.now());
  const changed = { ...row, paused, last_updated_at: at, ...(paused ? { last_paused_at: at } : {}) };
  const now = row.paused === paused ? row : batchExportTable(service).put(changed);
  return { status: 200, body: service.isRealServer ? { paused } : renderExport(service, now) };
}

/** Starts a backfill, which adds a run for the requested range to the export. */
export function backfill(call: Authenticated, row: BatchExport, scope: ExportScope): Answer {
  const { service } = call;
  if (service.isRealServer && scope.projectId === null) throw serverError();
  const body = objectBody(call);
  const start = readMoment(body["start_at"], "start_at", service.isRealServer);
  const end = readMoment(body["end_at"], "end_at", service.isRealServer);
  if (start !== null && end !== null && start >= end) {
    throw invalid("invalid_input", "The start of a backfill has to lie before its end.");
  }
  const run = newRun(call, row, start, end);
  const latest_runs = [run, ...row.latest_runs].slice(0, MAX_RUNS);
  const updated = batchExportTable(service).put({ ...row, latest_runs });
  if (!service.isRealServer) return { status: 200, body: renderExport(service, updated) };
  return { status: 200, body: { backfill_id: `${row.id}-Backfill-${start ?? "START"}-${end ?? "END"}` } };
}

function readMoment(value: Json | undefined, attr: string, aware: boolean): string | null {
  if (value === undefined || value === null) return null;
  const utc = typeof value === "string" ? toUtc(value) : undefined;
  if (typeof value !== "string" || utc === undefined) throw invalid("invalid_input", "Not a date and time.", attr);
  if (aware && hasNoOffset(value)) throw invalid("invalid_input", `Input ${value} is naive.`);
  return utc;
}

function newRun({ service }: Authenticated, row: BatchExport, start: string | null, end: string | null): Json {
  const at = stamp(service.now());
  return {
    id: service.ids.uuid(),
    status: "Starting",
    records_completed: null,
    latest_error: null,
    data_interval_start: start,
    data_interval_end: end,
    cursor: null,
    created_at: at,
    finished_at: null,
    last_updated_at: at,
    records_total_count: null,
    batch_export: row.id,
  };
}
