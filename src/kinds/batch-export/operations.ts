import { family, type OperationRow, standardRows } from "../operation.ts";

const ROWS = {
  ...standardRows("batch_export", {
    rows: { name: "text" },
    irreversible: "removes the batch export with its history of runs",
  }),
  // Each request starts another run, which writes the same data again. It is never resent if the outcome is unclear.
  backfill: {
    method: "POST",
    path: "/:id/backfill",
    permission: null,
    effect: "create",
    irreversible: "writes data to the destination, where it stays",
  },
  // Pausing a paused export changes nothing, so these two may be resent.
  pause: { method: "POST", path: "/:id/pause", permission: null, effect: "idempotent" },
  unpause: { method: "POST", path: "/:id/unpause", permission: null, effect: "idempotent" },
} as const satisfies Readonly<Record<string, OperationRow>>;

const NO_PARAMETERS = { type: "parameters", fields: {}, oneOf: [] } as const;

const CURSOR = { cursor: { type: "string" } } as const;

/** Current service 194 and 196. */
const ROWS_OF_TODAY = {
  backfills: {
    method: "GET",
    path: "/:id/backfills",
    permission: "batch_export:read",
    response: "cursor",
    shape: "batch_export_backfill",
    query: CURSOR,
    source: "current service 196",
  },
  create_backfill: {
    method: "POST",
    path: "/:id/backfills",
    permission: "batch_export:write",
    success: 201,
    shape: "started_backfill",
    body: { type: "parameters", fields: { start_at: { type: "string" }, end_at: { type: "string" } }, oneOf: [] },
    irreversible: "writes data to the destination, where it stays",
    source: "current service 194",
  },
  // Without a time, only the last seven days are listed.
  runs: {
    method: "GET",
    path: "/:id/runs",
    permission: "batch_export:read",
    response: "cursor",
    shape: "batch_export_run",
    query: {
      ...CURSOR,
      after: { type: "string" },
      before: { type: "string" },
      start: { type: "string" },
      end: { type: "string" },
      ordering: { type: "string" },
      status: { type: "string" },
    },
    source: "current service 196",
  },
  // Exports the range of the run again.
  retry_run: {
    method: "POST",
    path: "/:id/runs/:run_id/retry",
    permission: "batch_export:write",
    success: 201,
    shape: "started_backfill",
    body: NO_PARAMETERS,
    irreversible: "writes data to the destination, where it stays",
    source: "current service 196",
  },
  cancel_run: {
    method: "POST",
    path: "/:id/runs/:run_id/cancel",
    permission: "batch_export:write",
    shape: "cancelled_run",
    body: NO_PARAMETERS,
    effect: "idempotent",
    source: "current service 196",
  },
} as const satisfies Readonly<Record<string, OperationRow>>;

/** Interface: Endpoints, Batch exports. */
const batchExports = family(
  "batch_exports",
  {
    path: "/api/organizations/:organization_id/batch_exports",
    params: { organization_id: "uuid", id: "uuid" },
    resource: "batch_export",
    source: "Endpoints: Batch exports",
  },
  ROWS,
);

/** The same exports on the project's route, which the document lacks. Deployed servers accept writes only there. */
const projectBatchExports = family(
  "project_batch_exports",
  {
    path: "/api/projects/:project_id/batch_exports",
    params: { project_id: "string", id: "uuid", run_id: "uuid" },
    resource: "batch_export",
    source: "deployed servers",
    document: false,
  },
  { ...ROWS, ...ROWS_OF_TODAY },
);

export const operations = { ...batchExports, ...projectBatchExports };
