import { compareNaturally } from "../model/compare-text.ts";
import { allKinds } from "../kinds/registry.ts";
import { renderDocument } from "./document.ts";
import { isOnlyNamed, layOut } from "./layout.ts";
import { collectOrganizations } from "./organization.ts";
import { namedOrganization } from "./references.ts";
import { ExportSession } from "./session.ts";
import type {
  ExportFile,
  ExportOptions,
  ExportOrganization,
  ExportResult,
  ExportSummary,
  ExportedOrganization,
  ExportedResource,
} from "./types.ts";

/**
 * Exports live organizations as configuration. With ids, a plan against the same service is empty. Without ids, the
 * configuration can be applied to another organization as well. Secrets become `${secret:NAME}`. The result does not depend on
 * the order of the lists.
 *
 * @example
 * const { files, diagnostics } = exportConfiguration([{ organization, lists: { domain }, projects: [] }], { ids: true });
 */
export function exportConfiguration(
  organizations: readonly ExportOrganization[],
  options: ExportOptions,
): ExportResult & { readonly summary: ExportSummary } {
  const session = new ExportSession(options);
  const exported = collectOrganizations(organizations, session).map((one) => namedOrganization(one, session));
  for (const resource of exported.flatMap(resourcesIn)) session.notePage(resource, options.pageOf?.(resource.live));
  const files = layOut(exported, options).map(({ name, organizations: declared }): ExportFile => ({
    name,
    get text() {
      return renderDocument(
        declared,
        session.comments,
        options.schema === undefined ? INSTALLED : options.schema(name),
        // A file without ids leaves out what names other objects by theirs.
        options.ids,
      );
    },
  }));
  return { files, diagnostics: session.diagnostics, summary: summaryOf(exported, session) };
}

/** The schema, from the folder in which driftline is installed. */
const INSTALLED = "node_modules/driftline/schemas/config.schema.json";

function resourcesIn({ resources, projects }: ExportedOrganization): readonly ExportedResource[] {
  return [...resources, ...projects.flatMap((project) => project.resources)];
}

function summaryOf(exported: readonly ExportedOrganization[], session: ExportSession): ExportSummary {
  const resources = exported.flatMap((one) => [...(isOnlyNamed(one) ? [] : [one.organization]), ...resourcesIn(one)]);
  const counted = (names: readonly string[]): ExportSummary["counts"] =>
    allKinds.flatMap(({ name }) => {
      const count = names.filter((other) => other === name).length;
      return count === 0 ? [] : [[name, count]];
    });
  return {
    counts: counted(resources.map(({ kind }) => kind)),
    projects: exported.reduce((sum, { projects }) => sum + projects.length, 0),
    expiredInvites: session.expired.length,
    secrets: [...session.secrets.values()],
    incomplete: counted(session.incomplete),
    references: [...session.references]
      .map(([name, found]) => ({ name, ...found }))
      .toSorted((left, right) => compareNaturally(left.name, right.name)),
  };
}
