import { family, type Operation } from "./operation.ts";

const FORMAT: Operation["query"] = { format: "string" };

/**
 * Interface: Endpoints, Insights. `:id` is no more than a string there: deployed servers take the integer, newer ones the
 * short id as well.
 */
export const insights = family(
  "insights",
  {
    path: "/api/projects/:project_id/insights",
    params: { project_id: "string", id: "string" },
    resource: "insight",
    source: "Endpoints: Insights",
    budget: "insights",
  },
  {
    list: {
      method: "GET",
      path: "",
      scope: "insight:read",
      success: 200,
      response: "page",
      query: { ...FORMAT, created_by: "integer", short_id: "string", order: "string", basic: "boolean" },
      // Deployed servers lose and repeat rows between pages in the default order; `basic` leaves out computed results.
      listQuery: { order: "id", basic: true },
    },
    create: { method: "POST", path: "", scope: "insight:write", success: 201, response: "object", query: FORMAT },
    get: {
      method: "GET",
      path: "/:id",
      scope: "insight:read",
      success: 200,
      response: "object",
      query: { ...FORMAT, from_dashboard: "integer", refresh: "boolean" },
    },
    update: { method: "PATCH", path: "/:id", scope: "insight:write", success: 200, response: "object", query: FORMAT },
  },
);
