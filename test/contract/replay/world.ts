/**
 * The state of the recorded server before its first exchange, as far as its answers show it:
 * what a read shows and no recorded request made was there from the start.
 */
import { isObject, type JsonObject } from "../../../src/emulator/json.ts";
import { isDone, partsOf, rowsOf, type Exchange } from "./recording.ts";
import type { EmulatorOptions, KeyOption, SeedMember, SeedOrganization } from "../../../src/emulator/index.ts";

const ORGANIZATION = ["id", "name", "slug", "created_at", "updated_at", "plugins_access_level"];
const PLUGIN_GROUPS = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"] as const;
const INSIGHT = [
  "id",
  "short_id",
  "name",
  "description",
  "filters",
  "query",
  "dashboards",
  "created_by",
  "last_modified_by",
  "is_sample",
];
const PLUGIN = [
  "id",
  "plugin_type",
  "name",
  "description",
  "url",
  "icon",
  "config_schema",
  "tag",
  "latest_tag",
  "capabilities",
];

/** Returns the options of an emulator with the initial state of the recorded server. */
export function worldBefore(exchanges: readonly Exchange[]): EmulatorOptions {
  const [organization = {}] = found(exchanges, "organizations");
  const projects = rowsOf(organization["teams"] ?? []);
  const insights = found(exchanges, "insights");
  const members = found(exchanges, "members");
  const home: SeedOrganization = {
    ...picked(organization, [...ORGANIZATION, "available_product_features"]),
    name: String(organization["name"]),
    projects: projects.map((team) => ({
      id: Number(team["id"]),
      name: String(team["name"]),
      dashboards: [...new Set(insights.flatMap((row) => (Array.isArray(row["dashboards"]) ? row["dashboards"] : [])))],
      insights: insights.map((row) => picked(row, INSIGHT)),
    })),
    members: members.map(memberOf),
  };
  const plugins = PLUGIN_GROUPS.map((group) => [group, found(exchanges, group).map((row) => picked(row, PLUGIN))]);
  const owner = members.find((row) => row["level"] === 15) ?? {};
  const plain = members.find((row) => row["level"] !== 15) ?? {};
  return {
    dialect: "deployed",
    planLimits: true,
    owner: emailOf(owner),
    keys: keysOf(exchanges, emailOf(owner), emailOf(plain)),
    seed: { organizations: [{ ...home, ...Object.fromEntries(plugins) }, ...foreign(exchanges, projects)] },
  };
}

/** Lists the objects of a family that were read but never created, in the order of their first appearance. */
function found(exchanges: readonly Exchange[], family: string): readonly JsonObject[] {
  const made = new Set<unknown>();
  // The groups of plugins are views of the same plugins.
  const kin = (other: string): boolean =>
    other === family || (other.startsWith("pipeline") && family.startsWith("pipeline"));
  const seen = new Map<unknown, JsonObject>();
  for (const exchange of exchanges) {
    const { family: own } = partsOf(exchange.path);
    if (!kin(own) || !isObject(exchange.response)) continue;
    const rows = rowsOf(exchange.response);
    for (const row of rows.length > 0 ? rows : [exchange.response]) {
      if (exchange.method === "POST" && isDone(exchange)) made.add(row["id"]);
      if (own === family && row["id"] !== undefined && !made.has(row["id"]) && !seen.has(row["id"]))
        seen.set(row["id"], row);
    }
  }
  return [...seen.values()];
}

function picked(row: JsonObject, fields: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(row).filter(([field]) => fields.includes(field)));
}

function memberOf(row: JsonObject): SeedMember {
  const user = isObject(row["user"]) ? picked(row["user"], ["uuid", "distinct_id", "first_name", "last_name"]) : {};
  const { id, level, joined_at } = row;
  return { ...user, id: String(id), level: Number(level), joined_at: String(joined_at), email: emailOf(row) };
}

function emailOf({ user = {} }: JsonObject): string {
  return isObject(user) ? String(user["email"]) : "";
}

/** The scopes of a key are in its name, because the recording has no other data about it. Invalid keys are unknown. */
function keysOf(exchanges: readonly Exchange[], owner: string, plain: string): readonly KeyOption[] {
  const names = new Set(exchanges.flatMap(({ key }) => (key === null || key.endsWith("wrong") ? [] : [key])));
  return [...names].map((key) => {
    const user = key.endsWith("member") ? plain : owner;
    if (key.endsWith("legacy")) return { key, user };
    const narrow = key.endsWith("read") || key.includes("none");
    return { key, user, scopes: [narrow ? "organization:read" : "*"] };
  });
}

/** Organizations and projects that exist but are refused, because they belong to another user. */
function foreign(exchanges: readonly Exchange[], own: readonly JsonObject[]): readonly SeedOrganization[] {
  const refused = exchanges.filter(({ status, response }) => {
    const detail = isObject(response) ? String(response["detail"]) : "";
    return status === 403 && /permission to perform|access to the project/.test(detail);
  });
  const idAfter = (folder: string): readonly string[] => [
    ...new Set(refused.flatMap(({ path }) => new RegExp(`^/api/${folder}/([^/]+)/`).exec(path)?.[1] ?? [])),
  ];
  const projects = idAfter("projects").filter((id) => !own.some((team) => String(team["id"]) === id));
  const [first, ...others] = idAfter("organizations").map((id) => ({ id, name: `Foreign ${id}`, foreign: true }));
  if (first === undefined) return [];
  return [{ ...first, projects: projects.map((id) => ({ id: Number(id), name: `Foreign ${id}` })) }, ...others];
}
