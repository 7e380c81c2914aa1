import { isJsonObject, type Json, type JsonObject } from "../model/json.ts";
import type { Kind } from "./kind.ts";
import { identity, keyOf, objectsOf, reduce, standardTarget, text } from "./standard.ts";

/** The organization itself. Interface: Organizations. */
export const organization: Kind = {
  name: "organization",
  collection: "organizations",
  scopes: ["service"],
  space: "organization",
  identity,
  siblings: [],
  keyFields: ["name"],
  declaredKeys: (values) => keyOf(values["name"]),
  lists: () => ["organizations.list"],
  assemble: (assembly) =>
    objectsOf("organization", assembly, "organizations.list", (row) => ({
      keys: keyOf(row["name"]),
      values: { ...reduce("organization", row, ["membership_level"]), ...teamsOf(row) },
    })),
  create: (_scope, body) => ({ operation: "organizations.create", body }),
  target: (_scope, live) => standardTarget("organizations", live.id),
  foundational: true,
  policies: {},
};

/** `teams` carry project tokens: only what finds a project is kept. Absent where the service gives none. */
function teamsOf(row: JsonObject): JsonObject {
  const teams = row["teams"];
  if (!Array.isArray(teams)) return {};
  return {
    teams: teams.filter(isJsonObject).map((team: JsonObject): Json => ({ id: text(team["id"]) ?? null, name: team["name"] ?? null })),
  };
}
