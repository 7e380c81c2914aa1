import * as fc from "fast-check";
import { exact, text, type Specimen } from "../specimen.ts";

export const organization: Specimen = {
  scopes: ["service"],
  collection: "organizations",
  created: "organization",
  stored: ["organization"],
  asksToCreate: true,
  fields: { name: text("Beta Corp"), is_member_join_email_enabled: exact(false), enforce_2fa: exact(true) },
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
