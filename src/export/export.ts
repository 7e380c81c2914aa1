import { kinds } from "../kinds/registry.ts";
import type { ValueObject } from "../model/json.ts";
import { renderDocument } from "./document.ts";
import { exportOrganization } from "./organization.ts";
import { exportResources } from "./resources.ts";
import { startSession } from "./session.ts";
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
  const session = startSession(options);
  const byObject = new Map(organizations.map((one) => [one.organization, one]));
  const exported = exportResources([...byObject.keys()], { type: "service", address: "" }, session);
  const files = exported.flatMap((resource) => {
    const organization = byObject.get(resource.live);
    if (organization === undefined) return [];
    const tree: ValueObject = { [resource.name]: exportOrganization(resource, organization, session) };
    const document = { driftline: 1, [kinds.organization.collection]: tree };
    return [{ name: `${resource.name}.yaml`, text: renderDocument(document, session.comments) }];
  });
  return { files, diagnostics: session.diagnostics };
}
