/** The type of a setting, in the words of the service. */
export type SettingType = "str" | "int" | "bool" | "dict";

import { own } from "../../json.ts";
/** The integration that a destination takes its credentials from. */
export interface IntegrationRule {
  readonly kind: string;
  /** What the answer says about an integration of another kind. */
  readonly wrong: (kind: string) => string;
  /** Fact 174: what a change of the destination without `integration` does. */
  readonly omitted: "keeps" | "refused" | "refused_if_stored";
  /** Fact 174: whether an export without an integration may stay without one. */
  readonly optional: boolean;
}

/** A type of destinations. */
export interface DestinationRule {
  /** The needed settings. A create without one of them is refused. */
  readonly required: Readonly<Record<string, SettingType>>;
  readonly optional: Readonly<Record<string, SettingType>>;
  /** Fact 183: settings that are never shown, at any depth. */
  readonly secret: readonly string[];
  /** Undefined: the type needs no integration. */
  readonly integration?: IntegrationRule;
  /** Fact 180: whether the service adds `legacy_parquet_extension` to the settings. */
  readonly namesParquet?: boolean;
  /** Whether only some teams have the type. */
  readonly flagged?: boolean;
}

const FILES = {
  compression: "str",
  file_format: "str",
  max_file_size_mb: "int",
  legacy_parquet_extension: "bool",
} as const;
const BUCKET = { bucket_name: "str", region: "str", prefix: "str" } as const;
const AWS_KEYS = ["aws_access_key_id", "aws_secret_access_key"];
const LOGIN = { user: "str", password: "str" } as const;

function needs(kind: string, name: string, omitted: IntegrationRule["omitted"], optional = false): IntegrationRule {
  return { kind, wrong: () => `Integration is not ${name} integration.`, omitted, optional };
}

/** Fact 173: the two types of buckets name the kind that they got. */
function bucketNeeds(kind: string, name: string): IntegrationRule {
  const wrong = (got: string): string => `Integration provided is not an ${name} integration (got kind='${got}')`;
  return { kind, wrong, omitted: "keeps", optional: false };
}

/** Facts 170, 171, 173, 174, 176, 177 and 183: the twelve types. Settings in no list are unknown to the service. */
export const CURRENT_TYPES: Readonly<Record<string, DestinationRule>> = {
  AwsS3: {
    required: BUCKET,
    optional: { ...FILES, encryption: "str", kms_key_id: "str" },
    secret: AWS_KEYS,
    integration: bucketNeeds("aws-s3", "AWS S3"),
    namesParquet: true,
  },
  S3Compatible: {
    required: BUCKET,
    optional: { ...FILES, use_virtual_style_addressing: "bool" },
    secret: AWS_KEYS,
    integration: bucketNeeds("s3-compatible", "S3-compatible"),
    namesParquet: true,
  },
  Snowflake: {
    required: { database: "str", warehouse: "str", schema: "str" },
    optional: { table_name: "str", role: "str" },
    secret: ["user", "password", "private_key", "private_key_passphrase"],
    integration: needs("snowflake", "a Snowflake", "keeps"),
  },
  Postgres: {
    required: { database: "str" },
    optional: { schema: "str", table_name: "str", has_self_signed_cert: "bool", ...LOGIN, host: "str", port: "int" },
    secret: ["user", "password"],
    integration: needs("postgresql", "a PostgreSQL", "keeps", true),
  },
  Redshift: {
    required: { database: "str" },
    optional: {
      host: "str",
      schema: "str",
      table_name: "str",
      port: "int",
      properties_data_type: "str",
      mode: "str",
      copy_inputs: "dict",
      ...LOGIN,
    },
    secret: ["user", "password", ...AWS_KEYS],
    integration: needs("aws-redshift", "a Redshift", "refused_if_stored", true),
  },
  BigQuery: {
    required: { dataset_id: "str" },
    optional: {
      table_id: "str",
      use_json_type: "bool",
      project_id: "str",
      private_key: "str",
      private_key_id: "str",
      token_uri: "str",
      client_email: "str",
    },
    secret: ["private_key", "private_key_id", "client_email", "token_uri"],
    integration: needs("google-cloud-service-account", "a Google Cloud service account", "refused"),
  },
  Databricks: {
    required: { http_path: "str", catalog: "str", schema: "str", table_name: "str" },
    optional: { use_variant_type: "bool", use_automatic_schema_evolution: "bool" },
    secret: [],
    integration: needs("databricks", "a Databricks", "refused"),
  },
  AzureBlob: {
    required: { container_name: "str" },
    optional: { ...FILES, prefix: "str" },
    secret: [],
    integration: needs("azure-blob", "an Azure Blob", "refused"),
    namesParquet: true,
  },
  HTTP: { required: { url: "str", token: "str" }, optional: {}, secret: ["token"] },
  NoOp: { required: {}, optional: { arg: "str" }, secret: [] },
  Workflows: { required: { hog_function_id: "str" }, optional: {}, secret: [], flagged: true },
  FileDownload: {
    required: {},
    optional: { file_format: "str", max_file_size_mb: "int", compression: "str", expires_in_seconds: "int" },
    secret: [],
  },
};

/** Fact 175: names that every type tolerates, beside its own settings. */
export const TOLERATED: ReadonlySet<string> = new Set([
  "exclude_events",
  "include_events",
  "interval",
  "timezone",
  "team_id",
  "batch_export_id",
  "data_interval_end",
  "is_backfill",
  "is_earliest_backfill",
  "backfill_details",
  "batch_export_model",
  "batch_export_schema",
  "integration_id",
]);

/** The settings that a type declares, with their types. */
export function declaredSettings(type: string): Readonly<Record<string, SettingType>> {
  const rule = own(CURRENT_TYPES, type);
  return rule === undefined ? {} : { ...rule.required, ...rule.optional };
}
