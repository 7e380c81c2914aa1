/**
 * Finds the documents that people think of when they look for a scope.
 *
 * Premise: several teams may declare something of one organization or project, each in a file of its own. What belongs to the
 * scope itself, such as its id, must not be written into the file of a team.
 */
import { allKinds } from "../../kinds/registry.ts";
import type { Position } from "../../model/diagnostic.ts";
import { mapMembers, positionOf, type Member } from "../tree/tree.ts";
import type { ScopeDeclaration } from "./merge.ts";

/** The key that declares most of the fields of a scope. Of several, the first one in YAML, which can be edited. */
export function placeOf({ keys, own }: Pick<ScopeDeclaration, "keys" | "own">): Member {
  const rank = (key: Member): number => {
    const fields = [...(mapMembers(key.value)?.keys() ?? [])].filter((field) => own.has(field)).length;
    return 2 * fields + (isYaml(key) ? 1 : 0);
  };
  return keys.reduce((best, key) => (rank(key) > rank(best) ? key : best));
}

function isYaml({ mark }: Member): boolean {
  return typeof mark === "number";
}

/**
 * The keys of scopes that alone declare resources of a kind, by the address of the collection, such as `acme/domains`. Programs
 * do not count, because nothing can be written into them.
 */
export function collectionPlaces(scopes: readonly ScopeDeclaration[]): ReadonlyMap<string, Position> {
  const places = scopes.flatMap(({ address, type, keys }) =>
    allKinds
      .filter((kind) => kind.scopes.includes(type))
      .flatMap(({ collection }): readonly (readonly [string, Position])[] => {
        const [only, more] = keys.filter((key) => isYaml(key) && mapMembers(key.value)?.has(collection));
        return only === undefined || more !== undefined ? [] : [[`${address}/${collection}`, positionOf(only)]];
      }),
  );
  return new Map(places);
}
