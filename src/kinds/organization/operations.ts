import { family } from "../operation.ts";

/** Interface: Endpoints, Organizations. */
export const operations = family(
  "organizations",
  { path: "/api/organizations", params: { id: "uuid" }, resource: "organization", source: "Endpoints: Organizations" },
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
      irreversible: "removes the organization with its projects, people and data",
      confirmBy: "organizations.get",
    },
  },
);
