import { defineTable, type Row } from "../../store/table.ts";
import { stamp } from "../../store/time.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Service } from "../../service.ts";
import type { User } from "../../records/user.ts";

/** A saved insight. Calculated fields are stored separately. A plain read never calculates. */
export interface Insight extends Row {
  readonly id: number;
  readonly team_id: number;
  readonly short_id: string;
  readonly name: string | null;
  readonly derived_name: string | null;
  readonly filters: Json;
  readonly query: Json;
  readonly order: number | null;
  readonly deleted: boolean;
  readonly dashboards: readonly number[];
  readonly created_at: string;
  readonly created_by: User | null;
  readonly description: string | null;
  readonly updated_at: string;
  readonly tags: readonly Json[];
  readonly favorited: boolean;
  readonly saved: boolean;
  readonly last_modified_at: string;
  readonly last_modified_by: User | null;
  readonly is_sample: boolean;
  /** Dashboards whose tile of this insight was deleted. Only the `current` dialect has it. */
  readonly hidden_dashboards?: readonly number[];
}

/** The insights, by project. */
export const insightTable = defineTable<Insight>((row) => row.team_id);

/** Returns an insight with the defaults of a new one, without storing it. */
export function blankInsight(service: Service): Insight {
  const at = stamp(service.now());
  return {
    id: 0,
    team_id: 0,
    short_id: "",
    name: null,
    derived_name: null,
    filters: {},
    query: null,
    order: null,
    deleted: false,
    dashboards: [],
    created_at: at,
    created_by: null,
    description: null,
    updated_at: at,
    tags: [],
    favorited: false,
    saved: false,
    last_modified_at: at,
    last_modified_by: null,
    is_sample: false,
  };
}

/** Adds an insight to a project. */
export function makeInsight(service: Service, teamId: number, values: Partial<Insight>): Insight {
  const id = values.id ?? service.ids.next("insight");
  service.ids.reserve("insight", id);
  return insightTable(service).put({
    ...blankInsight(service),
    short_id: service.ids.shortId(),
    last_modified_by: values.created_by ?? null,
    ...values,
    id,
    team_id: teamId,
  });
}

const CALCULATED: JsonObject = {
  last_refresh: null,
  cache_target_age: null,
  next_allowed_client_refresh: null,
  result: null,
  columns: null,
  timezone: null,
  query_status: null,
};

/** Renders an insight with every field of the document. `tileDeleted` is the value of `deleted` in its tiles. */
export function renderInsight(row: Insight, tileDeleted: boolean | null = false): object {
  const { team_id: _team, overrides, ...fields } = row;
  return {
    ...fields,
    dashboard_tiles: row.dashboards.map((dashboard, index) => ({
      id: row.id * 1000 + index,
      dashboard_id: dashboard,
      deleted: tileDeleted,
    })),
    ...CALCULATED,
    effective_restriction_level: 21,
    effective_privilege_level: 37,
    // The document types this field as a string.
    is_cached: "false",
    ...overrides,
  };
}
