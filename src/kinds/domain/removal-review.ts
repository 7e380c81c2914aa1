/** What goes with a domain that is deleted or replaced: its verification, its place at identity providers, and people. */
import { isRemoval, type Change } from "../../model/change.ts";
import type { LiveObject } from "../../model/live.ts";
import { firstOf, MAX_NAMES } from "../../model/text/plural.ts";
import { quoted, visible } from "../../model/text/quote.ts";
import { allObjects, type ChangeWarning, type Check } from "../check.ts";
import { organizationAt } from "../live-organization.ts";
import { affectedText, allMembers, isOfDomains, peopleOf } from "../people/members.ts";
import { admitsPeople, JOINING, type ObjectAfter, objectsAfter, SHUTTING } from "../entrances.ts";
import { refersTo } from "../references.ts";
import type { World } from "../world.ts";
import { keepsNames } from "../service-signs.ts";

const CONFIG = "identity_provider_config";

export const removedDomain: Check = {
  ofWholePlan: "plan",
  needsOrganization: isRemoval,
  inspect:
    ({ world, changes }) =>
    (change) => {
      const { live, scope } = change.work;
      if (!isRemoval(change) || live === undefined) return undefined;
      const name = visible(live.keys[0] ?? live.id);
      const configs = keepsNames(live.values) ? allObjects(world, scope, CONFIG) : undefined;
      const here = { scope, kind: CONFIG } as const;
      const isAdmitting = admitsPeople(live, organizationAt(world, scope) ?? {});
      const members = isAdmitting ? allMembers(world, scope) : undefined;
      const warnings = [
        verificationLost(name, live, change),
        rulesLost(name, live, change, world),
        configs && leftConfigurations(name, live, configs.objects && objectsAfter(changes, configs.objects, here)),
        members && lockedOut(name, live, members.objects),
      ];
      return { needs: [...(configs?.needs ?? []), ...(members?.needs ?? [])], warnings };
    },
};

function verificationLost(name: string, { values }: LiveObject, { action }: Change): ChangeWarning | undefined {
  if (action !== "replace" || values["is_verified"] !== true) return undefined;
  const message = `${name} is verified, and the domain in its place will not be`;
  return {
    code: "domain_verification_lost",
    message,
    hint: "Add the DNS record of the new one, and have it verified.",
  };
}

/** The settings of a domain that decide how its people sign in. Interface: Domains. */
const SIGN_IN = [SHUTTING, "saml_entity_id", JOINING];

/** A replacement keeps those that its declaration does not change: what it turns off is a warning of its own (protection.ts). */
function rulesLost(
  name: string,
  { values, scope, keys }: LiveObject,
  { action }: Change,
  world: World,
): ChangeWarning | undefined {
  const set = SIGN_IN.filter((field) => ![undefined, null, "", false].some((unset) => values[field] === unset));
  if (action !== "delete" || set.length === 0) return undefined;
  const people = set.includes(SHUTTING) ? peopleOf(world, scope, keys) : undefined;
  const rules = `with ${name} end the rules of how its people sign in: ${set.join(", ")}`;
  const message = people === undefined ? rules : `${rules}. It concerns ${people}`;
  return {
    code: "domain_rules_lost",
    message,
    hint: "Its people then sign in in any way that the organization allows.",
  };
}

function leftConfigurations(
  name: string,
  { id }: LiveObject,
  configs: readonly ObjectAfter[] | undefined,
): ChangeWarning | undefined {
  const code = "domain_in_use";
  const hint = "A domain in its place has another id: name that one in organization_domain_ids.";
  if (configs === undefined)
    return { code, message: `which configurations of identity providers name ${name} could not be read`, hint };
  const naming = configs.filter(({ values }) => refersTo(CONFIG, values, id));
  if (naming.length === 0) return undefined;
  const names = firstOf(
    naming.map((config) => quoted(config.name)),
    MAX_NAMES,
  );
  return { code, message: `the configurations of identity providers that name ${name} lose it: ${names}`, hint };
}

function lockedOut(
  name: string,
  { keys: [domain = ""] }: LiveObject,
  members: readonly LiveObject[] | undefined,
): ChangeWarning | undefined {
  const people = (members ?? []).filter((one) => isOfDomains(one, [domain]));
  const who = affectedText(people, members ?? [], `with an address of ${name}`);
  if (members !== undefined && who === undefined) return undefined;
  const locked = who ?? `the people of ${name}, and who they are could not be read`;
  const hint = "Turn off enforce_verified_domains before, if they are to stay.";
  return { code: "domain_lock_out", message: `enforce_verified_domains locks out ${locked}`, hint };
}
