import { allKinds } from "../kinds/registry.ts";
import type { ValueObject } from "../model/json.ts";
import type { ExportedResources, ExportedOrganization, ExportedProject } from "./types.ts";

/** An organization as it stands under its name in the configuration. */
export function treeOf(
  { organization, resources, projects }: ExportedOrganization,
  { ids }: { readonly ids: boolean },
): ValueObject {
  const inner = projects.map((project): [string, ValueObject] => [project.key, projectTree(project, ids)]);
  return { ...organization.fields, ...collectionsOf(resources), ...filled({ projects: Object.fromEntries(inner) }) };
}

function projectTree({ id, name, resources }: ExportedProject, ids: boolean): ValueObject {
  return { ...(ids ? { id } : { name }), ...collectionsOf(resources) };
}

function collectionsOf(resources: readonly ExportedResources[]): ValueObject {
  const collections = allKinds.map(({ name, collection }): [string, ValueObject] => {
    const own = resources.filter(({ kind }) => kind === name);
    return [collection, Object.fromEntries(own.map((resource) => [resource.name, resource.fields]))];
  });
  return filled(Object.fromEntries(collections));
}

function filled(collections: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(collections).filter(([, value]) => Object.keys(value ?? {}).length > 0));
}
