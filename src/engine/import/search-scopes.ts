/** Where an import looks: what the declared scopes hold that nothing declares, and the collections to read. */
import { scopePathAt } from "../../model/live.ts";
import type { Client } from "../../api/client.ts";
import { titleOf } from "../../export/identity.ts";
import { slugOf, uniqueNames } from "../../export/names.ts";
import { writableName } from "../../export/organization.ts";
import type { ExportSession } from "../../export/session.ts";
import { projectsOf } from "../../kinds/live-organization.ts";
import { scopeType } from "../../kinds/registry.ts";
import { overlaps } from "../../model/plan.ts";
import { type Collection, type DesiredGraph, type ProjectScope } from "../../model/resource.ts";
import { collectionsOfSpace, listedKinds, scopesOf, showsTheSame } from "../collections.ts";
import { type DeclaredScopes, declaredScopes } from "../../plan/declared-world.ts";
import { type World, worldOf } from "../../kinds/world.ts";
import { untilKnown } from "../../world/until-known.ts";

/** Reads the declared organizations and projects, as a plan of `only` does, without listing anything in them. */
export function readScopes(
  client: Client,
  graph: DesiredGraph,
  only: readonly string[] = [],
): Promise<DeclaredScopes & { readonly world: World }> {
  return untilKnown(client, worldOf(), (world) => ({ ...declaredScopes(graph, only, world), world }));
}

/** The projects that declared organizations have, and that nothing declares. */
export function newProjects(
  { resources, projects }: DesiredGraph,
  { resolved, organizations }: DeclaredScopes,
  session: ExportSession,
): readonly ProjectScope[] {
  const declared = new Set(projects.map(({ address }) => scopePathAt(resolved.scopes, address)["project_id"]));
  return resources
    .filter(({ scope }) => scope === "")
    .flatMap(({ address }) => {
      const live = organizations.objects.find(
        ({ id }) => id === scopePathAt(resolved.scopes, address)["organization_id"],
      );
      const prefix = `${address}/projects/`;
      const taken = projects.flatMap((one) => (one.organization === address ? [one.address.slice(prefix.length)] : []));
      const unique = uniqueNames("-", taken);
      return (live === undefined ? [] : (projectsOf(live) ?? []))
        .filter(({ id }) => !declared.has(id))
        .map((project): ProjectScope => {
          const name = writableName(project, address, session);
          const key = unique(slugOf(name, "project"));
          return { address: prefix + key, organization: address, id: project.id, name, position: {} };
        });
    });
}

/** The organizations that nothing declares. */
export function newOrganizations({
  resolved,
  organizations,
}: DeclaredScopes): readonly { readonly id: string; readonly title: string }[] {
  const declared = new Set(
    [...resolved.scopes.keys()].map((scope) => scopePathAt(resolved.scopes, scope)["organization_id"]),
  );
  return organizations.objects
    .filter(({ id }) => !declared.has(id))
    .map((live) => ({ id: live.id, title: titleOf(live) }));
}

/** The collections to look for undeclared objects in: those that are wanted, and those that show the same objects. */
export function collectionsToRead(
  graph: DesiredGraph,
  wanted: readonly string[],
  profile: Client["profile"],
): readonly Collection[] {
  const all = scopesOf(graph).flatMap((scope) => {
    const type = scopeType(scope);
    return listedKinds(type, profile).map(({ name }): Collection => ({ scope, kind: name }));
  });
  if (wanted.length === 0) return all;
  // People are exported as memberships, although no list shows those.
  const chosen = all.filter((one) => collectionsOfSpace(one).some((collection) => overlaps(collection, wanted)));
  return all.filter((one) => chosen.some((other) => showsTheSame(one, other)));
}
