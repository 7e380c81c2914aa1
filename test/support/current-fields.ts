/**
 * Every writable field of today's service, declared once. The facts are written by hand; test/scenario/current-fields.test.ts compares
 * the names with those of the interface, where these are at hand.
 */
import type { JsonObject } from "../../src/emulator/json.ts";

/** One object whose declaration has fields of a family. */
interface Declaration {
  /** The family of the interface. */
  readonly family: string;
  /** Its collection, and its key there. An organization has neither: it is the one around all others. */
  readonly at?: readonly [collection: string, key: string];
  readonly inProject?: true;
  readonly values: JsonObject;
}

const DOMAIN = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";
const FILES = { compression: "zstd", file_format: "Parquet", max_file_size_mb: 100 };
const BUCKET = { bucket_name: "b", region: "eu-central-1", prefix: "e/", ...FILES };
const TABLE = { schema: "public", table_name: "events" };
/** What Redshift needs to copy from a bucket. The last two are numbers of integrations. */
const COPY = { s3_bucket: "b", region_name: "eu-central-1", authorization: 1, bucket_credentials: 1 };

/** The destinations by type: the kind of the integration and the settings. */
const DESTINATIONS: Readonly<Record<string, readonly [integration: string | undefined, config: JsonObject]>> = {
  AwsS3: ["aws-s3", { ...BUCKET, encryption: "aws:kms", kms_key_id: "key-1", exclude_events: ["$pageleave"] }],
  S3Compatible: ["s3-compatible", { ...BUCKET, use_virtual_style_addressing: true, include_events: ["$pageview"] }],
  Snowflake: ["snowflake", { database: "raw", warehouse: "xs", role: "loader", ...TABLE }],
  Postgres: ["postgresql", { database: "raw", has_self_signed_cert: true, ...TABLE }],
  Redshift: [
    "aws-redshift",
    {
      database: "raw",
      host: "rs.acme.com",
      port: 5439,
      properties_data_type: "super",
      mode: "COPY",
      copy_inputs: COPY,
      ...TABLE,
    },
  ],
  BigQuery: ["google-cloud-service-account", { dataset_id: "d", table_id: "events", use_json_type: true }],
  Databricks: [
    "databricks",
    { http_path: "/sql/1", catalog: "main", use_variant_type: true, use_automatic_schema_evolution: false, ...TABLE },
  ],
  AzureBlob: ["azure-blob", { container_name: "c", prefix: "e/", ...FILES }],
  HTTP: [undefined, { url: "https://eu.i.posthog.com/batch/", token: "${secret:TOKEN}" }],
  NoOp: [undefined, { arg: "x" }],
};

const INTEGRATIONS = Object.values(DESTINATIONS).flatMap(([integration]) => integration ?? []);

/** The integrations of the project by number. */
export const INTEGRATION_KINDS: Readonly<Record<number, string>> = Object.fromEntries(
  INTEGRATIONS.map((kind, index) => [index + 1, kind]),
);

/** What the configuration names has to be there first. */
export const LOGO = "0190aa11-2b3c-4d5e-8f60-718293a4b5c7";
export const SEEDED_DOMAIN: JsonObject = {
  id: DOMAIN,
  domain: "example.com",
  is_verified: true,
  verified_at: "2026-01-01T00:00:00Z",
};

const exportsByType: readonly Declaration[] = Object.entries(DESTINATIONS).map(([type, [kind, config]]) => ({
  family: "batch_export",
  inProject: true,
  at: ["batch_exports", type.toLowerCase()],
  values: {
    name: type,
    interval: "day",
    destination: { type, config, ...(kind === undefined ? {} : { integration: INTEGRATIONS.indexOf(kind) + 1 }) },
  },
}));

const IN_INTEGRATION = "a new export needs an integration, which has it";
const SET_BY_SERVICE = "the service sets it by itself";

/** Settings of destinations that are not declared, and why. A type without a key stands for all of its settings. */
export const SETTINGS_NOT_DECLARED: Readonly<Record<string, string>> = {
  Workflows: "no list shows exports of this type",
  FileDownload: "it is made on demand, and exports nothing by a schedule",
  ...Object.fromEntries(
    ["Postgres.user", "Postgres.password", "Postgres.host", "Postgres.port", "Redshift.user", "Redshift.password"].map(
      (setting) => [setting, IN_INTEGRATION],
    ),
  ),
  ...Object.fromEntries(
    ["project_id", "private_key", "private_key_id", "token_uri", "client_email"].map((key) => [
      `BigQuery.${key}`,
      IN_INTEGRATION,
    ]),
  ),
  "AwsS3.legacy_parquet_extension": SET_BY_SERVICE,
  "S3Compatible.legacy_parquet_extension": SET_BY_SERVICE,
  "AzureBlob.legacy_parquet_extension": SET_BY_SERVICE,
};

