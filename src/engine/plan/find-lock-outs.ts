/**
 * Finds out whom a planned change would lock out, and blocks it.
 *
 * Premise: the service lists the members outside of its verified domains in one request. People who are declared and have not
 * joined yet are in no such list, so they are compared with the verified domains.
 */
import type { Client } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";
import type { Gate } from "../../kinds/kind-parts.ts";
import { kinds } from "../../kinds/registry.ts";
import { isReady, type Change } from "../../model/change.ts";
import type { KindName } from "../../model/kind-name.ts";
import { listKey, scopePathAt, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { isWanted, type DesiredGraph } from "../../model/resource.ts";
import { organizationAt } from "../../kinds/live-organization.ts";
import { lockOutBlock, type LockOut } from "../../plan/guard/lock-out.ts";
import { withChanges } from "../../plan/summarize.ts";
import { readLists } from "../../world/read-lists.ts";

/** Where people are looked up. */
interface World {
  readonly client: Client;
  readonly graph: DesiredGraph;
  readonly snapshot: LiveSnapshot;
}

/** Returns the plan with such changes blocked. A plan without them sends nothing. */
export async function blockLockOuts(world: World, plan: Plan): Promise<Plan> {
  const closing = plan.changes.filter((change) => change.blocked === null && gateOf(change) !== undefined);
  if (closing.length === 0) return plan;
  const { self } = world.graph.service;
  const blocks = await Promise.all(
    closing.map(
      async (change) => [change, lockOutBlock(change, await lockOutOf(world, change, plan.changes), self)] as const,
    ),
  );
  const byChange = new Map(blocks);
  const changes = plan.changes.map((change) => ({ ...change, blocked: byChange.get(change) ?? change.blocked }));
  return withChanges(plan, changes);
}

function gateOf(change: Change): Gate | undefined {
  const { gate } = kinds[change.kind];
  return gate?.closes(change) === true ? gate : undefined;
}

async function lockOutOf(world: World, change: Change, changes: readonly Change[]): Promise<LockOut> {
  const gate = gateOf(change);
  if (gate === undefined) return { people: [] };
  const declared = declaredPeople(world.graph, change.address);
  if (change.work?.live === undefined) return { people: declared, gap: "a new organization has no verified domain" };
  const outsiders = await listOutsiders(world, change, gate.outsiders);
  const invites = await listInvited(world, change, gate.invited);
  const { people } = outsiders;
  const gap = outsiders.gap ?? invites.gap;
  const leaving = new Set(changes.filter(isLeaving).flatMap(({ work }) => work?.live?.keys ?? []));
  const others = [...declared, ...invites.people.filter(({ email }) => !leaving.has(email))];
  if (people.length + others.length === 0) return { people, gap };
  const { kind, admits } = gate.admittedBy;
  const domains = await readAll(world, change.address, kind);
  if (domains === undefined) return { people, gap: gap ?? "the verified domains could not be read" };
  const known = new Set(people.map(({ email }) => email));
  const joining = new Map(others.map((one) => [one.email, one])).values();
  const all = [...people, ...[...joining].filter(({ email }) => !known.has(email))];
  return { people: all.filter(({ email }) => !domains.some((live) => admits(live, email))), gap };
}

async function listOutsiders(
  { client, snapshot }: World,
  { address }: Change,
  { operation, query, in: membersIn, gap }: Gate["outsiders"],
): Promise<LockOut> {
  const organization = organizationAt(snapshot, address) ?? {};
  try {
    const { rows } = await client.list(operation, scopePathAt(snapshot.scopes, address), query);
    return { people: membersIn(rows), gap: gap(organization, rows) };
  } catch (error) {
    if (error instanceof ApiError) return { people: [], gap: error.message };
    throw error;
  }
}

async function listInvited(
  { client, snapshot }: World,
  { address }: Change,
  { operation, in: emailsIn }: Gate["invited"],
): Promise<LockOut> {
  try {
    const { rows } = await client.list(operation, scopePathAt(snapshot.scopes, address));
    return { people: emailsIn(rows).map((email) => ({ email })) };
  } catch (error) {
    if (error instanceof ApiError) return { people: [], gap: error.message };
    throw error;
  }
}

/** Whether the objects of a kind are people, invited ones as well: their addresses alone identify them. */
function isOfPeople(kind: KindName): boolean {
  return kinds[kind].identity.duplicateKey !== undefined;
}

/** Whether a change takes a person away, or an invite. */
function isLeaving(change: Change): boolean {
  return change.action === "delete" && isReady(change) && isOfPeople(change.kind);
}

/** The people who are to be in the organization. */
function declaredPeople({ resources }: DesiredGraph, scope: string): readonly { readonly email: string }[] {
  const declared = resources.filter((one) => one.scope === scope && isOfPeople(one.kind));
  const emails = declared.flatMap(({ kind, values, name, lifecycle }) =>
    isWanted(lifecycle) ? kinds[kind].identity.declaredKeys(values, name) : [],
  );
  return [...new Set(emails)].map((email) => ({ email }));
}

/** The objects of a kind in a scope. Undefined if they could not be read. */
async function readAll(
  { client, snapshot }: World,
  scope: string,
  kind: KindName,
): Promise<readonly LiveObject[] | undefined> {
  // A list that the plan has read may lack the values of what nothing declares.
  const { lists } = await readLists(client, snapshot.scopes, [{ scope, kind, full: false }]);
  const list = lists.get(listKey(scope, kind));
  return list?.status === "known" ? list.objects : undefined;
}
