/** An organization is created only if that is declared, and deleted only if its name was typed. What its service does to people then. */
import { nameToConfirm } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { listKey } from "../../model/live.ts";
import { firstOf, MAX_NAMES } from "../../model/text/plural.ts";
import { quoted } from "../../model/text/quote.ts";
import { suggest } from "../../model/text/suggest.ts";
import type { Check } from "../check.ts";

export const explicitCreate: Check = {
  rule: "organization_create",
  inspect:
    ({ world }) =>
    ({ action, kind, work: { resource, scope, key } }) => {
      if (action !== "create" || resource?.lifecycle.create === true) return undefined;
      const names = (world.lists.get(listKey(scope, kind))?.objects ?? []).flatMap(({ keys }) => keys);
      const lift = `${nameAdvice(key ?? "", names)}, or declare lifecycle.create: true to create it`;
      return { blocked: { lift } };
    },
};

/** What to do about a name that no object has: the similar name, else the names of those that exist. */
function nameAdvice(declared: string, names: readonly string[]): string {
  const near = suggest(declared, names);
  if (near !== undefined) return `write the name ${quoted(near)} if that is meant`;
  if (names.length === 0) return "check the name and the key, which sees no organization";
  return `write the name of one that exists (${firstOf(names.map(quoted), MAX_NAMES)})`;
}

export const confirmedDelete: Check = {
  rule: "confirm_organization",
  inspect: () => (change) => {
    const words = command("apply", { confirmOrganization: nameToConfirm(change) ?? "" });
    return change.action === "delete" ? { blocked: { lift: "", command: words } } : undefined;
  },
};
