/** Who is to get more rights, or is invited, and what somebody has to know of them. */
import { groupBy } from "../../model/group-by.ts";
import type { ValueObject } from "../../model/json/json.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import type { Check } from "../check.ts";
import { addressDomain, lookAlikeDomains } from "./look-alikes.ts";
import { declaredDomains, ownDomains } from "./own-domains.ts";
import { ADMIN, isPerson } from "./people.ts";

/** Who is to administer the organization, and needs no second factor to sign in. */
export const promotedWithoutFactor: Check = {
  inspect:
    () =>
    ({ action, work: { live, body } }) =>
      action === "update" && live?.about?.["is_2fa_enabled"] === false && isPromotion(live, body)
        ? { note: "has no second factor" }
        : undefined,
};

/** Who is invited, or is to administer the organization, from elsewhere, as far as the plan has read the domains. */
export const outsider: Check = {
  inspect: ({ graph, world }) => {
    const people = [...world.lists.values()].flatMap(({ objects }) => objects.filter(({ kind }) => isPerson(kind)));
    const usualIn = new Map(
      [...groupBy(people, ({ scope }) => scope)].map(([scope, inScope]) => {
        const emails = new Set(inScope.flatMap(({ keys }) => keys));
        return [scope, lookAlikeDomains([...emails])] as const;
      }),
    );
    return ({ action, work: { scope, live, key, body } }) => {
      // An invite cannot be changed: to raise it is a replace.
      const isRaised = (action === "update" || action === "replace") && live !== undefined && isPromotion(live, body);
      const isNoted = action === "create" || isRaised;
      const email = live?.keys[0] ?? key;
      if (!isNoted || email === null) return undefined;
      const list = world.lists.get(listKey(scope, "domain"));
      const ours = ownDomains(declaredDomains(graph, scope), list?.status === "known" ? list.objects : []);
      const domain = addressDomain(email, { ours, usualOf: usualIn.get(scope) });
      if (domain === null || domain === "own") return undefined;
      return { note: domain === "outside" ? "outside the domains" : domain };
    };
  },
};

/** Whether a body gives more rights than a live person has, those of an admin or an owner. */
function isPromotion({ values: { level } }: LiveObject, { level: after }: ValueObject): boolean {
  return typeof after === "number" && after >= ADMIN && !(typeof level === "number" && level >= after);
}
