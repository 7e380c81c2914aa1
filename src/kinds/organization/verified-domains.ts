import type { JsonObject } from "../../model/json.ts";
import type { Gate } from "../kind-parts.ts";
import { ADMIN, isOfDomain, MEMBERS, membersIn, OWNER } from "../people.ts";

/** An organization that enforces its verified domains locks out all people with other addresses, their keys as well. */
export const verifiedDomainsGate: Gate = {
  closes: ({ action, work }) =>
    (action === "update" || action === "create") && work?.body["enforce_verified_domains"] === true,
  outside: { operation: MEMBERS, query: { outside_verified_domains: true } },
  gap: (organization, rows) => {
    if (seesPart(organization)) return "the API key sees only a part of the members";
    return membersIn({ [MEMBERS]: rows }).length < rows.length ? "not every member has an e-mail address" : undefined;
  },
  people: (rows) =>
    membersIn({ [MEMBERS]: rows }).map(({ email, row }) => ({ email, isOwner: row["level"] === OWNER })),
  key: "domain",
  admits: ({ values, keys: [name] }, email) =>
    values["is_verified"] === true && name !== undefined && isOfDomain(email, name),
};

/** Whether the organization shows plain members only a part of the people, and the key's user is one. */
function seesPart({ members_can_see_org_members: seesAll, membership_level: level }: JsonObject): boolean {
  return seesAll === false && !(typeof level === "number" && level >= ADMIN);
}
