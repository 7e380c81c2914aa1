/**
 * An organization that enforces its verified domains locks out all people with other addresses, their keys as well. It is not turned on
 * before somebody has seen who they are.
 *
 * Premise: the service lists the members outside of its verified domains in one request. People who are declared and have not
 * joined yet are in no such list, so they are compared with the verified domains.
 */
import { isReady, type Change } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import type { JsonObject } from "../../model/json.ts";
import { scopePathAt } from "../../model/live.ts";
import { firstOf, MAX_NAMES } from "../../model/plural.ts";
import { visible } from "../../model/quote.ts";
import { isWanted, type DesiredGraph } from "../../model/resource.ts";
import { allObjects, type Check, type CheckedPlan, type Finding } from "../check.ts";
import { caselessKey } from "../keys.ts";
import { organizationAt } from "../live-organization.ts";
import { admits, INVITES, isOfPeople, MEMBERS, membersGap, membersIn, OWNER, PERSON } from "../people/people.ts";
import { rowsIn, type Read, type RowsAnswer, type RowsRead, rowsOf } from "../world.ts";

export const lockOut: Check = {
  rule: "lock_out",
  ofWholePlan: true,
  look: (plan) => (change) => {
    const isTurnedOn = change.action === "update" || change.action === "create";
    if (change.blocked !== null || !isTurnedOn || change.work.body["enforce_verified_domains"] !== true)
      return undefined;
    const { needs = [], ...found } = outsidersOf(plan, change);
    return { needs, ...lockOutBlock(change.address, found, plan.graph.service.self) };
  },
};

/** Who would be locked out by a change, or why that is not known for certain. */
export interface Outsiders {
  readonly people: readonly { readonly email: string; readonly isOwner?: boolean }[];
  /** Why there may be others. */
  readonly gap?: string | undefined;
  readonly needs?: readonly Read[];
}

function outsidersOf({ changes, graph, world }: CheckedPlan, { address, work }: Change): Outsiders {
  const declared = declaredPeople(graph, address);
  if (work?.live === undefined) return { people: declared, gap: "a new organization has no verified domain" };
  const path = scopePathAt(world.scopes, address);
  const asked: RowsRead = { what: "rows", operation: MEMBERS, path, query: { outside_verified_domains: true } };
  const invites: RowsRead = { what: "rows", operation: INVITES, path };
  const [outside, invited] = [rowsIn(world, asked), rowsIn(world, invites)];
  if (outside === undefined || invited === undefined) return { people: [], needs: [asked, invites] };
  const people = membersIn({ [MEMBERS]: rowsOf(outside) }).map(({ email, row }) => ({
    email,
    isOwner: row["level"] === OWNER,
  }));
  const isNameless = people.length < rowsOf(outside).length;
  const gap =
    unread(outside) ??
    membersGap(organizationAt(world, address) ?? {}) ??
    (isNameless ? "not every member has an e-mail address" : unread(invited));
  const leaving = new Set(changes.filter(isLeaving).flatMap((one) => one.work?.live?.keys ?? []));
  const others = [...declared, ...openInvites(rowsOf(invited)).filter(({ email }) => !leaving.has(email))];
  if (people.length + others.length === 0) return { people, gap };
  const { needs, objects: domains } = allObjects(world, address, "domain");
  if (domains === undefined) return { people, gap: gap ?? "the verified domains could not be read", needs };
  const known = new Set(people.map(({ email }) => email));
  const joining = new Map(others.map((one) => [one.email, one])).values();
  const all = [...people, ...[...joining].filter(({ email }) => !known.has(email))];
  return { people: all.filter(({ email }) => !domains.some((live) => admits(live, email))), gap };
}

function unread(answer: RowsAnswer): string | undefined {
  return answer.status === "unknown" ? answer.reason : undefined;
}

/** They are no members yet, and would be locked out as well. */
function openInvites(rows: readonly JsonObject[]): Outsiders["people"] {
  const open = rows.filter((row) => row["is_expired"] !== true);
  return open.flatMap((row) => caselessKey(row["target_email"])).map((email) => ({ email }));
}

/** Whether a change takes a person away, or an invite. */
function isLeaving(change: Change): boolean {
  return change.action === "delete" && isReady(change) && isOfPeople(change.kind);
}

/** The people who are to be in the organization. */
function declaredPeople({ resources }: DesiredGraph, scope: string): Outsiders["people"] {
  const declared = resources.filter((one) => one.scope === scope && isOfPeople(one.kind) && isWanted(one.lifecycle));
  const emails = declared.flatMap(({ kind, values, name }) =>
    kind === "invite" ? caselessKey(values["target_email"]) : PERSON.declaredKeys(values, name),
  );
  return [...new Set(emails)].map((email) => ({ email }));
}

/** @param self the e-mail of the key's own user, if it is declared */
export function lockOutBlock(
  address: string,
  { people, gap }: Outsiders,
  self: string | undefined,
): Pick<Finding, "blocked"> {
  if (people.length === 0 && gap === undefined) return {};
  if (people.some(({ email }) => email === self?.toLowerCase()))
    return { blocked: { rule: "own_user", remedy: "use the key of a user whose address is in a verified domain" } };
  const sorted = people.toSorted((a, b) => compareNaturally(a.email, b.email));
  const names = sorted.map(({ email, isOwner }) => `${visible(email)}${isOwner === true ? " (owner)" : ""}`);
  const who =
    names.length === 0
      ? []
      : [`check ${firstOf(names, MAX_NAMES)}, remove anybody you do not know, then verify the domains of the others`];
  const others = gap === undefined ? [] : [`find out who would be locked out (${gap})`];
  const remedy = `${[...who, ...others].join(", ")}, or allow it:`;
  return { blocked: { remedy, command: command("apply", { allowLoss: address }) } };
}
