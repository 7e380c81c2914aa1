import type { Collection, Resource } from "../model/resource.ts";
import { collections, keyedBy, kindScopes, type KindName, kindNames } from "../model/kind-name.ts";
import { kinds } from "./all-kinds.ts";
import { documentedOperations, type OperationName } from "./all-operations.ts";
import { organizationAt } from "./live-organization.ts";
import type { CreateCall, Kind, NeverCreated, ScopeType } from "./kind.ts";
import { isPerson, membersGap } from "./people/people.ts";
import type { LiveWorld } from "../model/live.ts";

export { isPerson, kinds };

/** Every kind, parents before children. */
export const allKinds: readonly Kind[] = kindNames.map((name) => kinds[name]);

/** The key of the configuration under which resources of a kind are declared. */
export function collectionOf(kind: KindName): string {
  return collections[kind];
}

/** What may hold that key. */
export function scopesOfKind(kind: KindName): readonly ScopeType[] {
  return kindScopes[kind];
}

/** Whether resources of a kind are declared under their natural key, an e-mail address, instead of under logical names. */
export function isKeyedByEmail(kind: KindName): boolean {
  return keyedBy[kind] !== undefined;
}

/** The kind that is declared under a key of an organization or of a project. */
export function kindOfCollection(scope: ScopeType, collection: string): Kind | undefined {
  return allKinds.find((kind) => collectionOf(kind.name) === collection && scopesOfKind(kind.name).includes(scope));
}

/**
 * Whether the objects of a kind are scopes: all other kinds are declared in one of them, or in one of its projects. Scopes are created
 * only with `lifecycle.create`, and removed only after their name was typed.
 */
export function isScope({ name }: Pick<Kind, "name">): boolean {
  return scopesOfKind(name).includes("service");
}

/** Whether an object is assembled from objects of other kinds, whose lists are exported and read for undeclared objects. */
export function isDerived({ lists }: Pick<Kind, "lists">): boolean {
  return lists.derived !== undefined;
}

export function createOf({ writes: { create } }: Kind): CreateCall | undefined {
  return typeof create === "function" ? create : undefined;
}

export function neverCreated({ writes: { create } }: Kind): NeverCreated | undefined {
  return typeof create === "function" ? undefined : create;
}

/** Whether a removed object can be restored under its id. */
export function isRestorable({ name, writes }: Kind): boolean {
  const [scope = "service"] = scopesOfKind(name);
  return writes.target(scope, { id: "" }).restore !== undefined;
}

/** The log beside the list of a kind, if there is one: the changes of all its objects, the newest first. */
export function logBeside({ lists }: Kind, scope: string): readonly OperationName[] {
  const beside = lists.operations(scopeType(scope)).map((list) => `${documentedOperations[list].path}/activity`);
  const paths = new Set<string>(beside);
  const all = Object.keys(documentedOperations) as OperationName[];
  return all.filter((name) => paths.has(documentedOperations[name].path));
}

/** The collections that may be declared in a scope. */
export function collectionsOf(scope: ScopeType): readonly string[] {
  return allKinds.filter((kind) => scopesOfKind(kind.name).includes(scope)).map((kind) => collectionOf(kind.name));
}

/** The type of a scope by its address: "" is the service, `acme` an organization, `acme/projects/web` a project. */
export function scopeType(address: string): ScopeType {
  if (address === "") return "service";
  return address.includes("/") ? "project" : "organization";
}

/** A kind and its siblings: the service may move an object between their lists. People are found in each list by their address. */
export function withSiblings(kind: KindName): readonly KindName[] {
  return [kind, ...kindNames.filter((other) => other !== kind && shareIds(other, kind) && !isPerson(kind))];
}

/** The address of a collection, such as `acme/domains`. */
export function addressOf({ scope, kind }: Collection): string {
  return `${scope}/${collectionOf(kind)}`;
}

/** Why the list of a kind at a scope lacks objects that the key's user may not see; undefined if it is whole. */
export function gapAt(world: LiveWorld, scope: string, kind: KindName): string | undefined {
  return isPerson(kind) ? membersGap(organizationAt(world, scope) ?? {}) : undefined;
}

/** The natural keys of a declared resource. */
export function declaredKeys({ kind, values, name }: Pick<Resource, "kind" | "values" | "name">): readonly string[] {
  return kinds[kind].identity.declaredKeys(values, name);
}

/** Whether an id of one kind stands for the same object in the other. */
export function shareIds(a: KindName, b: KindName): boolean {
  return kinds[a].identity.idSpace === kinds[b].identity.idSpace;
}
