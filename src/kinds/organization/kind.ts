import type { Change } from "../../model/change.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { ListedProject, Review } from "../kind-parts.ts";
import { keyOf, asText } from "../keys.ts";
import { declarableValues, objectsOf } from "../rows.ts";
import { declaredUnder, identifiedBy, standardWrites } from "../standard.ts";
import type { Kind } from "../kind.ts";
import { OWNER } from "../people.ts";
import { subscriptionWarning } from "./deletion-review.ts";
import { verifiedDomainsGate } from "./verified-domains.ts";

/**
 * Looks at the members of an organization that requires two-factor authentication from this plan on: it locks out those who
 * have none. The owners among them are named in a warning.
 */
const twoFactorReview: Review = {
  needs: (change) => (startsToEnforce(change) ? ["member"] : []),
  warnings: (change, objects) => {
    const owners = startsToEnforce(change) ? (objects("member") ?? []).filter(lacksSecondFactor) : [];
    if (owners.length === 0) return [];
    const { address, work } = change;
    const names = owners.map(({ keys }) => keys[0]).join(", ");
    return [
      {
        severity: "warning",
        code: "owners_without_2fa",
        message: `enforce_2fa will keep out owners who have no second factor: ${names}`,
        hint: "Have them set it up first: until they do, they can only sign in to do that.",
        address,
        ...work?.resource?.position,
      },
    ];
  },
};

function startsToEnforce({ action, work }: Change): boolean {
  return action === "update" && work?.body["enforce_2fa"] === true;
}

function lacksSecondFactor({ values }: LiveObject): boolean {
  return values["level"] === OWNER && values["is_2fa_enabled"] === false;
}

/** The organization itself. Interface: Organizations. */
export const organization: Kind = {
  ...declaredUnder("organization"),
  identity: identifiedBy("organization", "name"),
  lists: {
    operations: () => ["organizations.list"],
    assemble: (assembly) =>
      objectsOf("organization", assembly, "organizations.list", (row) => ({
        keys: keyOf(row["name"]),
        ...(row["is_pending_deletion"] === true ? { leaving: true } : {}),
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
  review: {
    ...twoFactorReview,
    warnings: (change, objects, values) => [
      ...twoFactorReview.warnings(change, objects, values),
      ...subscriptionWarning(change, values),
    ],
  },
  gate: verifiedDomainsGate,
  asScope: {
    projects: projectsOf,
    listsProjects: ({ teams }) => teams !== undefined,
    ownLevel: (values) => values["membership_level"],
    // The interface document shows a text.
    isDeployed: (values) => typeof values["member_count"] === "number",
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
