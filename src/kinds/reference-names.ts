/** The names that stand for an object in the place of its id: the key under which it is declared, and its natural keys. */
import { isWanted, keyIn, type DesiredGraph, type Resource } from "../model/resource.ts";
import { kinds } from "./all-kinds.ts";
import { naturalKey } from "./keys.ts";
import { isIdOf, type Reference, type Referred } from "./references.ts";

/** A declared object that references may name. */
export interface DeclaredObject {
  readonly address: string;
  /** Its key, and its natural keys. */
  readonly names: readonly string[];
  /** The declared id. */
  readonly id?: string | undefined;
  /** Absent for a project. */
  readonly resource?: Resource;
}

/** The natural keys that a name may be. */
export function keysForName(to: Referred, name: string): readonly string[] {
  if (to === "project") return naturalKey(name);
  const { keyFields, declaredKeys } = kinds[to].identity;
  return declaredKeys(Object.fromEntries(keyFields.map((field) => [field, name])), name);
}

/** What is declared in a scope of what a reference is to. */
export function declaredIn(
  graph: Pick<DesiredGraph, "resources" | "projects">,
  scope: string,
  to: Referred,
): readonly DeclaredObject[] {
  if (to === "project")
    return graph.projects
      .filter(({ organization }) => organization === scope)
      .map(({ address, id, name }) => ({ address, names: [keyIn(address), ...naturalKey(name)], id }));
  return graph.resources
    .filter((one) => one.kind === to && one.scope === scope)
    .map((resource) => ({
      address: resource.address,
      names: [resource.name, ...kinds[to].identity.declaredKeys(resource.values, resource.name)],
      id: resource.pin?.value,
      resource,
    }));
}

/** Whether a reference names a declared object, by its key or by a natural key. */
export function isNamed(
  { to, text }: Pick<Reference, "to" | "text">,
  { names: [name, ...keys] }: Pick<DeclaredObject, "names">,
): boolean {
  return (name !== "" && name === text) || keysForName(to, text).some((key) => keys.includes(key));
}

/** An object with the names that stand for it, its key first. */
export interface NamedObject {
  readonly id?: string | null | undefined;
  readonly names: readonly string[];
}

/** The name that stands for the object with an id, and for none of the others; undefined if there is none. */
export function nameAmong(
  { to, text }: Pick<Reference, "to" | "text">,
  objects: readonly NamedObject[],
): string | undefined {
  const found = objects.find(({ id }) => id?.toLowerCase() === text.toLowerCase());
  const isUnique = (name: string): boolean => objects.filter((one) => isNamed({ to, text: name }, one)).length === 1;
  return found?.names.toReversed().find((name) => name !== "" && !isIdOf(to, name) && isUnique(name));
}

/** Whether a declared object is not to exist. */
export function isToGo({ resource }: DeclaredObject): boolean {
  return resource !== undefined && !isWanted(resource.lifecycle) && resource.lifecycle.forget !== true;
}
