import { defineTable, type Id, type Row } from "../store/table.ts";
import { stamp } from "../store/time.ts";
import type { Json, JsonObject } from "../json.ts";
import type { Service } from "../service.ts";
import type { User } from "./user.ts";

/** An entry of an activity list: an action of a user on an object. */
export interface Activity extends Row {
  readonly id: number;
  /** The list of the entry: `insights/` and a project id, or `plugins/` and an organization id. */
  readonly place: string;
  readonly user: User;
  readonly activity: string;
  /** The type of the object, for example `Insight`. */
  readonly scope: string;
  readonly item: Id;
  readonly name: string | null;
  readonly short_id: string | null;
  readonly changes: readonly JsonObject[] | null;
  readonly created_at: string;
  /** Fact 231: the name that the client gives itself. */
  readonly client: string | null;
  readonly team_id: number | null;
  readonly organization_id: string | null;
}

/** The activity entries, by list. */
export const activityTable = defineTable<Activity>((row) => row.place);

/** The fields of a new entry. The others are filled in. */
type ActivityInput = Omit<Activity, "id" | "created_at" | "overrides">;

/** The maximum length of a list. Older entries are dropped. */
const MAX_ENTRIES = 1000;

/** Adds an entry to an activity list. */
export function recordActivity(service: Service, noted: ActivityInput): void {
  const activities = activityTable(service);
  activities.put({ ...noted, id: service.ids.next("activity"), created_at: stamp(service.now()) });
  const [oldest] = activities.within(noted.place);
  if (oldest !== undefined && activities.within(noted.place).length > MAX_ENTRIES) activities.remove(oldest.id);
}

/** Lists the differences between two states of an object, field by field. */
export function changesOf(
  scope: string,
  fields: readonly string[],
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): readonly JsonObject[] {
  return fields.flatMap((field) => {
    const [old, current] = [toJson(before[field]), toJson(after[field])];
    if (JSON.stringify(old) === JSON.stringify(current)) return [];
    const action = old === null ? "created" : current === null ? "deleted" : "changed";
    return [{ type: scope, action, field, before: old, after: current }];
  });
}

function toJson(value: unknown): Json {
  // Rows hold only JSON. Undefined is a field that was never set.
  return value === undefined ? null : (value as Json);
}

/** Fact 231: renders an entry with the fields of today's service. */
export function renderCurrentActivity(row: Activity): JsonObject {
  return {
    id: String(row.id),
    ...renderActivity(row),
    unread: false,
    team_id: row.team_id,
    organization_id: row.organization_id,
    was_impersonated: false,
    is_system: false,
    client: row.client,
    ip_address: null,
  };
}

/** Renders an entry of an activity list. */
export function renderActivity(row: Activity): JsonObject {
  return {
    user: { first_name: row.user.first_name, email: row.user.email },
    activity: row.activity,
    scope: row.scope,
    item_id: String(row.item),
    detail: { changes: row.changes, trigger: null, name: row.name, short_id: row.short_id, type: null },
    created_at: row.created_at,
  };
}
