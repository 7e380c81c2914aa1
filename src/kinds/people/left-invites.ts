/** Invites that a plan leaves alone: one that may delegate the set-up, and one that has expired. */
import type { ChangeWithWork } from "../../model/change.ts";
import type { Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import { mayBeDelegated } from "./people.ts";

/** An undeclared invite of an admin stays. */
export const keptInvite: Check = {
  rule: "delegated",
  inspect:
    ({ world }) =>
    ({ work: { live, resource, scope } }) => {
      if (resource !== undefined || live === undefined) return undefined;
      const lift = mayBeDelegated(live, organizationAt(world, scope) ?? {});
      return lift === undefined ? undefined : { blocked: { lift } };
    },
};

export const leftExpired: Check = {
  inspect: () => (change) =>
    isLeftExpired(change) ? { warnings: [{ code: "invite_expired", message: change.reason }] } : undefined,
};

/** Whether a change leaves an expired invite alone. */
function isLeftExpired({ action, work: { live, resource } }: ChangeWithWork): boolean {
  return action === "no_op" && live?.state === "expired" && resource?.lifecycle.forget !== true;
}

/**
 * A plan shows an expired invite as a replace that is blocked: the person is not where the configuration says. A declared invite still
 * exists when it has expired.
 */
export const expiredInvite: Check = {
  rule: "expired",
  ofWholePlan: true,
  inspect: () => (change) =>
    isLeftExpired(change)
      ? { action: "replace", blocked: { lift: "declare lifecycle.renew: true, which sends a new invite" } }
      : undefined,
};
