import type { KindName } from "../../../src/model/kind-name.ts";

/** What the interface document says about the fields of a kind. */
interface Fields {
  readonly writable: string;
  readonly readOnly: string;
}

// The document lists `url` as read-only; deployed servers take it when the plugin is created (Server facts).
const PLUGIN: Fields = {
  writable: "plugin_type name description icon config_schema tag is_global capabilities metrics public_jobs url",
  readOnly: "id latest_tag organization_id organization_name",
};

export const FIELDS: Readonly<Record<KindName, Fields>> = {
  organization: {
    writable: "name is_member_join_email_enabled enforce_2fa",
    readOnly: `id slug created_at updated_at membership_level plugins_access_level teams available_product_features
      metadata customer_id member_count`,
  },
  domain: {
    writable: "domain jit_provisioning_enabled sso_enforcement saml_entity_id saml_acs_url saml_x509_cert",
    readOnly: "id is_verified verified_at verification_challenge has_saml",
  },
  invite: {
    writable: "target_email first_name level message",
    readOnly: "id emailing_attempt_made is_expired created_by created_at updated_at",
  },
  member: {
    writable: "level",
    readOnly: "id user joined_at updated_at is_2fa_enabled has_social_auth",
  },
  // Not a resource of the interface: put together from invites and members.
  membership: { writable: "level", readOnly: "email" },
  batch_export: {
    writable: "name model destination interval paused last_paused_at start_at end_at hogql_query",
    readOnly: "id team_id created_at last_updated_at latest_runs schema",
  },
  pipeline_destination: PLUGIN,
  pipeline_frontend_app: PLUGIN,
  pipeline_import_app: PLUGIN,
  insight: {
    writable: "name derived_name filters query order deleted dashboards description tags favorited saved",
    readOnly: `id short_id dashboard_tiles last_refresh cache_target_age next_allowed_client_refresh result columns
      created_at created_by updated_at last_modified_at last_modified_by is_sample effective_restriction_level
      effective_privilege_level timezone is_cached query_status`,
  },
};

export const EMBEDDED: Readonly<Record<string, string>> = {
  User: "id uuid distinct_id first_name last_name email is_email_verified hedgehog_config",
  BatchExportRun: `id status records_completed latest_error data_interval_start data_interval_end cursor created_at
    finished_at last_updated_at records_total_count batch_export`,
  DashboardTile: "id dashboard_id deleted",
};

export function names(text: string): string[] {
  return text.split(/\s+/).toSorted();
}
