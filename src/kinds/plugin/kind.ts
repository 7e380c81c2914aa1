import { type JsonObject, Secret } from "../../model/json/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { LiveObject } from "../../model/live.ts";
import type { OperationName } from "../all-operations.ts";
import type { Assembly, Hints, Kind } from "../kind.ts";
import { naturalKey, asText } from "../keys.ts";
import { objectsOf } from "../rows.ts";
import { scopedIdentity, standardWrites } from "../standard.ts";

/** A URL can be installed once on a service, and no list shows all plugins. */
const hints: Hints = {
  goneHint: "Services of today have data pipelines in the place of plugins. Remove the declaration.",
  errorHint: ({ message }) =>
    /already installed/iu.test(message)
      ? "A URL can be installed only once on the whole service. No list shows the plugin that has it: it belongs to another organization, or the key may not be allowed to see it. Remove it there first."
      : undefined,
};

/** The three kinds of plugins have the same fields, and one space of ids. Interface: Plugin groups. */
function plugin(name: "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app"): Kind {
  const prefix = `${name}s` as const;
  return {
    name,
    identity: { idSpace: "plugin", of: scopedIdentity, keyFields: ["url", "name"], unique: "url", declaredKeys },
    lists: {
      operations: () => [`${prefix}.list`],
      assemble: (assembly) => ownPlugins(name, `${prefix}.list`, assembly),
    },
    writes: standardWrites(prefix),
    hints,
    comparison: {
      setByService: ["capabilities", "metrics", "public_jobs"],
      policies: { "/url": ["absent_is_unknown", "without_query_string"], "/name": ["blank_is_null"] },
    },
  };
}

export const pipelineDestination = plugin("pipeline_destination");
export const pipelineFrontendApp = plugin("pipeline_frontend_app");
export const pipelineImportApp = plugin("pipeline_import_app");

function ownPlugins(kind: KindName, list: OperationName, assembly: Assembly): LiveObject[] {
  const rows = (assembly.rows[list] ?? []).filter((row) => isOwn(row, assembly.path["organization_id"]));
  return objectsOf(kind, { ...assembly, rows: { [list]: rows } }, list, (row) => ({ keys: liveKeys(row) }));
}

/** Whether a plugin belongs to the organization. Lists also show global plugins and those of other organizations. */
function isOwn(row: JsonObject, organizationId: string | undefined): boolean {
  const owner = asText(row["organization_id"]);
  return owner === undefined ? row["is_global"] !== true : owner === organizationId;
}

/**
 * The url, if one is declared, then type and name. A service may drop the url on create. So the name is marked as `without url`,
 * which is a key of only those live plugins that have none.
 */
function declaredKeys(values: Readonly<Record<string, unknown>>): readonly string[] {
  const named = naturalKey(values["name"]).map((name) => namedKey(values["plugin_type"], name));
  const { url: declared } = values;
  const url = naturalKey(declared instanceof Secret ? declared.expression : declared).map(withoutQuery);
  return url.length === 0 ? named : [...url, ...named.map((key) => `without url: ${key}`)];
}

/** The keys by which a live plugin is found, the best one first. */
function liveKeys(row: JsonObject): readonly string[] {
  const url = naturalKey(row["url"]).map(withoutQuery);
  const names = naturalKey(row["name"]).flatMap((name) => [
    ...new Set([namedKey(row["plugin_type"] ?? null, name), name]),
  ]);
  return url.length > 0 ? [...url, ...names] : [...names, ...names.map((key) => `without url: ${key}`)];
}

/** The type and the name. Without a declared type the name alone decides. */
function namedKey(type: unknown, name: string): string {
  return typeof type === "string" && type !== "" ? `${type} ${name}` : name;
}

function withoutQuery(url: string): string {
  return url.split("?")[0] ?? url;
}
