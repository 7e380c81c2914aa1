import type { JsonObject } from "../../model/json.ts";
import type { Kind } from "../kind.ts";
import { scopedIdentity, keyOf, objectsOf, declaredUnder, standardTarget, text } from "../helpers.ts";

const GROUPS = ["pipeline_destination", "pipeline_frontend_app", "pipeline_import_app"] as const;

/** One of the three groups of plugins. They have the same fields and share ids. Interface: Plugin groups. */
function pluginKind(name: (typeof GROUPS)[number]): Kind {
  const family = `${name}s` as const;
  return {
    ...declaredUnder(name),
    idSpace: "plugin",
    identity: scopedIdentity,
    siblings: GROUPS.filter((group) => group !== name),
    keyFields: ["url", "name"],
    declaredKeys,
    lists: () => [`${family}.list`],
    assemble: (assembly) => {
      const list = `${family}.list`;
      const own = (assembly.rows[list] ?? []).filter((row) => isOwn(row, assembly.path["organization_id"]));
      return objectsOf(name, { ...assembly, rows: { [list]: own } }, list, (row) => ({ keys: liveKeys(row) }));
    },
    create: (_scope, body) => ({ operation: `${family}.create`, body }),
    target: (_scope, { id }) => standardTarget(family, id),
    setByService: ["capabilities", "metrics", "public_jobs"],
    policies: { "/url": ["absent_is_unknown", "without_query_string"], "/name": ["blank_is_null"] },
  };
}

export const pipelineDestination = pluginKind("pipeline_destination");
export const pipelineFrontendApp = pluginKind("pipeline_frontend_app");
export const pipelineImportApp = pluginKind("pipeline_import_app");

/** Whether a plugin belongs to the organization. Lists also show global plugins and those of other organizations. */
function isOwn(row: JsonObject, organizationId: string | undefined): boolean {
  const owner = text(row["organization_id"]);
  return owner === undefined ? row["is_global"] !== true : owner === organizationId;
}

/** The url if one is declared. A service may drop it on create, so type and name find the plugin as well. */
function declaredKeys(values: Readonly<Record<string, unknown>>): readonly string[] {
  const named = keyOf(values["name"]).map((name) => namedKey(values["plugin_type"], name));
  const url = keyOf(values["url"]).map(withoutQuery);
  return url.length === 0 ? named : [...url, ...named.map((key) => `without url: ${key}`)];
}

function liveKeys(row: JsonObject): readonly string[] {
  const url = keyOf(row["url"]).map(withoutQuery);
  const names = keyOf(row["name"]).flatMap((name) => [...new Set([namedKey(row["plugin_type"] ?? null, name), name])]);
  return url.length > 0 ? [...url, ...names] : [...names, ...names.map((key) => `without url: ${key}`)];
}

/** The type and the name. Without a declared type the name alone decides. */
function namedKey(type: unknown, name: string): string {
  return typeof type === "string" && type !== "" ? `${type} ${name}` : name;
}

function withoutQuery(url: string): string {
  return url.split("?")[0] ?? url;
}
