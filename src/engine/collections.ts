/** The collections of the declared scopes, and which of them show the same objects. */
import type { Client } from "../api/client.ts";
import { isBeyondDocument } from "../api/operations/index.ts";
import type { Kind, ScopeType } from "../kinds/kind.ts";
import { scopesOfKind, addressOf, allKinds, kinds, isDerived } from "../kinds/registry.ts";
import { type Collection, type DesiredGraph, isWithin } from "../model/resource.ts";

/** The addresses of the declared organizations and projects. */
export function scopesOf({ resources, projects }: DesiredGraph): readonly string[] {
  const organizations = resources.filter(({ scope, lifecycle }) => scope === "" && lifecycle.state !== "absent");
  return [...organizations, ...projects].map(({ address }) => address);
}

/**
 * The kinds that have a list in a type of scope, without those that are a part of another one. The profile `document` sends
 * nothing that the interface does not show; there the list of the organization has the same objects.
 */
export function listedKinds(type: ScopeType, profile: Client["profile"]): readonly Kind[] {
  const listed = allKinds.filter((kind) => scopesOfKind(kind.name).includes(type) && !isDerived(kind));
  return listed.filter((kind) => profile !== "document" || !kind.lists.operations(type).some(isBeyondDocument));
}

/**
 * The collections of a scope that may declare the objects of one. Memberships have no list, so they are found through
 * members and invites.
 */
export function collectionsOfSpace({ scope, kind }: Collection): readonly string[] {
  const { idSpace } = kinds[kind].identity;
  return allKinds
    .filter(({ identity }) => identity.idSpace === idSpace)
    .map(({ name }) => addressOf({ scope, kind: name }));
}

/** The addresses of the collections that show an object: an organization shows the batch exports of its projects. */
export function collectionsThatShow({ scope, kind }: Collection): readonly string[] {
  const [organization = scope] = scope.split("/");
  const scopes = [...new Set([scope, organization])];
  return scopes.flatMap((one) => collectionsOfSpace({ scope: one, kind }));
}

/** Whether the objects of a collection may be those of another one in the same organization. */
export function showsTheSame(inner: Collection, outer: Collection): boolean {
  return (
    isWithin(inner.scope, outer.scope) && kinds[inner.kind].identity.idSpace === kinds[outer.kind].identity.idSpace
  );
}
