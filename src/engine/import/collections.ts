/** Where an import looks: the declared scopes, what they hold that nothing declares, and the collections to read. */
import { titleOf } from "../../export/identity.ts";
import { slugOf, uniqueNames } from "../../export/names.ts";
import { allKinds, kinds, projectsOf, scopeType } from "../../kinds/registry.ts";
import { overlaps } from "../../model/plan.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { DesiredGraph, ProjectScope } from "../../model/resource.ts";
import { listedKinds } from "../export/export.ts";
import type { FetchedScopes } from "../fetch.ts";

/** The objects of one kind in one scope. */
export type Collection = DesiredGraph["exclusive"][number];

/** The address of a collection, such as `acme/domains`. */
export function addressOf({ scope, kind }: Collection): string {
  return `${scope}/${kinds[kind].collection}`;
}

/** The addresses of the declared organizations and projects. */
export function scopesOf({ resources, projects }: DesiredGraph): readonly string[] {
  const organizations = resources.filter(({ scope, lifecycle }) => scope === "" && lifecycle.state !== "absent");
  return [...organizations, ...projects].map(({ address }) => address);
}

/** The projects that declared organizations have, and that nothing declares. */
export function newProjects(
  { resources, projects }: DesiredGraph,
  { resolved, organizations }: FetchedScopes,
): readonly ProjectScope[] {
  const idOf = (address: string, key: string): string | undefined => {
    const scope = resolved.scopes.get(address);
    return scope?.status === "known" ? scope.path[key] : undefined;
  };
  const declared = new Set(projects.map(({ address }) => idOf(address, "project_id")));
  return resources
    .filter(({ scope }) => scope === "")
    .flatMap(({ address }) => {
      const live = organizations.objects.find(({ id }) => id === idOf(address, "organization_id"));
      const prefix = `${address}/projects/`;
      const taken = projects.flatMap((one) => (one.organization === address ? [one.address.slice(prefix.length)] : []));
      const unique = uniqueNames("-", taken);
      return (live === undefined ? [] : (projectsOf(live) ?? []))
        .filter(({ id }) => !declared.has(id))
        .map(({ id, name }): ProjectScope => ({
          address: prefix + unique(slugOf(name, "project")),
          organization: address,
          id,
          name,
          position: {},
        }));
    });
}

/** The organizations that nothing declares. */
export function newOrganizations({
  resolved,
  organizations,
}: FetchedScopes): readonly { readonly id: string; readonly title: string }[] {
  const declared = new Set(
    [...resolved.scopes.values()].map((scope) =>
      scope.status === "known" ? scope.path["organization_id"] : undefined,
    ),
  );
  return organizations.objects
    .filter(({ id }) => !declared.has(id))
    .map((live) => ({ id: live.id, title: titleOf(live) }));
}

/** The collections to look for undeclared objects in: those that are wanted, and those that show the same objects. */
export function collectionsToRead(
  graph: DesiredGraph,
  wanted: readonly string[],
  documentOnly: boolean,
): readonly Collection[] {
  const all = scopesOf(graph).flatMap((scope) => {
    const type = scopeType(scope);
    return listedKinds(type, documentOnly).map(({ name }): Collection => ({ scope, kind: name }));
  });
  if (wanted.length === 0) return all;
  const isWanted = ({ scope, kind }: Collection): boolean =>
    overlaps(addressOf({ scope, kind }), wanted) ||
    // People are exported as memberships, although no list shows those.
    kindsOfSpace(kind).some((name) => overlaps(addressOf({ scope, kind: name }), wanted));
  const chosen = all.filter(isWanted);
  return all.filter((one) => chosen.some((other) => showsTheSame(one, other)));
}

/** The kinds that share their ids with a kind, itself included. */
export function kindsOfSpace(kind: KindName): readonly KindName[] {
  return allKinds.filter(({ idSpace }) => idSpace === kinds[kind].idSpace).map(({ name }) => name);
}

function showsTheSame(one: Collection, other: Collection): boolean {
  const isNear = one.scope === other.scope || one.scope.startsWith(`${other.scope}/`);
  return isNear && kinds[one.kind].idSpace === kinds[other.kind].idSpace;
}
