/** What is declared in an organization that does not exist waits for it. */
import type { Check } from "../../kinds/check.ts";
import type { Blocked } from "../../model/change.ts";
import { command } from "../../model/command.ts";

export const refusedParent: Check = {
  rule: "parent",
  inspect: ({ changes, world }) => {
    const byAddress = new Map(changes.map((change) => [change.address, change]));
    return ({ action, work: { scope } }) => {
      if (action !== "create" || world.scopes.get(scope)?.status !== "absent") return undefined;
      const organization = scope.split("/")[0] ?? scope;
      const parent = byAddress.get(organization);
      if (parent?.action === "create" && parent.blocked === null && organization === scope) return undefined;
      if (parent?.action === "no_op")
        return { blocked: { lift: `declare ${organization} as present, or remove this declaration` } };
      if (parent === undefined || parent.blocked === null) return { blocked: parentFirst(organization, scope) };
      const { rule, lift, ...block } = parent.blocked;
      return { blocked: { ...block, lift: `${organization} is blocked (${rule}): ${lift}` } };
    };
  },
};

/**
 * One run creates an organization with what is directly in it. Its projects exist only afterwards, and a command that selects the
 * organization would select what is blocked in them as well, so there is none for that.
 */
function parentFirst(organization: string, scope: string): Omit<Blocked, "rule"> {
  return scope === organization
    ? { lift: `apply ${organization} first:`, command: command("apply", { only: organization }) }
    : { lift: `apply again once ${organization} exists` };
}
