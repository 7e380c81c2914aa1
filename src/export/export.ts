import { kinds, allKinds } from "../kinds/registry.ts";
import { renderDocument } from "./document.ts";
import { exportOrganizations } from "./organization.ts";
import { createExportSession } from "./session.ts";
import type {
  ExportOptions,
  ExportOrganization,
  ExportResult,
  ExportedResources,
  ExportedOrganization,
  ExportedProject,
} from "./types.ts";
import type { ValueObject } from "../model/json.ts";

/**
 * The configuration of live organizations, a file for each. With ids, a plan of it on the same service is empty; without,
 * it can be applied to another organization. Secrets become `${secret:NAME}`. The order of the lists makes no difference.
 *
 * @example
 * const { files, diagnostics } = exportConfiguration([{ organization, lists: { domain }, projects: [] }], { ids: true });
 */
export function exportConfiguration(
  organizations: readonly ExportOrganization[],
  options: ExportOptions,
): ExportResult {
  const session = createExportSession(options, { hint: "as ${secret:...}", isHeld: false });
  const files = exportOrganizations(organizations, session).map((exported) => {
    const { name } = exported.organization;
    const document = { driftline: 1, [kinds.organization.collection]: { [name]: treeOf(exported, options) } };
    return { name: `${name}.yaml`, text: renderDocument(document, session.comments, options.up) };
  });
  return { files, diagnostics: session.diagnostics };
}

/** An organization as it stands under its name in the configuration. */
function treeOf(
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