/** The settings that are declared, as TYPE.KEY. Those of every type are named with none. */
export const DECLARED_SETTINGS: readonly string[] = Object.entries(DESTINATIONS).flatMap(([type, [, config]]) =>
  Object.keys(config).map((key) => (["exclude_events", "include_events"].includes(key) ? key : `${type}.${key}`)),
);

const NOWHERE: JsonObject = { type: "NoOp", config: {} };

/** All of them together converge in one apply. */
export const CURRENT_DECLARATIONS: readonly Declaration[] = [
  {
    family: "organization",
    values: {
      name: "Acme Inc",
      logo_media_id: LOGO,
      enforce_2fa: true,
      enforce_verified_domains: false,
      members_can_invite: false,
      members_can_create_projects: false,
      members_can_use_personal_api_keys: true,
      members_can_see_org_members: false,
      allow_publicly_shared_resources: false,
      read_only_mcp_access: true,
      is_ai_data_processing_approved: true,
      is_ai_training_opted_in: false,
      default_experiment_stats_method: "frequentist",
      default_anonymize_ips: true,
      default_role_id: "0190aa11-2b3c-4d5e-8f60-718293a4b5c8",
    },
  },
  {
    family: "domain",
    at: ["domains", "corp"],
    values: { domain: "example.com", jit_provisioning_enabled: true, sso_enforcement: "saml" },
  },
  {
    family: "identity_provider_config",
    at: ["identity_provider_configs", "okta"],
    values: {
      name: "Okta",
      domain_scope: "selected",
      config_scope: "saml",
      organization_domain_ids: [DOMAIN],
      saml_entity_id: "urn:acme",
      saml_acs_url: "https://idp.acme.com/sso",
      saml_x509_cert: "MIIB",
      scim_enabled: true,
      id_jag_issuer_url: "https://idp.acme.com",
      id_jag_jwks_url: "https://idp.acme.com/keys",
      id_jag_allowed_clients: ["agents"],
    },
  },
  {
    family: "invite",
    at: ["invites", "carol"],
    values: {
      target_email: "carol@acme.com",
      first_name: "Carol",
      level: "admin",
      message: "Welcome",
      private_project_access: [{ id: 2, level: "member" }],
      send_email: false,
      combine_pending_invites: true,
    },
  },
  { family: "member", at: ["members", "bob@acme.com"], values: { level: "admin" } },
  {
    family: "plugin",
    at: ["pipeline_import_apps", "source"],
    values: {
      name: "Source",
      plugin_type: "source",
      description: "Where things come from",
      icon: "https://icons.example/source.png",
      config_schema: [{ key: "host", required: true }],
      tag: "1.2.3",
      is_global: true,
      capabilities: { scheduled_tasks: ["runEveryHour"] },
      metrics: { sent: "sum" },
      public_jobs: { run: { payload: {} } },
      url: "https://plugins.example/source",
    },
  },
  {
    family: "insight",
    inProject: true,
    at: ["insights", "signups"],
    values: {
      name: "Signups",
      derived_name: "Signed up",
      description: "New accounts",
      query: { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "SELECT 1" } },
      order: 3,
      dashboards: [7],
      tags: ["growth"],
      favorited: true,
      saved: false,
      _create_in_folder: "Unfiled/Insights",
    },
  },
  {
    family: "batch_export",
    inProject: true,
    at: ["batch_exports", "weekly"],
    values: {
      name: "Weekly",
      model: "events",
      interval: "week",
      timezone: "Europe/Berlin",
      offset_day: 1,
      offset_hour: 3,
      filters: [{ key: "plan", type: "event", operator: "exact", value: ["pro"] }],
      start_at: "2026-01-01T00:00:00Z",
      end_at: "2027-01-01T00:00:00Z",
      paused: true,
      last_paused_at: "2026-01-02T03:04:05Z",
      destination: NOWHERE,
    },
  },
  {
    family: "batch_export",
    inProject: true,
    at: ["batch_exports", "query"],
    values: {
      name: "Query",
      model: "hogql",
      interval: "hour",
      hogql_query: "SELECT uuid, timestamp FROM events",
      hogql_modifiers: { personsOnEventsMode: "disabled" },
      primary_key: ["uuid"],
      version_key: ["timestamp"],
      incremental_mode: "MERGE",
      destination: NOWHERE,
    },
  },
  ...exportsByType,
];

/** Writable on the service, and not declared as a field, because `lifecycle.state: absent` says it. */
export const NOT_DECLARED: readonly string[] = ["insight.deleted"];
