import type { JsonObject } from "../../model/json/json.ts";
import { naturalKey } from "../keys.ts";
import { projectsOf } from "../live-organization.ts";
import { declarableValues, objectsOf } from "../rows.ts";
import { PROTECTION_CHECKS } from "../people/protection.ts";
import { identifiedBy, standardWrites } from "../standard.ts";
import type { Kind } from "../kind.ts";
import { confirmedDelete, explicitCreate } from "./checks.ts";
import { lockOut } from "./lock-out.ts";
import { peopleWithoutTwoFactor, personalKeysStop, subscription } from "./review.ts";

/** The organization itself. Interface: Organizations. */
export const organization: Kind = {
  name: "organization",
  identity: identifiedBy("organization", "name"),
  lists: {
    operations: () => ["organizations.list"],
    assemble: (assembly) =>
      objectsOf("organization", assembly, "organizations.list", (row) => ({
        keys: naturalKey(row["name"]),
        ...(row["is_pending_deletion"] === true ? { state: "leaving" } : {}),
        values: {
          ...declarableValues("organization", row, ["membership_level", "member_count"]),
          ...projectNames(row),
        },
      })),
  },
  writes: standardWrites("organizations"),
  hints: {
    note: (action) =>
      action === "create"
        ? "the service makes it the current organization of the key's user"
        : "the service may leave the key's user without a current organization",
  },
  exportRules: { fields: { enforce_2fa: "always" } },
  checks: [
    explicitCreate,
    confirmedDelete,
    lockOut,
    peopleWithoutTwoFactor,
    personalKeysStop,
    subscription,
    ...PROTECTION_CHECKS,
  ],
};

/** `teams` contain project tokens, so only ids and names are kept. A list that cannot be read is kept as null. */
function projectNames(row: JsonObject): JsonObject {
  if ((row["teams"] ?? null) === null) return {};
  return { teams: projectsOf({ values: row })?.map(({ id, name }) => ({ id, name })) ?? null };
}
