/** Why each safety rule blocks a change. What to do about it stands where the check is. */
import type { Blocked } from "./change.ts";
import { sanitize } from "./quote.ts";

const RULES: Readonly<Record<Blocked["rule"], string>> = {
  protect: "lifecycle.protect forbids deleting or replacing it",
  prune: "undeclared objects are deleted only on request",
  delegated: "an invite of an admin may delegate the set-up, so it is not pruned",
  delete_limit: "removing this much needs approval",
  confirm_organization: "an organization is deleted only if its name is confirmed",
  organization_create: "an organization is created only on request, because a mistyped name would create a new one",
  forgotten_rename:
    "an undeclared object has the same values in all fields but its name, so this looks like a rename (defaults, secrets and fields that the service sets were not compared)",
  last_owner: "the organization would lose its last owner",
  lock_out: "it would lock people out of the organization",
  own_user: "no access is taken from a user who owns the API key, or may own it",
  replace_loses:
    "the replacement would lack values that cannot be carried over: the service never shows them, or driftline does not know them",
  destroys_more: "more than the object itself may be lost for good",
  replacement_exists: "another object, which nothing declares, has the name of the replacement",
  pin_missing: "the object that it is pinned to does not exist, and a new one would have another id",
  pinned_elsewhere: "the object that it is pinned to is in another scope, and cannot move",
  not_there: "objects of its kind are never created, so apply cannot bring it back",
  incomplete: "the declared fields and the live values are not enough to create the replacement",
  verification_required: "the service refuses this change until the object is verified",
  edited_as_query: "it was edited as a query, or the service shows it as one",
  query_required: "this service takes no filters, and needs a query",
  service_refuses: "the service would refuse this",
  expired: "it has expired, and is replaced only on request",
  resend: "an open invite is replaced only on request: the link in the earlier e-mail would no longer work",
  parent: "its organization or project does not exist",
};

/** Why a rule blocks a change, with the numbers that it counts. Sanitized. */
export function ruleText({ rule, detail }: Pick<Blocked, "rule" | "detail">): string {
  const reason = RULES[rule];
  return detail === undefined ? reason : `${reason} (${sanitize(detail)})`;
}
