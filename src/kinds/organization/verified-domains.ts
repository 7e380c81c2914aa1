import type { Gate } from "../kind-parts.ts";
import { caselessKey } from "../keys.ts";
import { admits, INVITES, MEMBERS, membersGap, membersIn, OWNER } from "../people/people.ts";

/** An organization that enforces its verified domains locks out all people with other addresses, their keys as well. */
export const verifiedDomainsGate: Gate = {
  closes: ({ action, work }) =>
    (action === "update" || action === "create") && work?.body["enforce_verified_domains"] === true,
  outsiders: {
    operation: MEMBERS,
    query: { outside_verified_domains: true },
    in: (rows) => membersIn({ [MEMBERS]: rows }).map(({ email, row }) => ({ email, isOwner: row["level"] === OWNER })),
    gap: (organization, rows) => {
      const isNameless = membersIn({ [MEMBERS]: rows }).length < rows.length;
      return membersGap(organization) ?? (isNameless ? "not every member has an e-mail address" : undefined);
    },
  },
  invited: {
    operation: INVITES,
    in: (rows) => rows.flatMap((row) => (row["is_expired"] === true ? [] : caselessKey(row["target_email"]))),
  },
  admittedBy: { kind: "domain", admits },
};
