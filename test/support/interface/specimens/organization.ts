import * as fc from "fast-check";
import { exact, text, type Specimen } from "../specimen.ts";

const renamed = text("Beta Corp");
const later: Specimen["fields"] = {
  logo_media_id: exact("0190aa11-2b3c-4d5e-8f60-718293a4b5c6"),
  enforce_verified_domains: exact(true),
  members_can_invite: exact(false),
  members_can_create_projects: exact(false),
  members_can_use_personal_api_keys: exact(false),
  members_can_see_org_members: exact(false),
  allow_publicly_shared_resources: exact(false),
  read_only_mcp_access: exact(true),
  is_ai_data_processing_approved: exact(true),
  is_ai_training_opted_in: exact(false),
  default_experiment_stats_method: exact("frequentist"),
  default_anonymize_ips: exact(true),
  default_role_id: exact("0190aa11-2b3c-4d5e-8f60-718293a4b5c7"),
};

/** A setting for the e-mail about new members is read-only there. */
const current: Specimen["current"] = {
  create: { name: "Beta" },
  fields: {
    name: renamed,
    enforce_2fa: exact(true),
    ...later,
    logo_media_id: { ...exact(null), fixed: "needs an uploaded picture" },
    enforce_verified_domains: { ...exact(null), fixed: "needs a verified domain" },
  },
  edit: { field: "enforce_2fa", value: null },
};

export const organization: Specimen = {
  current,
  scopes: ["service"],
  collection: "organizations",
  created: "organization",
  stored: ["organization"],
  asksToCreate: true,
  fields: { name: renamed, is_member_join_email_enabled: exact(false), enforce_2fa: exact(true) },
  later,
  readOnly: `id slug created_at updated_at membership_level plugins_access_level teams available_product_features
    metadata customer_id member_count`,
  arbitrary: fc.record({
    name: fc.string(),
    enforce_2fa: fc.constantFrom(null, true, false),
    is_member_join_email_enabled: fc.boolean(),
  }),
  key: "beta",
  create: { name: "Beta" },
  edit: { field: "enforce_2fa", value: null },
  required: (name) => ({ name }),
  live: { enforce_2fa: false },
  watched: "enforce_2fa",
};
