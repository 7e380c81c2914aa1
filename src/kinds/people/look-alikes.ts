/** Names that look like another one: of people, and of domains, such as `acrne.com` where most people have `acme.com`. */
import { LOOKS_LIKE } from "../../model/access.ts";
import { type Change, type FieldValue, isPruned } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import type { KindName } from "../../model/kind-name.ts";
import { type Plan, undeclaredAddress } from "../../model/plan.ts";
import { escaped, visible } from "../../model/text/quote.ts";
import { type DesiredGraph, keyIn, scopeOf } from "../../model/resource.ts";
import { isOneEdit } from "../../model/text/suggest.ts";
import type { World } from "../world.ts";
import { asRead } from "./confusable.ts";
import { declaredDomains, isOutside, ownDomains } from "./own-domains.ts";
import { isPerson } from "./people.ts";

/** Fewer people have no domain in common. */
const MIN_PEOPLE = 3;

/** What an address is compared with in a scope, and what of it has a name. */
interface AddressesOfScope {
  readonly ours: readonly string[];
  readonly usualOf: (email: string) => string | undefined;
  /** The person whose address is read as this one. */
  readonly otherOf: (email: string) => string | undefined;
  readonly inScope: readonly {
    readonly kind: KindName;
    readonly address: string;
    readonly email: string;
    readonly isDeclared: boolean;
    readonly isUnchanged: boolean;
    readonly isNew: boolean;
  }[];
}

/** A person whose address others are compared with. */
type NamedPerson = Pick<AddressesOfScope["inScope"][number], "email" | "isUnchanged" | "isNew">;

/** The people and domains of a plan, by scope. */
export function namedIn(
  graph: DesiredGraph,
  { changes, unmanaged }: Pick<Plan, "changes" | "unmanaged">,
  { lists, answers }: World,
): ReadonlyMap<string, AddressesOfScope> {
  const declared = changes
    .filter(isThere)
    .map((change) => ({
      ...change,
      scope: change.work?.scope ?? scopeOf(change.address),
      email: change.work?.key ?? change.work?.live?.keys[0] ?? keyIn(change.address),
      isDeclared: !isPruned(change),
      isUnchanged: change.action === "no_op",
      isNew: change.action === "create",
    }));
  const others = unmanaged.map((person) => ({
    ...person,
    address: undeclaredAddress(person),
    email: person.key ?? "",
    isDeclared: false,
    isUnchanged: false,
    isNew: false,
  }));
  const live = [...lists.values(), ...answers.lists.values()].flatMap(({ objects }) => objects);
  const scopes = [...groupBy([...declared, ...others], ({ scope }) => scope)].map(([scope, inScope]) => {
    const ours = ownDomains(
      declaredDomains(graph, scope),
      live.filter((one) => one.kind === "domain" && one.scope === scope),
    );
    const people = inScope.filter(({ kind, email }) => isPerson(kind) && domainOf(email) !== "");
    return [scope, { ...comparedWith(ours, people), inScope }] as const;
  });
  return new Map(scopes);
}

/**
 * Warns of names in a plan that look like another one.
 *
 * - A person whose address is read as that of another one, or whose domain looks like that of most people. A person who
 *   is declared and does not change is left out: the review of the file has accepted that person.
 * - An undeclared or new domain that looks like that of most people, or like another domain.
 */
export function lookAlikes(scopes: ReadonlyMap<string, AddressesOfScope>): readonly Diagnostic[] {
  return [...scopes.values()].flatMap((named) => {
    const disguised = named.inScope.flatMap((subject) => {
      const { kind, email, isUnchanged, isDeclared } = subject;
      if (isPerson(kind)) return isUnchanged ? [] : { ...subject, as: resembledEmail(email, named) };
      if (kind !== "domain" || (isDeclared && !subject.isNew)) return [];
      const known = named.inScope.filter(
        (other) => other.kind === kind && !other.isNew && (other.isDeclared || subject.isNew),
      );
      // Another one may look like the domain of most people.
      const other = known.find(
        (each) => each.email !== email && looksLike(email, each.email) && named.usualOf(each.email) !== email,
      );
      return { ...subject, as: named.usualOf(email) ?? other?.email };
    });
    const inOrder = disguised.toSorted((a, b) => Number(isPerson(b.kind)) - Number(isPerson(a.kind)));
    return inOrder.flatMap(({ address, email, as, isNew }) =>
      as === undefined ? [] : [lookAlike(email, as, { address, isNew })],
    );
  });
}

