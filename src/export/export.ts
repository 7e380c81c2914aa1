import { kinds, allKinds } from "../kinds/registry.ts";
import { renderDocument } from "./document.ts";
import { collectOrganizations } from "./organization.ts";
import { fieldsNotShown } from "./resources.ts";
import { createExportSession, type ExportSession } from "./session.ts";
import type {
  ExportOptions,
  ExportOrganization,
  ExportResult,
  ExportedResource,
  ExportedOrganization,
  ExportedProject,
} from "./types.ts";
import type { ValueObject } from "../model/json.ts";

/**
 * Exports live organizations as configuration, one file for each. With ids, a plan against the same service is empty. Without
 * ids, the configuration can be applied to another organization. Secrets become `${secret:NAME}`. The result does not depend on
 * the order of the lists.
 *
 * @example
 * const { files, diagnostics } = exportConfiguration([{ organization, lists: { domain }, projects: [] }], { ids: true });
 */
export function exportConfiguration(
  organizations: readonly ExportOrganization[],
  options: ExportOptions,
): ExportResult {
  const session = createExportSession(options, { hint: "as ${secret:...}", addsRequired: false });
  const files = collectOrganizations(organizations, session).map((exported) => {
    const { name } = exported.organization;
    const tree = organizationTree(exported, options, session.comments);
    const document = { driftline: 1, [kinds.organization.collection]: { [name]: tree } };
    return { name: `${name}.yaml`, text: renderDocument(document, session.comments, options.up) };
  });
  return { files, diagnostics: session.diagnostics };
}

type Comments = ExportSession["comments"];

/** The mapping under the name of an organization in the configuration. */
function organizationTree(
  { organization, resources, projects }: ExportedOrganization,
  { ids }: { readonly ids: boolean },
  comments: Comments,
): ValueObject {
  const inner = projects.map((project): [string, ValueObject] => [project.key, projectTree(project, ids, comments)]);
  return {
    ...organization.fields,
    ...collectionsTree(resources, comments),
    ...withoutEmpty({ projects: Object.fromEntries(inner) }),
  };
}

function projectTree({ id, name, resources }: ExportedProject, ids: boolean, comments: Comments): ValueObject {
  return { ...(ids ? { id } : { name }), ...collectionsTree(resources, comments) };
}

function collectionsTree(resources: readonly ExportedResource[], comments: Comments): ValueObject {
  const collections = allKinds.map(({ name, collection }): [string, ValueObject] => {
    const own = resources.filter(({ kind }) => kind === name);
    const tree: ValueObject = Object.fromEntries(own.map((resource) => [resource.name, resource.fields]));
    const note = fieldsNotShown(name, own);
    if (note !== undefined) comments.set(tree, note);
    return [collection, tree];
  });
  return withoutEmpty(Object.fromEntries(collections));
}

function withoutEmpty(collections: ValueObject): ValueObject {
  return Object.fromEntries(Object.entries(collections).filter(([, value]) => Object.keys(value ?? {}).length > 0));
}
