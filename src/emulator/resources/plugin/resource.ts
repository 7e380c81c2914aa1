import { defineResource } from "../../resource.ts";
import { makePlugin, pluginTable, type PluginName } from "./record.ts";
import { numberId, organizationOf } from "../scope.ts";
import { pluginActionRoutes } from "./actions.ts";
import { pluginRoutes } from "./routes.ts";

/** Defines a plugin group. The three groups differ only in their names and share one table. */
// oxlint-disable-next-line typescript/explicit-function-return-type -- types are derived from its literals
function definePlugins<const Name extends PluginName>(name: Name) {
  const group = `${name}s` as const;
  return defineResource({
    name,
    table: pluginTable,
    owns: (row) => "group" in row && row.group === group,
    livesIn: "organization",
    // 203: a switch takes them away.
    routes: [...pluginActionRoutes(group), ...pluginRoutes(group)].map((route) => ({
      ...route,
      goneBy: "plugins_gone" as const,
    })),
    controlled: true,
    insert: (service, scope, values) => makePlugin(service, organizationOf(service, scope), group, numberId(values)),
    seed: { list: group, within: ["organization"], needed: [] },
  });
}

/** The plugins that send events somewhere. */
export const pipelineDestination = definePlugins("pipeline_destination");
/** The plugins that run in browsers. */
export const pipelineFrontendApp = definePlugins("pipeline_frontend_app");
/** The plugins that bring events in. */
export const pipelineImportApp = definePlugins("pipeline_import_app");
