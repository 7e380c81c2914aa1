/**
 * Finds the live objects that nothing declares, as they would be declared.
 *
 * Terms: a candidate is an object that can be imported, in the form in which it would be declared.
 * Premise: what a resource may refer to must not be declared a second time.
 * Algorithm: read the wanted collections as a whole, also in projects that nothing declares, and plan. What no resource was
 * matched with is declared by nothing, unless a resource that was not identified may be it. Hand those objects to the exporter,
 * with the names that the configuration uses already.
 */
import { registerConfigSecrets } from "../../config/index.ts";
import { collectScope } from "../../export/organization.ts";
import { titleOf } from "../../export/identity.ts";
import { ExportSession } from "../../export/session.ts";
import { exportedObjects, type NameSource, namedResource } from "../../export/references.ts";
import type { ExportedResource, ObjectsByKind } from "../../export/types.ts";
import { addressOf } from "../../kinds/registry.ts";
import { webPageOf } from "../../kinds/web-page.ts";
import { compareNaturally } from "../../model/compare-text.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { listKey, type LiveObject, type LiveWorld, scopePathAt } from "../../model/live.ts";
import { overlaps } from "../../model/plan.ts";
import {
  type Collection,
  scopeOf,
  pinKey,
  type DesiredGraph,
  type ProjectScope,
  type Resource,
} from "../../model/resource.ts";
import { isUnidentified } from "../../plan/make-plan.ts";
import { claimKey, mayContain } from "../../plan/match.ts";
import { declaredObjects } from "../../plan/references.ts";
import type { EngineInput } from "../context.ts";
import { routeProblems } from "../missing-routes.ts";
import { collectionsOfSpace, collectionsThatShow, scopesOf } from "../collections.ts";
import { collectionsToRead, newOrganizations, newProjects, readScopes } from "./search-scopes.ts";
import { withoutRoutesOfOthers } from "../plan/undeclared-lists.ts";
import { readAndPlan } from "../plan/plan-config.ts";
import { redacted } from "../redact.ts";
import { readStoredState } from "../state/state-files.ts";
import { selectWarnings } from "../plan/warnings.ts";

/** An object that can be imported, as it would be declared. */
export interface ImportCandidate extends ExportedResource {
  /** Address of its scope. */
  readonly scope: string;
  /** Address of its collection, such as `acme/domains`. */
  readonly collection: string;
  /** Its name for people; empty if it has none. */
  readonly title: string;
}

