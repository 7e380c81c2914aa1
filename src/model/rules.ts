/** The rules of the guard: why each blocks a change, and what lifts it. What to do about it stands where the check is. */
import { own } from "./json/json.ts";
import { sanitize } from "./text/quote.ts";

/**
 * What a change needs that a rule blocks.
 * - `repair`: no apply of this plan can make the change, so something has to be put right before.
 * - `decision`: the change waits for a decision that is no mistake, and another plan shows it.
 * - `approval`, `loss` and `name`: an apply of the same plan makes the change if its hash is approved, if the change may lose something
 *   for good, or if the name of the organization is confirmed.
 */
export type Need = "repair" | "decision" | "approval" | "loss" | "name";

interface Rule {
  readonly reason: string;
  readonly needs: Need;
}

/**
 * In the order in which a user decides: whether the object is there, what is not wanted, which object it is, people, what is lost, what
 * the service would refuse. The first rule that blocks a change is named.
 */
export const RULES = {
  pin_missing: {
    reason: "the object that it is pinned to does not exist, and a new one would have another id",
    needs: "repair",
  },
  pinned_elsewhere: { reason: "the object that it is pinned to is in another scope, and cannot move", needs: "repair" },
  not_there: { reason: "objects of its kind are never created, so apply cannot bring it back", needs: "repair" },
  protect: { reason: "lifecycle.protect forbids deleting or replacing it", needs: "repair" },
  delegated: { reason: "an invite of an admin may delegate the set-up, so it is not pruned", needs: "decision" },
  prune: { reason: "undeclared objects are deleted only on request", needs: "decision" },
  organization_create: {
    reason: "an organization is created only on request, because a mistyped name would create a new one",
    needs: "repair",
  },
  confirm_organization: { reason: "an organization is deleted only if its name is confirmed", needs: "name" },
  forgotten_rename: {
    reason:
      "an undeclared object has the same values in all fields but its name, so this looks like a rename (defaults, secrets and fields that the service sets were not compared)",
    needs: "repair",
  },
  own_user: { reason: "no access is taken from a user who owns the API key, or may own it", needs: "repair" },
  incomplete: {
    reason: "the declared fields and the live values are not enough to create the replacement",
    needs: "repair",
  },
  replacement_exists: {
    reason: "another object, which nothing declares, has the name of the replacement",
    needs: "repair",
  },
  replace_loses: {
    reason:
      "the replacement would lack values that cannot be carried over: the service never shows them, or driftline does not know them",
    needs: "loss",
  },
  verification_required: { reason: "the service refuses this change until the object is verified", needs: "decision" },
  edited_as_query: { reason: "it was edited as a query, or the service shows it as one", needs: "repair" },
  query_required: { reason: "this service takes no filters, and needs a query", needs: "repair" },
  service_refuses: { reason: "the service would refuse this", needs: "repair" },
  last_owner: { reason: "the organization would lose its last owner", needs: "repair" },
  parent: { reason: "its organization or project does not exist", needs: "repair" },
  lock_out: { reason: "it would lock people out of the organization", needs: "loss" },
  expired: { reason: "it has expired, and is replaced only on request", needs: "decision" },
  resend: {
    reason: "an open invite is replaced only on request: the link in the earlier e-mail would no longer work",
    needs: "decision",
  },
  destroys_more: { reason: "more than the object itself may be lost for good", needs: "loss" },
  delete_limit: { reason: "removing this much needs approval", needs: "approval" },
} satisfies Readonly<Record<string, Rule>>;

export type RuleName = keyof typeof RULES;

/** In the order in which they are checked. */
export const RULE_NAMES = Object.keys(RULES) as readonly RuleName[];

interface Blocking {
  readonly rule: RuleName;
  readonly detail?: string | undefined;
}

/** Why a rule blocks a change, with the numbers that it counts. Sanitized. */
export function ruleText({ rule, detail }: Blocking): string {
  // A document that another version made may name a rule that this table lacks.
  const reason = own(RULES, rule)?.reason ?? sanitize(rule);
  return detail === undefined ? reason : `${reason} (${sanitize(detail)})`;
}

/** Whether the user can lift a block by the permission to lose something. */
export function isLoss(blocked: Blocking | null): boolean {
  return blocked !== null && RULES[blocked.rule].needs === "loss";
}
