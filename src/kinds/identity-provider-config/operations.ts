import { family, standardRows } from "../operation.ts";

/** Services have them since June 2026. The interface document lacks them. */
export const operations = family(
  "identity_provider_configs",
  {
    path: "/api/organizations/:organization_id/identity_provider_configs",
    params: { organization_id: "uuid", id: "uuid" },
    resource: "identity_provider_config",
    source: "today's service",
    document: false,
  },
  standardRows("organization", {
    rows: { name: "text" },
    irreversible: "ends the sign-in through the identity provider, and its SCIM token",
  }),
);
