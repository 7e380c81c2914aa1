import { family } from "../operation.ts";

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
  {
    list: {
      method: "GET",
      path: "",
      scope: "organization:read",
      success: 200,
      response: "page",
      rows: { name: "text" },
    },
    create: { method: "POST", path: "", scope: "organization:write", success: 201, response: "object" },
    get: { method: "GET", path: "/:id", scope: "organization:read", success: 200, response: "object" },
    update: { method: "PATCH", path: "/:id", scope: "organization:write", success: 200, response: "object" },
    delete: {
      method: "DELETE",
      path: "/:id",
      scope: "organization:write",
      success: 204,
      response: "none",
      irreversible: "ends the sign-in through the identity provider, and its SCIM token",
    },
  },
);
