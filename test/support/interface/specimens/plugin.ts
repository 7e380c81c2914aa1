import type { JsonObject } from "../../../../src/emulator/json.ts";
import { fieldsOf } from "../../organizations.ts";
import { blank, exact, text, type Specimen } from "../specimen.ts";

type PluginKind = "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app";

/** @param capabilities what makes a deployed server show the plugin in its group */
export function plugin(kind: PluginKind, key: string, name: string, capabilities: JsonObject): Specimen {
  return {
    scopes: ["organization"],
    collection: `${kind}s`,
    created: kind,
    // Deployed servers show a plugin in every group that its capabilities name.
    stored: ["pipeline_destination", "pipeline_frontend_app", "pipeline_import_app"],
    fields: {
      name: { ...blank(`${name} 2`), unnoticed: "natural key" },
      plugin_type: { ...exact("custom"), unnoticed: "part of the natural key" },
      description: text("Where things go"),
      icon: text("https://icons.example/Sink.png"),
      config_schema: exact([{ key: "host", required: true }], [{ required: true, key: "host", more: 1 }]),
      tag: text("1.2.3-RC"),
      is_global: { ...exact(true), notDeployed: "a global plugin cannot be deleted" },
      capabilities: {
        ...exact({ jobs: ["run"] }, { methods: [], jobs: ["run"] }),
        notDeployed: "moves it to another group",
      },
      metrics: exact({ sent: "sum" }, { sent: "sum", more: "max" }),
      public_jobs: exact({ run: { payload: {} } }, { more: 1, run: { payload: {}, x: 1 } }),
      // The document lists `url` as read-only; deployed servers take it when the plugin is created (Server facts).
      url: {
        next: "https://a.example/plugin?private_token=x",
        same: ["https://a.example/plugin", "https://a.example/plugin?private_token=y", null, undefined],
        hides: ["trimmed", "without_query_string", "absent_is_unknown"],
        fixed: "immutable: another url is another plugin",
      },
    },
    readOnly: "id latest_tag organization_id organization_name",
    arbitrary: fieldsOf.plugin,
    key,
    create: { name, plugin_type: "source" },
    edit: { field: "description", value: "edited" },
    required: (called) => ({ name: called, plugin_type: "source" }),
    fresh: (called) => ({ name: called, plugin_type: "source", description: "made" }),
    seed: { capabilities },
    live: { description: "old" },
    watched: "description",
  };
}
