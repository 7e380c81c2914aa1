import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { ListedProject } from "../kind-parts.ts";
import { keyOf, asText } from "../keys.ts";
import { declarableValues, objectsOf } from "../rows.ts";
import { declaredUnder, identifiedBy, standardWrites } from "../standard.ts";
import type { Kind } from "../kind.ts";
import { confirmedDelete, explicitCreate } from "./checks.ts";
import { lockOut } from "./lock-out.ts";
import { peopleWithoutTwoFactor, subscription } from "./review.ts";

/** The organization itself. Interface: Organizations. */
export const organization: Kind = {
  ...declaredUnder("organization"),
  identity: identifiedBy("organization", "name"),
  lists: {
    operations: () => ["organizations.list"],
    assemble: (assembly) =>
      objectsOf("organization", assembly, "organizations.list", (row) => ({
        keys: keyOf(row["name"]),
        ...(row["is_pending_deletion"] === true ? { state: "leaving" } : {}),
        values: {
          ...declarableValues("organization", row, ["membership_level", "member_count"]),
          ...projectNames(row),
        },
      })),
  },
  writes: { ...standardWrites("organizations"), requiresExplicitCreate: true },
  hints: {
    createNote: () => "the service makes it the current organization of the key's user",
    removeNote: "the service may leave the key's user without a current organization",
  },
  exportRules: { nullIsState: ["enforce_2fa"] },
  checks: [explicitCreate, confirmedDelete, lockOut, peopleWithoutTwoFactor, subscription],
  asScope: {
    projects: projectsOf,
    listsProjects: ({ teams }) => teams !== undefined,
    firstProject: "Default project",
  },
};

/** The projects of an organization. Undefined if the service does not list them. */
function projectsOf(values: JsonObject): readonly ListedProject[] | undefined {
  const teams = values["teams"];
  if (!Array.isArray(teams)) return undefined;
  const found = teams.flatMap((team: Json) => {
    const id = isJsonObject(team) ? asText(team["id"]) : undefined;
    return isJsonObject(team) && id !== undefined ? [{ id, name: asText(team["name"]) ?? id }] : [];
  });
  // A project without an id may be any of them.
  return found.length === teams.length ? found : undefined;
}

/** `teams` contain project tokens, so only ids and names are kept. A list that cannot be read is kept as null. */
function projectNames(row: JsonObject): JsonObject {
  if ((row["teams"] ?? null) === null) return {};
  return { teams: projectsOf(row)?.map(({ id, name }) => ({ id, name })) ?? null };
}
