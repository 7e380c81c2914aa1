import { family } from "../operation.ts";

/** Interface: Endpoints, Feature flags. */
export const operations = family(
  "feature_flags",
  {
    path: "/api/projects/:project_id/feature_flags",
    params: { project_id: "string", id: "integer" },
    resource: "feature_flag",
    source: "Endpoints: Feature flags",
  },
  {
    list: { method: "GET", path: "", permission: "feature_flag:read", response: "page", rows: { key: "text" } },
    create: { method: "POST", path: "", permission: "feature_flag:write", success: 201 },
    get: { method: "GET", path: "/:id", permission: "feature_flag:read" },
    update: { method: "PATCH", path: "/:id", permission: "feature_flag:write" },
    delete: {
      method: "DELETE",
      path: "/:id",
      permission: "feature_flag:write",
      success: 405,
      response: "none",
      instead: "Flags are never deleted for good. Send feature_flags.update with deleted=true.",
    },
  },
);
