import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { JsonObject } from "../../model/json.ts";
import { visible } from "../../model/quote.ts";

/**
 * Says before a deletion that a subscription prevents it. Current service 124: only the service of today asks, and no answer shows whether
 * there is a subscription.
 */
export function subscriptionWarning(change: Change, organization: JsonObject): readonly Diagnostic[] {
  const { action, address, work } = change;
  if (action !== "delete" || !Object.hasOwn(organization, "enforce_verified_domains")) return [];
  const name = visible(work?.key ?? address);
  return [
    {
      severity: "warning",
      code: "subscription_blocks_delete",
      message: `the service refuses to delete ${name} while it has an active subscription, and does not show whether it has one`,
      hint: "If it has a paid plan, cancel that on the billing page of the service first.",
      address,
      ...work?.resource?.position,
    },
  ];
}
