/** What goes with a domain that is deleted or replaced: its verification, its place at identity providers, and people. */
import { isRemoval, type Change } from "../../model/change.ts";
import type { JsonObject } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { firstOf } from "../../model/plural.ts";
import { quoted, visible } from "../../model/quote.ts";
import type { Review, ReviewWarning } from "../kind-parts.ts";
import { isOfDomain } from "../people/people.ts";
import { keepsNames } from "./names.ts";

/** More names are only counted. */
const MAX_NAMES = 8;

export const removalReview: Review = {
  needs: (change, organization) => {
    const live = removedDomain(change);
    if (live === undefined) return [];
    return [
      ...(keepsNames(live.values) ? (["identity_provider_config"] as const) : []),
      ...(admitsPeople(live, organization) ? (["member"] as const) : []),
    ];
  },
  warnings: (change, objects, organization) => {
    const live = removedDomain(change);
    if (live === undefined) return [];
    const name = visible(live.keys[0] ?? live.id);
    return [
      verificationLost(name, live, change),
      rulesLost(name, live, change),
      keepsNames(live.values) ? leftConfigurations(name, live, objects("identity_provider_config")) : undefined,
      admitsPeople(live, organization) ? lockedOut(name, live, objects("member")) : undefined,
    ];
  },
};

function removedDomain(change: Change): LiveObject | undefined {
  return isRemoval(change) ? change.work?.live : undefined;
}

function admitsPeople({ values }: LiveObject, organization: JsonObject): boolean {
  return values["is_verified"] === true && organization["enforce_verified_domains"] === true;
}

/** Whether a domain admits people to its organization, or decides how they sign in. */
export function guardsSignIn(live: LiveObject, organization: JsonObject): boolean {
  const { is_verified: isVerified, jit_provisioning_enabled: isJoined, sso_enforcement: sso } = live.values;
  return isVerified === true && (admitsPeople(live, organization) || isJoined === true || (sso ?? "") !== "");
}

function verificationLost(name: string, { values }: LiveObject, { action }: Change): ReviewWarning | undefined {
  if (action !== "replace" || values["is_verified"] !== true) return undefined;
  const message = `${name} is verified, and the domain in its place will not be`;
  return {
    code: "domain_verification_lost",
    message,
    hint: "Add the DNS record of the new one, and have it verified.",
  };
}

/** The settings of a domain that decide how its people sign in. Interface: Domains. */
const SIGN_IN = ["sso_enforcement", "saml_entity_id", "jit_provisioning_enabled"];

/** A replacement keeps them. */
function rulesLost(name: string, { values }: LiveObject, { action }: Change): ReviewWarning | undefined {
  const set = SIGN_IN.filter((field) => ![undefined, null, "", false].some((unset) => values[field] === unset));
  if (action !== "delete" || set.length === 0) return undefined;
  const message = `with ${name} end the rules of how its people sign in: ${set.join(", ")}`;
  return {
    code: "domain_rules_lost",
    message,
    hint: "Its people then sign in in any way that the organization allows.",
  };
}

function leftConfigurations(
  name: string,
  { id }: LiveObject,
  configs: readonly LiveObject[] | undefined,
): ReviewWarning | undefined {
  const code = "domain_in_use";
  const hint = "A domain in its place has another id: declare that one in organization_domain_ids.";
  if (configs === undefined)
    return { code, message: `which configurations of identity providers name ${name} could not be read`, hint };
  const naming = configs.filter(
    ({ values: { organization_domain_ids: ids } }) => Array.isArray(ids) && ids.includes(id),
  );
  if (naming.length === 0) return undefined;
  const names = firstOf(
    naming.map((config) => quoted(config.keys[0] ?? config.id)),
    MAX_NAMES,
  );
  return { code, message: `the configurations of identity providers that name ${name} lose it: ${names}`, hint };
}

function lockedOut(
  name: string,
  { keys: [domain = ""] }: LiveObject,
  members: readonly LiveObject[] | undefined,
): ReviewWarning | undefined {
  const code = "domain_lock_out";
  const hint = "Turn off enforce_verified_domains before, if they are to stay.";
  if (members === undefined)
    return {
      code,
      message: `enforce_verified_domains locks out the people of ${name}, and who they are could not be read`,
      hint,
    };
  const emails = members.flatMap(({ keys: [email = ""] }) => (isOfDomain(email, domain) ? [visible(email)] : []));
  if (emails.length === 0) return undefined;
  return {
    code,
    message: `enforce_verified_domains locks out the people of ${name}: ${firstOf(emails, MAX_NAMES)}`,
    hint,
  };
}
