import { family, type OperationRow, standardRows } from "../operation.ts";

/** The rows of all groups. For one group the document only names those from `check_for_updates` on. */
const ROWS = {
  ...standardRows("plugin", {
    rows: { name: "text or null", url: "text, null or nothing" },
    irreversible: "removes the plugin with its source and settings",
  }),
  // Deployed servers store the latest version that they find. No declared field changes.
  check_for_updates: { method: "GET", path: "/:id/check_for_updates", permission: null },
  source: { method: "GET", path: "/:id/source", permission: null },
  update_source: {
    method: "PATCH",
    path: "/:id/update_source",
    permission: null,
    irreversible: "overwrites the source, and keeps no copy of it",
  },
  // Installs the latest version. Sending it again installs the latest version again.
  upgrade: {
    method: "POST",
    path: "/:id/upgrade",
    permission: null,
    effect: "idempotent",
    irreversible: "replaces the version in use, with no way back",
  },
  list_activity: { method: "GET", path: "/activity", permission: null },
  exports_unsubscribe_configs: { method: "GET", path: "/exports_unsubscribe_configs", permission: null },
  repository: { method: "GET", path: "/repository", permission: null },
  unused: { method: "GET", path: "/unused", permission: null },
} as const satisfies Readonly<Record<string, OperationRow>>;

const PLUGINS = {
  params: { organization_id: "uuid", id: "integer" },
  resource: "plugin",
  source: "Endpoints: Plugin groups",
} as const;

/** Interface: Endpoints, Plugin groups. The groups are the same operations under three prefixes. */
export const operations = {
  ...family(
    "pipeline_destinations",
    { ...PLUGINS, path: "/api/organizations/:organization_id/pipeline_destinations" },
    ROWS,
  ),
  ...family(
    "pipeline_frontend_apps",
    { ...PLUGINS, path: "/api/organizations/:organization_id/pipeline_frontend_apps" },
    ROWS,
  ),
  ...family(
    "pipeline_import_apps",
    { ...PLUGINS, path: "/api/organizations/:organization_id/pipeline_import_apps", named: Object.keys(ROWS).slice(5) },
    ROWS,
  ),
};
