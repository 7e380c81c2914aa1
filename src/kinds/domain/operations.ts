import { family } from "../operation.ts";

/** Interface: Endpoints, Domains. */
export const operations = family(
  "domains",
  {
    path: "/api/organizations/:organization_id/domains",
    params: { organization_id: "uuid", id: "uuid" },
    resource: "domain",
    source: "Endpoints: Domains",
  },
  {
    list: {
      method: "GET",
      path: "",
      scope: "organization:read",
      success: 200,
      response: "page",
      rows: { domain: "text" },
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
      irreversible: "gives the domain up: it has to be verified anew, with another challenge",
    },
    // Looks up the DNS record again. A verified domain stays verified.
    verify: {
      method: "POST",
      path: "/:id/verify",
      scope: null,
      success: 200,
      response: "object",
      effect: "idempotent",
    },
  },
);
