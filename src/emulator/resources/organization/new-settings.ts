import type { CurrentSettings } from "./current-fields.ts";

/** The settings and the states of a new organization. */
export const NEW_SETTINGS: CurrentSettings = {
  logo_media_id: null,
  enforce_verified_domains: null,
  members_can_invite: true,
  members_can_create_projects: true,
  members_can_use_personal_api_keys: true,
  members_can_see_org_members: true,
  allow_publicly_shared_resources: true,
  read_only_mcp_access: false,
  is_ai_data_processing_approved: null,
  is_ai_training_opted_in: null,
  default_experiment_stats_method: "bayesian",
  default_anonymize_ips: false,
  default_role_id: null,
  is_ai_training_locked: false,
  is_ai_training_cta_shown: false,
  is_hipaa: false,
  is_active: true,
  is_not_active_reason: null,
  is_pending_deletion: false,
};
