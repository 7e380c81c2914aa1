import { kinds } from "../kinds/registry.ts";
import { renderDocument } from "./document.ts";
import { exportOrganizations } from "./organization.ts";
import { createExportSession } from "./session.ts";
import { treeOf } from "./tree.ts";
import type { ExportOptions, ExportOrganization, ExportResult } from "./types.ts";

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
