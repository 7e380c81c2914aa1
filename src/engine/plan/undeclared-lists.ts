/**
 * The collections of declared scopes in which nothing is declared.
 *
 * Premise: a plan reads only the lists that it needs. So an object that nothing declares is seen only where something else is
 * declared. What was not read must not look empty.
 */
import type { Client } from "../../api/client.ts";
import type { Kind } from "../../kinds/kind.ts";
import { listIn, listReads, type Needing, type World } from "../../kinds/world.ts";
import { scopesOfKind, addressOf, allKinds, scopeType, isDerived } from "../../kinds/registry.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import {
  type PlannedRead,
  isGoneList,
  listKey,
  type LiveList,
  type LiveWorld,
  type LookupKeys,
} from "../../model/live.ts";
import { isSelected, type Plan } from "../../model/plan.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { organizationAt } from "../../kinds/live-organization.ts";
import { isNewer } from "../../kinds/varying-fields.ts";
import { undeclaredObjects, withoutDeclaredElsewhere } from "../../plan/undeclared.ts";
import { type MatchedPlan, unmanagedBeside } from "../../plan/make-plan.ts";
import { listProblems } from "../../world/list-problems.ts";
import type { EngineInput } from "../context.ts";
import { type ListsWithRoutes, withoutMissingRoutes } from "../missing-routes.ts";
import { listedKinds, scopesOf, showsTheSame } from "../collections.ts";
import { undeclaredProjects } from "./undeclared-projects.ts";

/** No resource looks for anything in these lists. Whether a domain is verified says whether its people are the organization's own. */
const NOTHING: LookupKeys = { keys: new Set(), pins: new Map(), fields: new Set(["is_verified"]) };

/** A plan with what it shows of these collections. */
export interface WiderPlan extends Needing {
  readonly plan: Plan;
  /** Addresses of the collections that were not read. */
  readonly notRead: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Names these collections, or reads them if that is wanted, and adds what is unmanaged there. No change depends on it. */
export function withUndeclared(input: EngineInput, { plan, matches }: MatchedPlan, world: World): WiderPlan {
  const { client, options, unmanaged } = input;
  const { graph } = input.config;
  const reads = listReads(world, undeclaredLists(graph, world, options.only, client.profile));
  if (unmanaged !== true) return { plan, notRead: namedUnread(reads, graph, world), diagnostics: [], needs: [] };
  const projects = undeclaredProjects(input, world);
  const read = reads.flatMap((listRead): [string, LiveList][] => {
    const list = listIn(world, listRead);
    return list === undefined ? [] : [[listKey(listRead.scope, listRead.kind), list]];
  });
  const { lists } = withoutRoutesOfOthers(graph, new Map([...world.lists, ...read]));
  const undeclared = undeclaredObjects({ ...world, lists }, matches.claims);
  const listed = unmanagedBeside(plan.changes, withoutDeclaredElsewhere(undeclared, matches.elsewhere));
  const unread = reads.filter(({ scope, kind }) => {
    const list = lists.get(listKey(scope, kind));
    return list?.status !== "known" && !isGoneList(list);
  });
  return {
    plan: { ...plan, unmanaged: listed, summary: { ...plan.summary, unmanaged: listed.length } },
    notRead: unread.map(addressOf),
    // If a service lacks a list of projects, the organization's list shows the same objects, so there is nothing to warn of.
    diagnostics: [...listProblems(read.flatMap(([key]) => lists.get(key) ?? [])), ...projects.diagnostics],
    needs: [...reads, ...projects.needs],
  };
}

/** The lists at `only` that a plan did not read, although their scopes are declared and known. */
function undeclaredLists(
  graph: DesiredGraph,
  { scopes, lists }: LiveWorld,
  only: readonly string[],
  profile: Client["profile"],
): readonly PlannedRead[] {
  const isRead = (key: string): boolean => {
    const list = lists.get(key);
    return list !== undefined && !(list.status === "known" && list.isPart === true);
  };
  return scopesOf(graph)
    .filter((scope) => scopes.get(scope)?.status === "known")
    .flatMap((scope) =>
      listedKinds(scopeType(scope), profile)
        .filter((kind) => showing(kind).every(({ name }) => !isRead(listKey(scope, name))))
        .map(({ name }): PlannedRead => ({ scope, kind: name, isFull: false, lookupKeys: NOTHING })),
    )
    .filter((list) => isSelected(addressOf(list), only));
}

/** The addresses of lists that were not read. A list that the service does not seem to have is not named. */
function namedUnread(reads: readonly PlannedRead[], graph: DesiredGraph, world: LiveWorld): readonly string[] {
  const isThere = ({ scope, kind }: PlannedRead): boolean => {
    const organization = organizationAt(world, scope);
    return organization === undefined || !isNewer(kind, organization);
  };
  return withoutRepeats(reads, graph).filter(isThere).map(addressOf);
}

/** The lists without those of organizations: the lists of their declared projects show the same objects, read or named. */
function withoutRepeats(reads: readonly PlannedRead[], graph: DesiredGraph): readonly PlannedRead[] {
  const scopes = scopesOf(graph);
  const isRepeated = (list: PlannedRead): boolean =>
    scopes.some((scope) => {
      if (scope === list.scope) return false;
      const listed = allKinds.filter((kind) => scopesOfKind(kind.name).includes(scopeType(scope)));
      return listed.some(({ name }) => showsTheSame({ scope, kind: name }, list));
    });
  return reads.filter((list) => !isRepeated(list));
}

/** The kinds whose list shows all objects of a kind: itself, and a derived kind, which is made of them. */
function showing({ name, identity }: Kind): readonly Kind[] {
  return allKinds.filter(
    (kind) => kind.name === name || (isDerived(kind) && kind.identity.idSpace === identity.idSpace),
  );
}

/** Makes lists empty whose routes only some services have, in each declared organization. */
export function withoutRoutesOfOthers(graph: DesiredGraph, lists: ReadonlyMap<string, LiveList>): ListsWithRoutes {
  const organizations = scopesOf(graph).filter((scope) => scopeType(scope) === "organization");
  const projectsOf = (organization: string): readonly string[] =>
    graph.projects.flatMap((one) => (one.organization === organization ? one.address : []));
  return withoutMissingRoutes(
    lists,
    organizations.map((organization) => [organization, projectsOf(organization)]),
  );
}
