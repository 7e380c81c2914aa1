/** A warning where a change moves the sign-in of a domain to another identity provider: its owner can sign in as any person of the domain. */
import type { ChangeWithWork } from "../../model/change.ts";
import type { Value, ValueObject } from "../../model/json/json.ts";
import { listKey } from "../../model/live.ts";
import { firstOf, MAX_NAMES } from "../../model/text/plural.ts";
import { topField } from "../../model/pointer.ts";
import { visible } from "../../model/text/quote.ts";
import { allObjects, type ChangeWarning, type Check, type CheckedPlan, beforeAndAfter } from "../check.ts";
import { isSet, objectsAfter } from "../entrances.ts";
import { peopleOf } from "../people/members.ts";
import { refersTo } from "../references.ts";

/** The fields that name an identity provider: those with its addresses first. */
const PROVIDER = ["saml_acs_url", "id_jag_issuer_url", "id_jag_jwks_url", "saml_entity_id", "saml_x509_cert"];
/** The fields of a configuration that say for whom it is. */
const REACH = ["organization_domain_ids", "domain_scope", "config_scope"];

export const movedProvider: Check = {
  ofWholePlan: true,
  inspect: (plan) => (change) => {
    const isPlan = plan.purpose === "plan";
    const { live, body } = change.work;
    if (change.action !== "update" && !(isPlan && change.action === "create")) return undefined;
    const values = live?.values ?? {};
    const sides = beforeAndAfter(plan, values, { ...values, ...body });
    const what = isPlan ? "changes with an apply" : "is not as declared on the service";
    return sides && { warnings: movedWarnings(plan, change, { ...sides, what }) };
  },
};

/** @param what where the values after it are */
function movedWarnings(
  plan: CheckedPlan,
  { kind, fields, work: { scope, live, key } }: ChangeWithWork,
  { before, after, what }: { readonly before: ValueObject; readonly after: ValueObject; readonly what: string },
): readonly ChangeWarning[] {
  const isMoved = (field: string): boolean =>
    isSet(after[field]) && fields.some(({ path }) => topField(path) === field);
  const places = PROVIDER.filter(isMoved);
  const reach = kind === "domain" ? [] : REACH.filter(isMoved);
  const isOfOther = places.length > 0 || live === undefined;
  const domains = kind === "domain" ? [key ?? ""] : domainsOf(plan, scope, after);
  const others = isOfOther ? [] : domainsOf(plan, scope, before);
  const reached = domains.filter((name) => !others.includes(name));
  const people = peopleOf(plan.world, scope, reached);
  const isKnown = isOfOther ? live !== undefined || people !== undefined : reached.length > 0;
  const [field] = [...places, ...reach];
  if (field === undefined || !isKnown || !PROVIDER.some((one) => isSet(after[one]))) return [];
  const who = reached.length === 0 ? "people" : `the people of ${firstOf(reached.map(visible), MAX_NAMES)}`;
  const hosts = PROVIDER.slice(0, 3).flatMap((one) => hostText(isOfOther ? before[one] : undefined, after[one]) ?? []);
  const where = hosts.length === 0 ? "" : `: ${[...new Set(hosts)].join(", ")}`;
  const message = `how ${who} sign in ${what}${where} (${[...places, ...reach].join(", ")})`;
  return [
    {
      code: "sign_in_moved",
      field,
      message: people === undefined ? message : `${message}. It concerns ${people}`,
      hint: "The owner of an identity provider can sign in as any of these people. Make sure that the provider is yours.",
    },
  ];
}

/**
 * The domains whose people sign in with a configuration that has these values, as far as the plan has read them. None
 * if it is for SCIM only.
 */
function domainsOf({ world, changes }: CheckedPlan, scope: string, values: ValueObject): readonly string[] {
  if (values["config_scope"] === "scim") return [];
  const all = objectsAfter(
    changes,
    allObjects(world, scope, "domain", world.lists.get(listKey(scope, "domain"))).seen,
    { scope, kind: "domain" },
  );
  const isFor = (id = ""): boolean =>
    values["domain_scope"] === "all" || refersTo("identity_provider_config", values, id);
  return all.filter(({ id }) => isFor(id)).map(({ name }) => name);
}

/** Such as `at idp.evil.example instead of idp`; undefined if the host is the same. */
function hostText(before: Value | undefined, after: Value | undefined): string | undefined {
  const [was, is] = [hostOf(before), hostOf(after)];
  if (is === undefined || was === is) return undefined;
  return `at ${visible(is)}${was === undefined ? "" : ` instead of ${visible(was)}`}`;
}

function hostOf(value: Value | undefined): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  return URL.canParse(value) ? new URL(value).host : value;
}
