import { denied, invalid } from "../http/errors.ts";
import { isObject } from "../json.ts";
import { organizationTable, type Organization } from "../resources/organization/record.ts";
import type { Authenticated } from "../http/call.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** Reports whether the plan of an organization has a feature. Without plan limits every plan has every feature. */
export function hasFeature(service: Service, organization: Organization | undefined, key: string): boolean {
  if (!(service.current ? service.switches.plan_limits : service.planLimits)) return true;
  const features = organization?.available_product_features;
  return Array.isArray(features) && features.some((feature) => isObject(feature) && feature["key"] === key);
}

/**
 * Reports whether the plan of the caller's current organization has a feature. Self-hosted servers judge tags by that plan,
 * also in the projects of other organizations.
 */
export function currentPlanHas({ service, user }: Authenticated, key: string): boolean {
  return hasFeature(service, currentOrganization(service, user), key);
}

function currentOrganization(service: Service, user: User): Organization | undefined {
  return organizationTable(service).get(service.store.current.get(user.id) ?? "");
}

/**
 * Checks that the plan of the caller's current organization allows another organization.
 * @throws ApiError 403
 */
export function checkOrganizationCreate({ service, user }: Authenticated): void {
  const current = currentOrganization(service, user);
  if (current === undefined || hasFeature(service, current, "organizations_projects")) return;
  throw denied("You must upgrade your plan to be able to create and manage multiple organizations.");
}

/** @throws ApiError 400 if the request enables provisioning and the plan does not include it */
export function checkProvisioning(service: Service, owner: Organization, wanted: boolean | undefined): void {
  if (wanted !== true || hasFeature(service, owner, "automatic_provisioning")) return;
  const detail = "Automatic provisioning is not part of the plan.";
  throw invalid("feature_not_available", detail, "jit_provisioning_enabled");
}
