/**
 * How people get in by a domain. One that enforces SAML keeps them out until they have an identity provider: its own settings, or a
 * configuration.
 */
import { isReady, type Change } from "../model/change.ts";
import type { JsonObject, Value, ValueObject } from "../model/json/json.ts";
import type { LiveObject } from "../model/live.ts";
import type { OutcomeError } from "../model/outcome.ts";
import { refersTo } from "./references.ts";

const OWN_SETTINGS = ["saml_entity_id", "saml_acs_url", "saml_x509_cert"];

/** The field that keeps people out. */
export const SHUTTING = "sso_enforcement";

/** The field that makes members of those who sign in. */
export const JOINING = "jit_provisioning_enabled";

/** Whether a domain with these values lets no person in by itself. */
export function isShut(values: ValueObject): boolean {
  return (
    values[SHUTTING] === "saml" &&
    !OWN_SETTINGS.every((field) => isSet(values[field])) &&
    // A service that does not show these settings may show that they are complete.
    !(values["has_saml"] === true && !OWN_SETTINGS.some((field) => Object.hasOwn(values, field)))
  );
}

/** Why a domain was not shut. */
export const PROVIDER_FAILED: OutcomeError = {
  code: "provider_failed",
  message: "its people could not sign in: the change of their identity provider did not succeed",
  hint: "Fix what failed, then apply again.",
};

export function isSet(value: Value | undefined): boolean {
  return typeof value === "string" ? value.trim() !== "" : (value ?? null) !== null;
}

/** Whether people are let into an organization because they are of a domain. */
export function admitsPeople({ values }: Pick<LiveObject, "values">, organization: JsonObject): boolean {
  return values["is_verified"] === true && organization["enforce_verified_domains"] === true;
}

/** Whether an object admits people to its organization, or decides how they sign in. */
export function guardsSignIn(live: Pick<LiveObject, "kind" | "values">, organization: JsonObject): boolean {
  const { is_verified: isVerified, [JOINING]: isJoined, [SHUTTING]: sso } = live.values;
  if (live.kind !== "domain" || isVerified !== true) return false;
  return admitsPeople(live, organization) || isJoined === true || (sso ?? "") !== "";
}

/** The values of the object of a change after it; undefined if there is no object then. */
function valuesAfter({ action, work }: Change): ValueObject | undefined {
  if (action === "delete" || work === null) return undefined;
  // A replacement has a body of its own, and another id.
  return action === "replace" ? work.body : { ...work.live?.values, ...work.body };
}

/** The id of the object of a change after it, as references have it: of a new one, the address. Undefined if it gets another one. */
export function idAfter({ action, address, work }: Change): string | undefined {
  if (action === "create") return address;
  return action === "replace" ? undefined : work?.live?.id;
}

/** An object after the changes of a plan. */
export interface ObjectAfter {
  /** As references have it; undefined if it is not known yet. */
  readonly id: string | undefined;
  readonly name: string;
  readonly values: ValueObject;
}

/** The objects of a kind in a scope after the changes of a plan. @param seen the live ones */
export function objectsAfter(
  changes: readonly Change[],
  seen: readonly LiveObject[],
  { scope, kind }: Pick<LiveObject, "scope" | "kind">,
): readonly ObjectAfter[] {
  const ready = changes.filter((one) => one.kind === kind && one.work?.scope === scope && isReady(one));
  const changed = new Set(ready.map(({ id }) => id));
  return [
    ...seen.filter(({ id }) => !changed.has(id)).map(({ id, keys, values }) => ({ id, name: keys[0] ?? id, values })),
    ...ready.flatMap((change) => {
      const values = valuesAfter(change);
      return values === undefined ? [] : [{ id: idAfter(change), name: change.work?.key ?? change.address, values }];
    }),
  ];
}

/** Whether a change makes a domain need a way in that it did not need before. */
export function shutsOut(change: Change): boolean {
  const after = change.kind === "domain" && isReady(change) ? valuesAfter(change) : undefined;
  // The domain in the place of another one has a way in of its own.
  const before = change.action === "replace" ? undefined : change.work?.live?.values;
  return after !== undefined && isShut(after) && !(before !== undefined && isShut(before));
}

/** Whether a configuration of an identity provider with these values lets people into the domain with this id. */
export function opens(values: ValueObject | undefined, id: string | undefined): boolean {
  const { config_scope: scope, domain_scope: domains, saml_x509_cert: cert } = values ?? {};
  if (values === undefined || scope !== "saml" || !isSet(cert)) return false;
  // Current service 145: without a scope, a configuration is for the domains that it names.
  return domains === "all" || (id !== undefined && refersTo("identity_provider_config", values, id));
}

/** Whether a change is to open the way to the domain of another one. A replacement lives only after everything else. */
export function willOpen(opener: Change, closing: Change): boolean {
  const isFirst = opener.action === "create" || opener.action === "update";
  const isNear = opener.kind === "identity_provider_config" && opener.work?.scope === closing.work?.scope;
  return isNear && isFirst && isReady(opener) && opens(valuesAfter(opener), idAfter(closing));
}
