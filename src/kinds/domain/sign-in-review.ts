/** Whom a domain reaches that begins to say how its people sign in, as far as the plan has read people. */
import { plural } from "../../model/text/plural.ts";
import { visible } from "../../model/text/quote.ts";
import type { Check } from "../check.ts";
import { SHUTTING } from "../entrances.ts";
import { affectedText, isOfDomains, remainingMembers } from "../people/members.ts";

export const enforcedSignIn: Check = {
  ofWholePlan: "plan",
  inspect:
    (plan) =>
    ({ action, work: { scope, live, body } }) => {
      const method = body[SHUTTING];
      const [domain] = live?.keys ?? [];
      if (action !== "update" || typeof method !== "string" || method.trim() === "" || domain === undefined)
        return undefined;
      const { objects: among = [] } = remainingMembers(plan, scope);
      const ofDomain = among.filter((one) => isOfDomains(one, [domain]));
      if (ofDomain.length === 0) return undefined;
      const without = ofDomain.filter(({ person }) => person?.hasSocialSignIn === false);
      const social = affectedText(without, ofDomain, "without social sign-in today");
      const count = `${String(ofDomain.length)} of ${plural(among.length, "person", "people")}`;
      const message = `${count} will sign in with ${visible(method)}, because they have an address of ${visible(domain)}`;
      const hint = `Make sure that they can.${social === undefined ? "" : " The service does not show whether they use a password or SAML today."}`;
      return {
        warnings: [
          {
            code: "sign_in_enforced",
            field: SHUTTING,
            message: social === undefined ? message : `${message}. That includes ${social}`,
            hint,
          },
        ],
      };
    },
};
