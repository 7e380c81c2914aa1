/** People whose domain looks like the one of nearly everybody else: `acrne.com` beside `acme.com`. */
import type { Change } from "../../model/change.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import { own } from "../../model/json.ts";
import { type Unmanaged, unmanagedAddress } from "../../model/plan.ts";
import { visible } from "../../model/quote.ts";
import { scopeOf } from "../../model/resource.ts";
import { isOneEdit } from "../../model/suggest.ts";
import { isOfPeople } from "./people.ts";

/** Fewer people have no domain in common. */
const MIN_PEOPLE = 3;

/** Letters that are read as others. */
const READ_AS: Readonly<Record<string, string>> = { rn: "m", vv: "w", cl: "d", "0": "o", "1": "l", i: "l" };

/** A warning for each person of a plan whose domain is one letter, or one that is read as another, from that of the others. */
export function lookAlikes(changes: readonly Change[], unmanaged: readonly Unmanaged[]): readonly Diagnostic[] {
  const declared = changes.map(({ kind, address, work }) => ({
    kind,
    address,
    scope: work?.scope ?? scopeOf(address),
    email: work?.key ?? work?.live?.keys[0] ?? address.slice(address.lastIndexOf("/") + 1),
  }));
  const others = unmanaged.map((one) => ({ ...one, address: unmanagedAddress(one), email: one.key ?? "" }));
  // A domain of the organization's own is no disguise.
  const ours = new Set([...declared, ...others].flatMap(({ kind, email }) => (kind === "domain" ? [email] : [])));
  const people = [...declared, ...others].filter(({ kind, email }) => isOfPeople(kind) && domainOf(email) !== "");
  return [...groupBy(people, ({ scope }) => scope).values()].flatMap((inScope) => {
    const usualOf = lookAlikeDomains(
      inScope.map(({ email }) => email),
      ours,
    );
    return inScope.flatMap(({ address, email }) => {
      const usual = usualOf(email);
      return usual === undefined ? [] : [warningOf(address, email, usual)];
    });
  });
}

/** Says of an address which domain its own looks like; undefined if it looks like none. @param ours the organization's own domains */
export function lookAlikeDomains(
  emails: readonly string[],
  ours: ReadonlySet<string>,
): (email: string) => string | undefined {
  const byDomain = [...groupBy(emails, domainOf)].toSorted(([, a], [, b]) => b.length - a.length);
  const [usual = "", most = []] = byDomain[0] ?? [];
  return (email) => {
    const domain = domainOf(email);
    if (most.length < MIN_PEOPLE || domain === usual || ours.has(domain)) return undefined;
    return isOneEdit(asRead(domain), asRead(usual)) ? usual : undefined;
  };
}

function warningOf(address: string, email: string, usual: string): Diagnostic {
  const message = `${visible(email)} looks like an address of ${visible(usual)}, and is none`;
  return warningAt({ address }, { code: "look_alike_domain", message, hint: "Make sure that you know this person." });
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}

function asRead(domain: string): string {
  return domain.replaceAll(/rn|vv|cl|[01i]/gu, (letters) => own(READ_AS, letters) ?? letters);
}