/** What can be imported. */
export interface Importable {
  /** By place and kind. Their addresses are free. */
  readonly candidates: readonly ImportCandidate[];
  /** Projects of declared organizations that nothing declares, with the addresses that they would get. */
  readonly projects: readonly ProjectScope[];
  /** Organizations that nothing declares. They are exported, not imported. */
  readonly organizations: readonly { readonly id: string; readonly title: string }[];
  /** The natural keys of invites that are left out, because they have expired. */
  readonly expired: readonly string[];
  /** The resources with their objects, to say that one is declared already. */
  readonly declared: readonly Pick<Change, "address" | "id">[];
  /** The addresses of the collections that were read, such as `acme/domains`. */
  readonly collections: readonly string[];
  /** Comments above the mappings of the candidates. */
  readonly comments: ExportSession["comments"];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Finds what can be imported. Sends GET only.
 *
 * @param wanted addresses of scopes, collections or objects that limit what is read; empty for everything
 * @throws EngineError `invalid` if a declared project does not belong to its organization
 */
export async function findImportable(
  input: Omit<EngineInput, "options">,
  wanted: readonly string[],
): Promise<Importable> {
  const { config, client, context } = input;
  registerConfigSecrets(config, context.env, context.redactor);
  const declared = await readScopes(client, config.graph, wanted);
  const session = sessionFor(input);
  const projects = newProjects(config.graph, declared, session);
  const whole = { ...config.graph, projects: [...config.graph.projects, ...projects] };
  const read = collectionsToRead(whole, wanted, client.profile);
  const options = { prune: false, only: wanted.length === 0 ? [] : addressesToPlan(config.graph, read), rotate: [] };
  const planned = await readAndPlan(
    { ...input, config: { ...config, graph: whole }, options },
    await readStoredState(context, client),
    { world: declared.world, collections: read },
  );
  const unsure = unsureChanges(planned, config.graph);
  const readable = read.filter((collection) => !unsure.some((change) => mayBeIn(collection, change)));
  const isWanted = selectorOf(wanted);
  const candidates = candidatesIn(readable, whole, planned, session).filter((one) => isWanted(one, one.live));
  const { scopes } = planned.world;
  for (const candidate of candidates)
    session.notePage(candidate, webPageOf(client.url, scopePathAt(scopes, candidate.live.scope), candidate.live));
  const diagnostics = [...problemsOf(planned, whole, { unsure, read }), ...warningsAbout(session, wanted, candidates)];
  return {
    candidates: candidates.toSorted((a, b) => compareNaturally(a.scope, b.scope)),
    projects,
    expired: session.expired.filter((one) => isWanted(one, one)).flatMap(({ keys }) => keys.slice(0, 1)),
    organizations: newOrganizations(declared),
    declared: planned.plan.changes.filter(({ work }) => work?.resource !== undefined),
    collections: [...new Set(read.flatMap(collectionsOfSpace))],
    comments: session.comments,
    diagnostics: redacted(diagnostics, context.redactor),
  };
}

/** The warnings about what is wanted. An object may be wanted by its id, while its warnings have the address that it would get. */
function warningsAbout(
  { diagnostics }: ExportSession,
  wanted: readonly string[],
  candidates: readonly ImportCandidate[],
): readonly Diagnostic[] {
  return selectWarnings(
    diagnostics,
    wanted.length === 0 ? [] : [...wanted, ...candidates.map(({ address }) => address)],
  );
}

function sessionFor({ config, context }: Omit<EngineInput, "options">): ExportSession {
  return new ExportSession({
    ids: true,
    isSecret: context.redactor.holds,
    takenNames: (collection) => namesBelow(config.graph, collection),
    takenSecrets: config.secrets.flatMap(({ names }) => names),
  });
}

/** A resource outside may be one of the objects as well: an organization shows the batch exports of its projects. */
function addressesToPlan({ resources }: DesiredGraph, read: readonly Collection[]): readonly string[] {
  const near = resources.filter((resource) => read.some((one) => mayContain(one, resource)));
  return [...read.flatMap(collectionsOfSpace), ...near.map(({ address }) => address)];
}

type Planned = Awaited<ReturnType<typeof readAndPlan>>;

/** Resources that were not identified, so each may be one of the objects that a list shows. */
function unsureChanges({ plan, world }: Planned, { resources }: DesiredGraph): readonly Change[] {
  const hidden = new Set(resources.filter((one) => isHidden(world, one)).map(({ address }) => address));
  return plan.changes.filter((change) => isUnidentified(change) && !hidden.has(change.address));
}

/** What keeps objects from being found. */
function problemsOf(
  { diagnostics, plan, world: { lists } }: Planned,
  graph: DesiredGraph,
  { unsure, read }: { readonly unsure: readonly Change[]; readonly read: readonly Collection[] },
): readonly Diagnostic[] {
  return [
    ...diagnostics,
    ...routeProblems(withoutRoutesOfOthers(graph, lists)),
    ...plan.diagnostics.filter(({ severity }) => severity === "error"),
    // A list that could not be read has an error of its own.
    ...unsureCollections(
      unsure,
      read.filter(({ scope, kind }) => lists.get(listKey(scope, kind))?.status === "known"),
    ),
  ];
}

/** The undeclared objects of some collections, as they would be declared. */
function candidatesIn(
  collections: readonly Collection[],
  graph: DesiredGraph,
  { world, matches }: Planned,
  session: ExportSession,
): readonly ImportCandidate[] {
  const undeclared = new Set(matches.undeclared.map(claimKey));
  // An organization lists the batch exports of its projects, so projects come first.
  const scopes = scopesOf(graph).toSorted((a, b) => b.split("/").length - a.split("/").length);
  return scopes.flatMap((scope) => {
    const lists = listsOf(world, collections, scope, undeclared);
    const collected = collectScope(lists, scope, session);
    const named: NameSource = (to) => [
      ...declaredObjects({ graph, world, planned: matches.planned }, scope, to),
      ...exportedObjects(collected, to),
    ];
    const exported = collected.map((resource) => namedResource(resource, named, session));
    return exported.map((resource): ImportCandidate => ({
      ...resource,
      scope,
      collection: addressOf({ scope, kind: resource.kind }),
      title: titleOf(resource.live),
    }));
  });
}

/** Whether an object of a collection is at or below a wanted address. */
function selectorOf(wanted: readonly string[]): (collection: Collection, live: Pick<LiveObject, "id">) => boolean {
  return (shown, { id }) =>
    wanted.length === 0 ||
    collectionsOfSpace(shown).some((collection) => overlaps(collection, wanted)) ||
    collectionsThatShow(shown).some((collection) => wanted.includes(`${collection}/${id}`));
}

/** The undeclared objects of a scope. */
function listsOf(
  { lists }: LiveWorld,
  collections: readonly Collection[],
  scope: string,
  undeclared: ReadonlySet<string>,
): ObjectsByKind {
  const here = collections.filter((collection) => collection.scope === scope);
  return Object.fromEntries(
    here.map(({ kind }) => {
      const list = lists.get(listKey(scope, kind));
      const objects = list?.status === "known" ? list.objects : [];
      return [kind, objects.filter((live) => undeclared.has(claimKey(live)))];
    }),
  );
}

function namesBelow({ resources }: DesiredGraph, collection: string): readonly string[] {
  return resources.flatMap(({ address, name }) => (address === `${collection}/${name}` ? [name] : []));
}

/** A resource that could not be identified may be any of the undeclared objects, so none of them can be imported. */
function unsureCollections(unsure: readonly Change[], collections: readonly Collection[]): readonly Diagnostic[] {
  return unsure.flatMap((change): readonly Diagnostic[] => {
    const { address, blocked } = change;
    const left = collections.filter((collection) => mayBeIn(collection, change)).map(addressOf);
    if (left.length === 0) return [];
    const message = `nothing of ${left.join(", ")} can be imported, because ${address} may be one of the objects there`;
    const hint = blocked?.lift ?? "Repair what is wrong with it first, for example with an id.";
    return [{ severity: "warning", code: "not_importable", message, hint, command: blocked?.command, address }];
  });
}

/** Whether a resource that was not identified may be any object of a collection. */
function mayBeIn(collection: Collection, change: Change): boolean {
  return mayContain(collection, { scope: scopeOf(change.address), kind: change.kind });
}

/** Whether the pinned object of a resource is hidden from the key's user. Then it is none of those that a list shows. */
function isHidden({ lists }: LiveWorld, { scope, kind, pin }: Resource): boolean {
  const list = lists.get(listKey(scope, kind));
  return pin !== undefined && list?.status === "known" && list.hidden?.has(pinKey(pin)) === true;
}
