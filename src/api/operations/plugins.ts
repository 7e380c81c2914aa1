import { family, type Row } from "./operation.ts";

const ROWS = {
  list: { method: "GET", path: "", scope: "plugin:read", success: 200, response: "page" },
  create: { method: "POST", path: "", scope: "plugin:write", success: 201, response: "object" },
  get: { method: "GET", path: "/:id", scope: "plugin:read", success: 200, response: "object" },
  update: { method: "PATCH", path: "/:id", scope: "plugin:write", success: 200, response: "object" },
  delete: { method: "DELETE", path: "/:id", scope: "plugin:write", success: 204, response: "none" },
} as const satisfies Readonly<Record<string, Row>>;

export const pipelineDestinations = plugins("pipeline_destinations");
export const pipelineFrontendApps = plugins("pipeline_frontend_apps");
export const pipelineImportApps = plugins("pipeline_import_apps");

/** Interface: Endpoints, Plugin groups. The groups are the same operations under three prefixes. */
function plugins<G extends string>(group: G) {
  return family(
    group,
    {
      path: `/api/organizations/:organization_id/${group}`,
      params: { organization_id: "uuid", id: "integer" },
      resource: "plugin",
      source: "Endpoints: Plugin groups",
    },
    ROWS,
  );
}
