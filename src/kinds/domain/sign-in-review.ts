/** Whom a domain reaches that begins to say how its people sign in, as far as the plan has read people. */
import { listKey } from "../../model/live.ts";
import { visible } from "../../model/quote.ts";
import type { Check } from "../check.ts";
import { objectsAfter, SHUTTING } from "../entrances.ts";
import { allMembers, affectedText } from "../people/members.ts";
import { isOfDomain } from "../people/people.ts";

export const enforcedSignIn: Check = {
  ofWholePlan: true,
  look:
    ({ world, changes }) =>
    ({ action, work: { scope, live, body } }) => {
      const method = body[SHUTTING];
      const [domain] = live?.keys ?? [];
      if (action !== "update" || typeof method !== "string" || method.trim() === "" || domain === undefined)
        return undefined;
      const { objects: members = [] } = allMembers(world, scope);
      const ofDomain = members.filter(({ keys: [email = ""] }) => isOfDomain(email, domain));
      const without = ofDomain.filter(({ hasSocialSignIn }) => hasSocialSignIn === false);
      const listed = world.lists.get(listKey(scope, "domain"))?.objects ?? [];
      const domains = objectsAfter(changes, listed, { scope, kind: "domain" });
      const outside = members.filter(({ keys: [email = ""] }) => !domains.some(({ name }) => isOfDomain(email, name)));
      const social = affectedText(without, ofDomain, "have no social sign-in");
      const others = affectedText(outside, members, "outside of the domains");
      return {
        warnings: [
          social === undefined
            ? undefined
            : {
                code: "people_without_social_sign_in",
                message: `${visible(domain)} will make its people sign in with ${visible(method)}, and ${social}`,
                hint: "The service does not show whether they use a password or SAML today. Make sure that they can sign in with the new method.",
              },
          others === undefined
            ? undefined
            : {
                code: "people_outside_domains",
                message: `${SHUTTING} does not reach ${others}`,
                hint: "They sign in as before. Add their domain, or remove them, if that is not meant.",
              },
        ],
      };
    },
};
