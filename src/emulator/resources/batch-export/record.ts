import { defineTable, type Row } from "../../store/table.ts";
import { stamp } from "../../store/time.ts";
import { teamTable } from "../project/record.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Service } from "../../service.ts";

/** The destination of an export: a type and free-form settings, including secrets. */
export interface Destination {
  readonly type: string;
  readonly config: JsonObject;
  /** The id of an integration of the project. Only the `current` dialect has it. */
  readonly integration?: number | null;
}

/** A batch export. `project_id` is null if it was created on the organization's route. */
export interface BatchExport extends Row {
  readonly id: string;
  readonly organization_id: string;
  readonly project_id: number | null;
  readonly team_id: number | null;
  readonly name: string;
  readonly model: string | null;
  readonly destination: Destination;
  readonly interval: string;
  readonly paused: boolean;
  readonly created_at: string;
  readonly last_updated_at: string;
  readonly last_paused_at: string | null;
  readonly start_at: string | null;
  readonly end_at: string | null;
  readonly latest_runs: readonly Json[];
  readonly hogql_query: string | null;
  readonly schema: Json;
  readonly filters: Json;
  /** Only the `current` dialect has the fields from here on. */
  readonly hogql_modifiers?: Json;
  readonly primary_key?: Json;
  readonly version_key?: Json;
  readonly incremental_mode?: string;
  readonly timezone?: string;
  readonly offset_day?: number | null;
  readonly offset_hour?: number | null;
}

/** The fields that only the `current` dialect has, in a new export. */
const CURRENT_DEFAULTS = {
  hogql_modifiers: null,
  primary_key: null,
  version_key: null,
  incremental_mode: "APPEND",
  timezone: "UTC",
  offset_day: null,
  offset_hour: null,
};

/** The batch exports, including those of projects, by organization. */
export const batchExportTable = defineTable<BatchExport>((row) => row.organization_id);

/** The parent of a batch export. */
export interface ExportScope {
  readonly organizationId: string;
  readonly projectId: number | null;
}

/** Adds a batch export to a project or directly to an organization. */
export function makeBatchExport(service: Service, scope: ExportScope, values: Partial<BatchExport>): BatchExport {
  const at = stamp(service.now());
  return batchExportTable(service).put({
    id: service.ids.uuid(),
    // An export without a project still needs a team: the first one of the organization.
    team_id: scope.projectId ?? teamTable(service).within(scope.organizationId)[0]?.id ?? null,
    name: "",
    model: "events",
    destination: { type: "NoOp", config: {} },
    interval: "hour",
    paused: false,
    created_at: at,
    last_updated_at: at,
    last_paused_at: null,
    start_at: null,
    end_at: null,
    latest_runs: [],
    hogql_query: null,
    schema: null,
    filters: null,
    ...(service.current ? CURRENT_DEFAULTS : {}),
    ...values,
    organization_id: scope.organizationId,
    project_id: scope.projectId,
  });
}

/** Renders a batch export in the `document` dialect: all fields as stored, including secrets. */
export function renderBatchExport(row: BatchExport): JsonObject {
  const { organization_id: _organization, project_id: _project, filters, overrides, ...fields } = row;
  // The document does not have the filters, so they are shown only if there are any.
  const filtered = filters === null ? {} : { filters };
  return { ...fields, ...filtered, destination: { ...row.destination }, ...overrides };
}
