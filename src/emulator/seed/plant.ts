import { insertRow } from "../control/objects.ts";
import { isObject, type JsonObject } from "../json.ts";
import type { Planting } from "./rules.ts";
import type { ResourceDefinition } from "../resource.ts";
import type { Seed } from "./seed.ts";
import type { Service } from "../service.ts";
import type { User } from "../records/user.ts";

/** A resource whose objects can be listed in a seed. */
export type SeededResource = ResourceDefinition & Required<Pick<ResourceDefinition, "seed">>;

/** Puts a checked seed into the store. `owner` becomes an owner of every organization that is not foreign. */
export function plantSeed(service: Service, seed: Seed, owner: User): void {
  plantLists("seed", { service, owner, scope: {}, parent: { ...objectOf(seed) } });
}

/** Lists the resources that an object of a seed may contain, in the order in which they are planted. */
export function resourcesListedIn(parent: string, resources: readonly ResourceDefinition[]): readonly SeededResource[] {
  const listed = resources.filter(
    (resource): resource is SeededResource =>
      resource.seed !== undefined && resource.seed.within.some((name) => name === parent),
  );
  return listed.toSorted((a, b) => Number(b.seed.plantedFirst ?? false) - Number(a.seed.plantedFirst ?? false));
}

function plantLists(parent: string, planting: Planting): void {
  for (const resource of resourcesListedIn(parent, planting.service.resources)) {
    const { list, fallback = [], after } = resource.seed;
    const given = planting.parent[list];
    const items = Array.isArray(given) ? given.map(objectOf) : fallback;
    for (const values of items) plantObject(resource, planting, values);
    after?.(planting);
  }
}

function plantObject(resource: SeededResource, planting: Planting, values: JsonObject): void {
  const { service } = planting;
  const { directives = [], scopeOf } = resource.seed;
  const inner = resourcesListedIn(resource.name, service.resources).map(({ seed }) => seed.list);
  const separated = new Set([...directives, ...inner]);
  const fields = Object.entries(values).filter(([field]) => !separated.has(field));
  const { id } = insertRow(service, resource, planting.scope, Object.fromEntries(fields));
  if (scopeOf !== undefined) plantLists(resource.name, { ...planting, scope: scopeOf(id), parent: values });
}

/** Returns a part of a seed as an object. checkSeed() has verified that it is one. */
function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}
