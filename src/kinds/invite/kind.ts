import type { JsonObject } from "../../model/json/json.ts";
import type { Kind } from "../kind.ts";
import { refusedAddress } from "../people/invite-review.ts";
import { resentInvite } from "../people/resend.ts";
import { PEOPLE_CHECKS } from "../people/checks.ts";
import { EXPIRED_INVITE, INVITE_HINTS, INVITES, MEMBERS, membersIn, PERSON, quietInvite } from "../people/people.ts";
import { filterKeys } from "../../model/json/object.ts";
import { caselessKey } from "../keys.ts";
import { objectsOf, declarableValues } from "../rows.ts";

/**
 * An invitation to the organization. It cannot be read individually or updated: a change is a replace, which sends another
 * e-mail. Interface: Invites.
 */
export const invite: Kind = {
  name: "invite",
  identity: { ...PERSON, keyFields: ["target_email"], declaredKeys: (values) => caselessKey(values["target_email"]) },
  lists: {
    operations: () => [INVITES, MEMBERS],
    assemble: (assembly) => [
      ...objectsOf("invite", assembly, INVITES, (row) => ({
        keys: caselessKey(row["target_email"]),
        values: declarableValues("invite", withProjects(row)),
        onDifference: "replace",
        ...quietInvite(row),
        about: filterKeys(row, (field) => field === "level"),
        ...(row["is_expired"] === true ? EXPIRED_INVITE : {}),
      })),
      // An accepted invite no longer exists. Its member is a placeholder for it, or the invite would be sent again.
      ...membersIn(assembly.rows).map(({ shown: { id, keys } }) => ({
        kind: "invite" as const,
        scope: assembly.scope,
        id,
        pins: {},
        keys,
        values: {},
        onDifference: "replace" as const,
        state: "placeholder" as const,
        note: "accepted: the address belongs to a member",
      })),
    ],
  },
  writes: {
    onePerKey: true,
    expires: true,
    create: (_scope, body) => ({ operation: "invites.create", body }),
    target: (_scope, { id }) => ({ remove: [{ operation: "invites.delete", path: { id } }] }),
  },
  hints: INVITE_HINTS,
  comparison: {
    policies: {
      "/target_email": ["lower_case"],
      "/message": ["blank_is_null"],
      "/first_name": ["blank_is_null"],
      "/private_project_access": ["blank_is_null"],
    },
  },
  exportRules: { fields: { level: "always" } },
  checks: [...PEOPLE_CHECKS, refusedAddress, resentInvite],
};

/** Some services show an invite to no private project with null, others with an empty list, which is the default. Current service 154. */
function withProjects(row: JsonObject): JsonObject {
  return row["private_project_access"] === null ? { ...row, private_project_access: [] } : row;
}
