/** What is declared in an organization that does not exist waits for it. */
import type { Blocked, Change, ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import type { GuardInput } from "./types.ts";

export function refusedParent(
  { action, work }: ChangeWithWork,
  { snapshot }: GuardInput,
  byAddress: ReadonlyMap<string, Change>,
): Blocked | null {
  if (action !== "create" || snapshot.scopes.get(work.scope)?.status !== "absent") return null;
  const organization = work.scope.split("/")[0] ?? work.scope;
  const parent = byAddress.get(organization);
  if (parent?.action === "create" && parent.blocked === null && organization === work.scope) return null;
  if (parent?.action === "no_op")
    return { rule: "parent", remedy: `declare ${organization} as present, or remove this declaration` };
  if (parent === undefined || parent.blocked === null) return parentFirst(organization, work.scope);
  const { rule, remedy } = parent.blocked;
  return { ...parent.blocked, rule: "parent", remedy: `${organization} is blocked (${rule}): ${remedy}` };
}

/**
 * One run creates an organization with what is directly in it. Its projects exist only afterwards, and a command that selects the
 * organization would select what is blocked in them as well, so there is none for that.
 */
function parentFirst(organization: string, scope: string): Blocked {
  return scope === organization
    ? { rule: "parent", remedy: `apply ${organization} first:`, command: command("apply", { only: organization }) }
    : { rule: "parent", remedy: `apply again once ${organization} exists` };
}
