/**
 * Finds the live objects that nothing declares, and writes them as resources.
 *
 * Terms: a candidate is an object that can be imported, in the form in which it would be declared.
 * Premise: what a resource may refer to must not be declared a second time.
 * Algorithm: plan as if every kind were exclusive, and all projects were declared. What such a plan would remove or leave alone
 * is declared by nothing, unless a resource that was not identified may be it. Hand those objects to the exporter, with the
 * names that the configuration uses already.
 */
import { registerConfigSecrets } from "../../config/index.ts";
import { collectScope } from "../../export/organization.ts";
import { titleOf } from "../../export/identity.ts";
import { createExportSession, type ExportSession } from "../../export/session.ts";
import type { ExportedResource, Lists } from "../../export/types.ts";
import { scopeType } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { listKey, type LiveObject, type LiveSnapshot } from "../../model/live.ts";
import { overlaps, type Plan } from "../../model/plan.ts";
import type { DesiredGraph, ProjectScope } from "../../model/resource.ts";
import { isUnidentified } from "../../plan/plan.ts";
import { claimKey, mayContain } from "../../plan/match.ts";
import type { SnapshotResult } from "../../snapshot/snapshot.ts";
import type { EngineInput } from "../context.ts";
import { fetchScopes } from "../fetch.ts";
import {
  addressOf,
  collectionsToRead,
  kindsOfSpace,
  newOrganizations,
  newProjects,
  scopesOf,
  type Collection,
} from "./collections.ts";
import { withoutMissingRoutes } from "../export/unread-lists.ts";
import { fetchAndPlan } from "../plan.ts";
import { redactDiagnostics } from "../redact.ts";
import { readPriorState } from "../prior-state.ts";
import { selectWarnings } from "../warnings.ts";

/** An object that can be imported, as it would be declared. */
export interface Candidate extends ExportedResource {
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
  readonly candidates: readonly Candidate[];
  /** Projects of declared organizations that nothing declares, with the addresses that they would get. */
  readonly projects: readonly ProjectScope[];
  /** Organizations that nothing declares. They are exported, not imported. */
  readonly organizations: readonly { readonly id: string; readonly title: string }[];
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
  const found = await fetchScopes(client, config.graph);
  const projects = newProjects(config.graph, found);
  const whole = { ...config.graph, projects: [...config.graph.projects, ...projects] };
  const exclusive = collectionsToRead(whole, wanted, client.profile === "document");
  // No list shows memberships, so they are no collection of their own.
  const collections = exclusive.flatMap(({ scope, kind }) =>
    kindsOfSpace(kind).map((name) => addressOf({ scope, kind: name })),
  );
  // A resource outside may be one of the objects as well: an organization shows the batch exports of its projects.
  const near = config.graph.resources.filter((resource) => exclusive.some((one) => mayContain(one, resource)));
  const only = wanted.length === 0 ? [] : [...collections, ...near.map(({ address }) => address)];
  const planned = await fetchAndPlan(
    { ...input, config: { ...config, graph: { ...whole, exclusive } }, options: { prune: false, only, rotate: [] } },
    await readPriorState(context, client),
  );
  const { plan, snapshot } = planned;
  const session = createExportSession(
    {
      ids: true,
      isSecret: (text) => context.redactor.known(text) !== text,
      takenNames: (collection) => namesBelow(config.graph, collection),
      takenSecrets: config.secrets.flatMap(({ names }) => names),
    },
    { hint: "as ${secret:...}", addsRequired: false },
  );
  const undeclared = undeclaredClaims(plan, snapshot);
  const readable = exclusive.filter((collection) => !plan.changes.some((change) => mayBeIn(collection, change)));
  const scopes = scopesOf(whole).toSorted((a, b) => b.split("/").length - a.split("/").length);
  const candidates = scopes.flatMap((scope) =>
    collectScope(
      listsOf(snapshot, readable, scope, undeclared),
      { type: scopeType(scope), address: scope },
      session,
    ).map((resource): Candidate => ({
      ...resource,
      scope,
      collection: addressOf({ scope, kind: resource.kind }),
      title: titleOf(resource.live),
    })),
  );
  const isWanted = ({ scope, kind }: Candidate): boolean =>
    wanted.length === 0 || kindsOfSpace(kind).some((name) => overlaps(addressOf({ scope, kind: name }), wanted));
  return {
    candidates: candidates.filter(isWanted).toSorted((a, b) => (a.scope < b.scope ? -1 : Number(a.scope > b.scope))),
    projects,
    organizations: newOrganizations(found),
    declared: plan.changes.filter(({ work }) => work?.resource !== undefined),
    collections: [...new Set(collections)],
    comments: session.comments,
    diagnostics: redactDiagnostics(
      [
        ...readingErrors(planned.fetched.diagnostics, snapshot, whole),
        ...plan.diagnostics.filter(({ severity }) => severity === "error"),
        ...unsureCollections(plan.changes, exclusive),
        ...selectWarnings(session.diagnostics, wanted),
      ],
      context.redactor,
    ),
  };
}

/** The live objects that nothing declares, whether a plan would leave them alone or prune them. */
function undeclaredClaims({ unmanaged, changes }: Plan, { lists }: LiveSnapshot): ReadonlySet<string> {
  const pruned = changes.flatMap(({ work }) => (work?.resource === undefined ? (work?.live ?? []) : []));
  const nameOf = ({ kind, scope, id }: Pick<LiveObject, "kind" | "scope" | "id">): string => `${kind} ${scope} ${id}`;
  const left = new Set([...unmanaged, ...pruned].map(nameOf));
  const objects = [...lists.values()].flatMap((list) => (list.status === "known" ? list.objects : []));
  return new Set(objects.filter((live) => left.has(nameOf(live))).map(claimKey));
}

/** The undeclared objects of a scope. */
function listsOf(
  { lists }: LiveSnapshot,
  collections: readonly Collection[],
  scope: string,
  undeclared: ReadonlySet<string>,
): Lists {
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

/** What could not be read, without routes that only some services have. */
function readingErrors(
  diagnostics: readonly Diagnostic[],
  { lists }: LiveSnapshot,
  graph: DesiredGraph,
): readonly Diagnostic[] {
  const organizations = scopesOf(graph).filter((scope) => scopeType(scope) === "organization");
  return organizations.reduce<SnapshotResult>(
    (reading, organization) => {
      const projects = graph.projects.filter((one) => one.organization === organization);
      return withoutMissingRoutes(
        reading,
        organization,
        projects.map(({ address }) => address),
      );
    },
    { lists, diagnostics, stats: [] },
  ).diagnostics;
}

/** A resource that could not be identified may be any of the undeclared objects, so none of them can be imported. */
function unsureCollections(changes: readonly Change[], collections: readonly Collection[]): readonly Diagnostic[] {
  return changes.flatMap((change): readonly Diagnostic[] => {
    const { address, blocked } = change;
    const left = collections.filter((collection) => mayBeIn(collection, change)).map(addressOf);
    if (left.length === 0) return [];
    const message = `nothing of ${left.join(", ")} can be imported, because ${address} may be one of the objects there`;
    const hint = blocked?.lift ?? "Repair what is wrong with it first, for example with an id.";
    return [{ severity: "warning", code: "not_importable", message, hint, address }];
  });
}

/** Whether a resource may be any object of a collection. */
function mayBeIn(collection: Collection, change: Change): boolean {
  const scope = change.address.split("/").slice(0, -2).join("/");
  return isUnidentified(change) && mayContain(collection, { scope, kind: change.kind });
}