/** What the addresses of people are compared with. @param ours the domains of the organization */
export function comparedWith(
  ours: readonly string[],
  people: readonly NamedPerson[],
): Pick<AddressesOfScope, "ours" | "usualOf" | "otherOf"> {
  return { ours, usualOf: lookAlikeDomains(people.map(({ email }) => email)), otherOf: lookAlikePeople(people) };
}

/** Says of an address which other one it is taken for: that of somebody who does not change, else of somebody who is there already. */
function lookAlikePeople(people: readonly NamedPerson[]): (email: string) => string | undefined {
  const byTrust = people.toSorted(
    (a, b) => Number(b.isUnchanged) - Number(a.isUnchanged) || Number(a.isNew) - Number(b.isNew),
  );
  const byForm = groupBy(byTrust, ({ email }) => asRead(email));
  return (email) => {
    const first = byForm.get(asRead(email))?.[0]?.email;
    return first?.toLowerCase() === email.toLowerCase() ? undefined : first;
  };
}

/** The plan with what the addresses of people say who are removed or undeclared, if they are of none of the organization's domains. */
export function withAddressDomains(plan: Plan, scopes: ReadonlyMap<string, AddressesOfScope>): Plan {
  const marked = (values: readonly FieldValue[], { kind, scope, email }: Person): readonly FieldValue[] => {
    const named = isPerson(kind) ? scopes.get(scope) : undefined;
    const value = (named && addressDomain(email, named)) ?? "own";
    return value === "own" ? values : [...values, { path: "/address_domain", value }];
  };
  return {
    ...plan,
    changes: plan.changes.map((change) => {
      const { kind, removes, work } = change;
      if (removes === undefined || work?.live === undefined) return change;
      return { ...change, removes: marked(removes, { kind, scope: work.scope, email: work.live.keys[0] ?? "" }) };
    }),
    unmanaged: plan.unmanaged.map((object) => {
      const { about, key } = object;
      return about === undefined ? object : { ...object, about: marked(about, { ...object, email: key ?? "" }) };
    }),
  };
}

interface Person {
  readonly kind: KindName;
  readonly scope: string;
  readonly email: string;
}

/** What an address is compared with. */
interface Compared extends Pick<AddressesOfScope, "ours"> {
  readonly usualOf: AddressesOfScope["usualOf"] | undefined;
  readonly otherOf?: AddressesOfScope["otherOf"] | undefined;
}

/**
 * Whether an address is one of the organization's domains (`own`), only looks like one or like that of another person (`looks like NAME`),
 * or is `outside`; null if there are none.
 */
export function addressDomain(email: string, compared: Compared): string | null {
  const as = resembledEmail(email, compared);
  if (as !== undefined) return LOOKS_LIKE + as;
  if (isOwn(email, compared)) return "own";
  return isOutside(compared.ours, email) ? "outside" : null;
}

function resembledEmail(email: string, compared: Compared): string | undefined {
  return (isOwn(email, compared) ? undefined : compared.usualOf?.(email)) ?? compared.otherOf?.(email);
}

function isOwn(email: string, { ours }: Compared): boolean {
  return ours.includes(domainOf(email));
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
    return looksLike(domain, usual) ? usual : undefined;
  };
}

function looksLike(domain: string, other: string): boolean {
  const [read, otherRead] = [asRead(domain), asRead(other)];
  return isOneEdit(read, otherRead) || read.startsWith(`${otherRead}.`);
}

/**
 * @param name an e-mail address, or a domain that nothing declares, or that is new
 * @param usual the address, or the domain, that it is taken for
 */
export function lookAlike(
  name: string,
  usual: string,
  { address, isNew = false }: { address?: string | undefined; isNew?: boolean } = {},
): Diagnostic {
  // Letters of another alphabet would look the same here as well.
  const [shown = "", known = ""] = [name, usual].map((text) => visible(text.replaceAll(/\P{ASCII}/gu, escaped)));
  const said = name.includes("@")
    ? {
        message: `${shown} looks like ${usual.includes("@") ? known : `an address of ${known}, and is none`}`,
        hint: "Make sure that you know this person. Once declared and unchanged, they are not named again.",
      }
    : {
        message: `the ${isNew ? "new" : "undeclared"} domain ${shown} looks like ${known}`,
        hint: isNew
          ? "Make sure that it is yours: a domain can let people in."
          : "Declare it if it is yours. If not, remove it, and the people whom it has let in.",
      };
  return { severity: "warning", code: "look_alike", ...said, address };
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1).toLowerCase();
}
