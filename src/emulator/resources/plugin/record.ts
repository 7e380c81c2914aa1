import { defineTable } from "../../store/table.ts";
import { organizationTable } from "../organization/record.ts";
import type { Json, JsonObject } from "../../json.ts";
import type { Row } from "../../store/table.ts";
import type { Service } from "../../service.ts";

/** The resources that are plugins: what one object of each of the three groups is called. */
export type PluginName = "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app";

/** One of the three groups that plugins are offered in. */
export type PluginGroup = `${PluginName}s`;

/** A plugin. `group` is where it was created; deployed servers derive the group from `capabilities` instead. */
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
  /** The code of a plugin that carries its own, by file name; shown by `source` only. */
  readonly source_files: JsonObject;
}

/** The plugins of all three groups, by organization. */
export const pluginTable = defineTable<Plugin>((row) => row.organization_id);

/** A plugin that nobody made. */
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

/** Adds a plugin to an organization. All groups count in one sequence of ids. */
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

/** A plugin as the service shows it. */
export function renderPlugin(service: Service, row: Plugin): object {
  const { group: _group, source_files: _files, overrides, ...fields } = row;
  return {
    ...fields,
    // A private repository's token is part of the URL and never shown.
    url: row.url === null ? null : row.url.replace(/\?private_token=.*$/, ""),
    organization_name: organizationTable(service).get(row.organization_id)?.name ?? null,
    ...(service.deployed ? { hog_function_migration_available: false } : {}),
    ...overrides,
  };
}
