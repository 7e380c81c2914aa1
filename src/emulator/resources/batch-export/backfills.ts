import { batchExportTable, type BatchExport } from "./record.ts";
import { cursorPage } from "../../http/cursor-page.ts";
import { defineTable, type Row } from "../../store/table.ts";
import { hasNoOffset, stamp, toUtc } from "../../store/time.ts";
import { invalid, notFound, tooMany } from "../../http/errors.ts";
import { asText, isObject, type Json, type JsonObject } from "../../json.ts";
import { objectBody } from "../../http/body.ts";
import type { Answer, Authenticated } from "../../http/call.ts";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;
const BACKFILLS_PER_PAGE = 50;
const RUNS_PER_PAGE = 100;
const OPEN: ReadonlySet<Json> = new Set(["Starting", "Running"]);
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** A backfill of an export. It runs until its run is cancelled: the emulator exports nothing. */
interface Backfill extends Row {
  readonly id: string;
  readonly batch_export: string;
  readonly team_id: number | null;
  readonly start_at: string;
  readonly end_at: string | null;
  readonly status: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly last_updated_at: string;
}

const backfillTable = defineTable<Backfill>((row) => row.batch_export);

/** Fact 194: starts a backfill. @throws ApiError 400, or 429 if too many of the project are running (195) */
export function startBackfill(call: Authenticated, row: BatchExport): Answer {
  const body = objectBody(call);
  const start = readMoment(row, body["start_at"] ?? null, "start_at");
  const end = readMoment(row, body["end_at"] ?? null, "end_at");
  if (start === null)
    throw invalid("invalid_input", "Backfilling from the beginning of time is not enabled for this team.");
  const now = call.service.now();
  if (end !== null && Date.parse(end) > now.getTime()) {
    throw invalid("invalid_input", "The end of a backfill cannot be in the future.", "end_at");
  }
  if (end !== null && start >= end) {
    throw invalid("invalid_input", "The start of a backfill has to lie before its end.", "start_at");
  }
  checkBackfillLimit(call, row);
  return { status: 201, body: { backfill_id: addBackfill(call, row, { start, end }).id } };
}

/** Fact 195: this is no rate limit, so there is no time to wait. @throws ApiError 429 */
function checkBackfillLimit({ service }: Authenticated, row: BatchExport): void {
  const running = backfillTable(service)
    .all()
    .filter(({ team_id, status }) => team_id === row.team_id && OPEN.has(status)).length;
  if (running < service.switches.backfill_limit) return;
  const detail = `This team already has ${running} batch export backfills running. Wait for one to finish, or cancel one.`;
  throw tooMany("too_many_concurrent_backfills", detail);
}

function addBackfill(
  { service }: Authenticated,
  row: BatchExport,
  { start, end }: { readonly start: string; readonly end: string | null },
): Backfill {
  const at = stamp(service.now());
  const times = { created_at: at, finished_at: null, last_updated_at: at };
  const made = backfillTable(service).put({
    id: service.ids.uuid(),
    batch_export: row.id,
    team_id: row.team_id,
    start_at: start,
    end_at: end,
    status: "Running",
    ...times,
  });
  const run: JsonObject = {
    id: service.ids.uuid(),
    status: "Running",
    records_completed: null,
    records_failed: null,
    latest_error: null,
    data_interval_start: start,
    data_interval_end: end ?? at,
    cursor: null,
    ...times,
    records_total_count: null,
    bytes_exported: null,
    batch_export: row.id,
    batch_export_on_demand: null,
    backfill: made.id,
  };
  batchExportTable(service).put({ ...row, latest_runs: [run, ...row.latest_runs] });
  return made;
}

/** Fact 194: exports by day and week take dates, the others times with a zone. */
function readMoment(row: BatchExport, value: Json, attr: string): string | null {
  if (value === null) return null;
  const utc = typeof value === "string" ? toUtc(value) : undefined;
  if (typeof value !== "string" || utc === undefined) throw invalid("invalid_input", "Not a date and time.", attr);
  if (row.interval !== "day" && row.interval !== "week") {
    if (hasNoOffset(value)) throw invalid("invalid_input", `Input ${value} is naive.`, attr);
    return utc;
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) {
    throw invalid("invalid_input", "Only a date is accepted for daily and weekly exports.", attr);
  }
  const day = row.offset_day ?? 0;
  if (row.interval === "week" && new Date(utc).getUTCDay() !== day) {
    throw invalid("invalid_input", `The date has to be a ${DAYS[day]}.`, attr);
  }
  return utc;
}

/** Fact 196: lists the backfills of an export, the newest first. */
export function listBackfills(call: Authenticated, row: BatchExport): Answer {
  const rows = backfillTable(call.service).within(row.id).toReversed();
  return cursorPage(call, rows, BACKFILLS_PER_PAGE, ({ overrides, ...fields }) => ({ ...fields, ...overrides }));
}

/** Facts 196 and 197: lists the runs of an export. Without a time in the request only the last seven days are listed. */
export function listRuns(call: Authenticated, row: BatchExport): Answer {
  const { query, service } = call;
  const byStart = query.get("ordering")?.replace("-", "") === "data_interval_start";
  const [since, until] = byStart ? [query.get("start"), query.get("end")] : [query.get("after"), query.get("before")];
  const field = byStart ? "data_interval_start" : "created_at";
  const weekAgo = stamp(new Date(service.now().getTime() - WEEK_MS));
  const from = Date.parse(since ?? (until === null ? weekAgo : "1970-01-01"));
  const to = until === null ? Infinity : Date.parse(until);
  const statuses = query.getAll("status");
  const kept = runsOf(row).filter((run) => {
    const at = Date.parse(asText(run[field] ?? ""));
    return at >= from && at <= to && (statuses.length === 0 || statuses.includes(asText(run["status"] ?? "")));
  });
  return cursorPage(call, kept, RUNS_PER_PAGE, (run) => run);
}

/** Fact 196: starts the range of a run again. */
export function retryRun(call: Authenticated, row: BatchExport): Answer {
  const run = requireRun(call, row);
  const start = asText(run["data_interval_start"] ?? "");
  checkBackfillLimit(call, row);
  const made = addBackfill(call, row, { start, end: asText(run["data_interval_end"] ?? "") });
  return { status: 201, body: { backfill_id: made.id } };
}

/** Fact 196: cancels a run, and with it the backfill that it belongs to. @throws ApiError 400 if it is not running */
export function cancelRun(call: Authenticated, row: BatchExport): Answer {
  const { service } = call;
  const run = requireRun(call, row);
  const { status = null, backfill = null } = run;
  if (!OPEN.has(status)) throw invalid("invalid_input", `Cannot cancel a run that is in '${asText(status)}' status`);
  const finished = { status: "Cancelled", finished_at: stamp(service.now()) };
  const latest_runs = row.latest_runs.map((one) => (one === run ? { ...run, ...finished } : one));
  batchExportTable(service).put({ ...row, latest_runs });
  const owner = backfillTable(service).get(asText(backfill));
  if (owner !== undefined) backfillTable(service).put({ ...owner, ...finished });
  return { status: 200, body: { cancelled: true } };
}

function requireRun({ params }: Authenticated, row: BatchExport): JsonObject {
  const run = runsOf(row).find(({ id }) => id === params["run_id"]);
  if (run === undefined) throw notFound();
  return run;
}

function runsOf({ latest_runs }: BatchExport): readonly JsonObject[] {
  return latest_runs.filter((run: Json): run is JsonObject => isObject(run));
}
