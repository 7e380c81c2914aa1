/** An organization is created only if that is declared, and deleted only if its name was typed. */
import { kinds } from "../../kinds/registry.ts";
import type { Blocked, ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { listKey } from "../../model/live.ts";
import { firstOf } from "../../model/plural.ts";
import { quoted } from "../../model/quote.ts";
import { suggest } from "../../model/suggest.ts";
import { nameToConfirm } from "./override.ts";
import type { GuardInput } from "./types.ts";

export function organizationCreate({ action, kind, work }: ChangeWithWork, { snapshot }: GuardInput): Blocked | null {
  const { resource, scope, key } = work;
  if (action !== "create" || kinds[kind].writes.requiresExplicitCreate !== true || resource?.lifecycle.create === true)
    return null;
  const names = (snapshot.lists.get(listKey(scope, kind))?.objects ?? []).flatMap(({ keys }) => keys);
  const remedy = `${nameAdvice(key ?? "", names)}, or declare lifecycle.create: true to create it`;
  return { rule: "organization_create", remedy };
}

/** More names are only counted. */
const MAX_NAMES = 8;

/** What to do about a name that no object has: the similar name, else the names of those that exist. */
function nameAdvice(declared: string, names: readonly string[]): string {
  const near = suggest(declared, names);
  if (near !== undefined) return `write the name ${quoted(near)} if that is meant`;
  if (names.length === 0) return "check the name and the key, which sees no organization";
  return `write the name of one that exists (${firstOf(names.map(quoted), MAX_NAMES)})`;
}

export function organizationDelete(change: ChangeWithWork): Blocked | null {
  return change.action === "delete" && kinds[change.kind].writes.requiresExplicitCreate === true
    ? {
        rule: "confirm_organization",
        remedy: "",
        command: command("apply", { confirmOrganization: nameToConfirm(change) ?? "" }),
      }
    : null;
}
