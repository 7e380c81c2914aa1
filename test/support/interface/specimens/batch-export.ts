import type { Json, JsonObject } from "../../../../src/emulator/json.ts";
import { fieldsOf } from "../../organizations.ts";
import { exact, moment, text, type Field, type Specimen } from "../specimen.ts";

const bucket = (region: string, secret: string): JsonObject => ({
  type: "S3",
  config: { bucket_name: "b", region, prefix: "e/", aws_secret_access_key: secret },
});

const POSTGRES = { host: "a", port: 5432, has_self_signed_cert: false, deep: [{ on: true }] };
const same: readonly Json[] = [
  { config: { port: "5432", host: "a", deep: [{ on: "True" }], has_self_signed_cert: "False" }, type: "Postgres" },
  { type: "Postgres", config: { ...POSTGRES, x: 1 } },
];
const destination: Field = {
  next: bucket("us", "${secret:AWS_NEXT}"),
  value: { type: "Postgres", config: POSTGRES },
  same,
  hides: ["scalars_as_strings"],
  instead: "overlay",
};

const held = (region: string, integration: number): JsonObject => ({
  type: "AwsS3",
  config: { bucket_name: "b", region, prefix: "e/" },
  integration,
});

const renamed = text("Events 2");
const timezone: Field = { ...exact("Europe/Berlin"), hides: ["null_is_default"] };
const offset = (next: number): Field => ({ ...exact(next), hides: ["null_is_default"] });

/** Filters belong to the model events, and offsets to the interval week, so these come first. */
const current: Specimen["current"] = {
  integrations: { 7: "aws-s3", 8: "aws-s3" },
  create: { name: "Events", model: "persons", interval: "hour", destination: held("eu", 7) },
  fields: {
    name: renamed,
    model: { ...exact("events"), instead: "replace" },
    interval: exact("week"),
    start_at: moment("2024-01-01T00:00:00Z"),
    end_at: moment("2025-01-01T00:00:00Z"),
    filters: exact([{ key: "plan", type: "event", value: ["pro"], operator: "exact" }]),
    destination: { next: held("us", 8), instead: "overlay" },
    timezone,
    offset_day: { ...offset(1), beside: ["interval", "offset_hour"] },
    offset_hour: { ...offset(3), beside: ["interval", "offset_day"] },
    paused: { ...exact(true), instead: "transition" },
  },
  edit: { field: "timezone", value: "Europe/Paris" },
};

export const batchExport: Specimen = {
  current,
  scopes: ["organization", "project"],
  collection: "batch_exports",
  created: "batch_export",
  stored: ["batch_export"],
  notDeployedIn: "organization",
  fields: {
    name: renamed,
    model: { ...exact("persons"), hides: ["null_is_default"] },
    interval: exact("day"),
    paused: { ...exact(true), instead: "transition", unnoticed: "moved by operations without a body" },
    last_paused_at: moment("2024-01-02T03:04:05Z"),
    start_at: moment("2024-01-01T00:00:00Z"),
    end_at: moment("2025-01-01T00:00:00Z"),
    filters: exact([{ key: "plan", type: "event", value: ["pro"], operator: "exact" }]),
    hogql_query: {
      next: "select 1",
      same: [undefined],
      sealed: true,
      unnoticed: "never shown",
      notDeployed: "write-only: it is sent on create and with --rotate",
    },
    destination,
  },
  later: {
    hogql_modifiers: exact({ personsOnEventsMode: "disabled" }),
    primary_key: exact(["uuid"]),
    version_key: exact(["timestamp"]),
    incremental_mode: exact("MERGE"),
    timezone,
    offset_day: offset(1),
    offset_hour: offset(3),
  },
  readOnly: "id team_id created_at last_updated_at latest_runs schema",
  arbitrary: fieldsOf.batch_export,
  key: "events",
  create: { name: "Events", interval: "hour", destination: bucket("eu", "${secret:AWS}") },
  second: { key: "persons", name: "Persons" },
  edit: { field: "interval", value: "week" },
  required: (name) => ({ name, interval: "hour", destination: { type: "NoOp", config: {} } }),
  watched: "interval",
};
