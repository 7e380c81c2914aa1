/** People, and domains, that look like the domain of nearly everybody else: `acrne.com` beside `acme.com`. */
import { type Change, isPruned } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import { own } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { type Plan, unmanagedAddress } from "../../model/plan.ts";
import { visible } from "../../model/quote.ts";
import { type DesiredGraph, isWanted, keyIn, scopeOf } from "../../model/resource.ts";
import { isOneEdit } from "../../model/suggest.ts";
import { declaredKeys } from "../registry.ts";
import type { World } from "../world.ts";
import { isOfPeople } from "./people.ts";

/** Fewer people have no domain in common. */
const MIN_PEOPLE = 3;

/** Letters that are read as others. */
const READ_AS: Readonly<Record<string, string>> = { rn: "m", vv: "w", cl: "d", "0": "o", "1": "l", i: "l" };

/** The domains that the files declare in an organization. @param scope its address */
export function declaredDomains({ resources }: DesiredGraph, scope: string): readonly string[] {
  const domains = resources.filter((one) => one.scope === scope && one.kind === "domain" && isWanted(one.lifecycle));
  return domains.flatMap(declaredKeys);
}

/** The domains of an organization: those that it declares, because anybody may verify one. Only if it declares none, the verified ones. */
export function ownDomains(declared: readonly string[], live: readonly Domain[]): readonly string[] {
  if (declared.length > 0) return declared;
  return live.flatMap(({ keys, values }) => (values["is_verified"] === true ? keys : []));
}

type Domain = Pick<LiveObject, "keys" | "values">;

/**
 * A warning for each person of a plan whose domain is one letter, or one that is read as another, from that of the others, and for each
 * undeclared domain that is so.
 */
export function lookAlikes(
  graph: DesiredGraph,
  { changes, unmanaged }: Pick<Plan, "changes" | "unmanaged">,
  { lists, answers }: World,
): readonly Diagnostic[] {
  const declared = changes.filter(isThere).map((change) => ({
    ...change,
    scope: change.work?.scope ?? scopeOf(change.address),
    email: change.work?.key ?? change.work?.live?.keys[0] ?? keyIn(change.address),
    isDeclared: !isPruned(change),
  }));
  const others = unmanaged.map((one) => ({
    ...one,
    address: unmanagedAddress(one),
    email: one.key ?? "",
    isDeclared: false,
  }));
  const live = [...lists.values(), ...answers.lists.values()].flatMap(({ objects }) => objects);
  return [...groupBy([...declared, ...others], ({ scope }) => scope)].flatMap(([scope, inScope]) => {
    const ours = ownDomains(
      declaredDomains(graph, scope),
      live.filter((one) => one.kind === "domain" && one.scope === scope),
    );
    const people = inScope.filter(({ kind, email }) => isOfPeople(kind) && domainOf(email) !== "");
    const usualOf = lookAlikeDomains(people.map(({ email }) => email));
    const disguised = [
      ...people.filter(({ email }) => !ours.includes(domainOf(email))),
      ...inScope.filter(({ kind, isDeclared }) => kind === "domain" && !isDeclared),
    ];
    return disguised.flatMap(({ address, email }) => {
      const usual = usualOf(email);
      return usual === undefined ? [] : [lookAlike(email, usual, address)];
    });
  });
}

/** Whether there is, or will be, what a change is about: a person who is declared absent may be gone. */
function isThere({ action, work }: Change): boolean {
  return action !== "no_op" || work === null || work.live !== undefined;
}

/** Says of an address, or a domain, which domain it looks like; undefined if it looks like none. @param emails those of all people */
export function lookAlikeDomains(emails: readonly string[]): (email: string) => string | undefined {
  const byDomain = [...groupBy(emails, domainOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const [usual = "", most = []] = byDomain[0] ?? [];
  return (email) => {
    const domain = domainOf(email);
    if (most.length < MIN_PEOPLE || domain === usual) return undefined;
    return isOneEdit(asRead(domain), asRead(usual)) ? usual : undefined;
  };
}

/** @param name an e-mail address, or a domain that nothing declares */
export function lookAlike(name: string, usual: string, address?: string): Diagnostic {
  const said = name.includes("@")
    ? {
        message: `${visible(name)} looks like an address of ${visible(usual)}, and is none`,
        hint: "Make sure that you know this person.",
      }
    : {
        message: `the undeclared domain ${visible(name)} looks like ${visible(usual)}`,
        hint: "Declare it if it is yours. If not, remove it, and the people whom it has let in.",
      };
  return { severity: "warning", code: "look_alike_domain", ...said, address };
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

function asRead(domain: string): string {
  return domain.replaceAll(/rn|vv|cl|[01i]/gu, (letters) => own(READ_AS, letters) ?? letters);
}
