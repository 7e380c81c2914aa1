import { defineTable, type Row } from "../../store/table.ts";
import { organizationTable } from "../organization/record.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Service } from "../../service.ts";

/** The three resources that are plugins. */
export type PluginName = "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app";

/** The names of the three groups in paths and seeds. */
export type PluginGroup = `${PluginName}s`;

/** A plugin. `group` is the group that it was created in. Deployed servers derive the group from `capabilities`. */
export interface Plugin extends Row {
  readonly id: number;
  readonly group: PluginGroup;
  readonly plugin_type: string | null;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly icon: string | null;
  readonly config_schema: Json;
  readonly tag: string | null;
  readonly latest_tag: string | null;
  readonly is_global: boolean;
  readonly organization_id: string;
  readonly capabilities: Json;
  readonly metrics: Json;
  readonly public_jobs: Json;
  /** The source files of a plugin without a URL, by name. Only `source` shows them. */
  readonly source_files: JsonObject;
}

/** The plugins of all three groups, by organization. */
export const pluginTable = defineTable<Plugin>((row) => row.organization_id);

/** Returns a plugin with default values, without storing it. */
export function blankPlugin(group: PluginGroup): Plugin {
  return {
    id: 0,
    group,
    plugin_type: null,
    name: null,
    description: null,
    url: null,
    icon: null,
    config_schema: {},
    tag: null,
    latest_tag: null,
    is_global: false,
    organization_id: "",
    capabilities: {},
    metrics: {},
    public_jobs: {},
    source_files: {},
  };
}

/** Adds a plugin to an organization. All groups share one sequence of ids. */
export function makePlugin(
  service: Service,
  organizationId: string,
  group: PluginGroup,
  values: Partial<Plugin>,
): Plugin {
  const id = values.id ?? service.ids.next("plugin");
  service.ids.reserve("plugin", id);
  return pluginTable(service).put({ ...blankPlugin(group), ...values, id, group, organization_id: organizationId });
}

/** Renders a plugin like the service. */
export function renderPlugin(service: Service, row: Plugin): object {
  const { group: _group, source_files: _files, overrides, ...fields } = row;
  return {
    ...fields,
    // The URL may contain the token of a private repository, which is never shown.
    url: row.url === null ? null : row.url.replace(/\?private_token=.*$/, ""),
    organization_name: organizationTable(service).get(row.organization_id)?.name ?? null,
    ...(service.isRealServer ? { hog_function_migration_available: false } : {}),
    ...overrides,
  };
}
