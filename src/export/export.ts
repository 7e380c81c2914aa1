import { compareNaturally } from "../model/compare-text.ts";
import { kinds, allKinds } from "../kinds/registry.ts";
import type { ValueObject } from "../model/json.ts";
import { renderDocument, type DeclaredOrganization, type DeclaredScope } from "./document.ts";
import { collectOrganizations } from "./organization.ts";
import { ExportSession } from "./session.ts";
import { isLarge, splitByName } from "./split-collection.ts";
import type {
  ExportFile,
  ExportOptions,
  ExportOrganization,
  ExportResult,
  ExportSummary,
  ExportedOrganization,
  ExportedProject,
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
  const exported = collectOrganizations(organizations, session);
  const parts =
    options.layout === "tree" ? exported.flatMap((one) => treeOf(one, options)) : singleFile(exported, options);
  const files = parts.map(({ name, organizations: declared }): ExportFile => ({
    name,
    get text() {
      return renderDocument(
        declared,
        session.comments,
        options.schema === undefined ? INSTALLED : options.schema(name),
      );
    },
  }));
  return { files, diagnostics: session.diagnostics, summary: summaryOf(exported, session) };
}

/** The schema, from the folder in which driftline is installed. */
const INSTALLED = "node_modules/driftline/schemas/config.schema.json";

interface FilePart {
  readonly name: string;
  readonly organizations: readonly DeclaredOrganization[];
}

/** The name that commands look for in the current folder. */
const SINGLE_FILE = "driftline.yaml";

function singleFile(exported: readonly ExportedOrganization[], options: ExportOptions): readonly FilePart[] {
  if (exported.length === 0) return [];
  const organizations = exported.map((one) => ({
    ...ownPart(one),
    projects: one.projects.map((project) => projectPart(project, options)),
  }));
  return [{ name: SINGLE_FILE, organizations }];
}

/**
 * A file for the organization's own resources, and one per project, which names the organization only. Large collections have
 * files of their own.
 */
function treeOf(exported: ExportedOrganization, options: ExportOptions): readonly FilePart[] {
  const { organization, projects } = exported;
  const folder = organization.name;
  const isEmpty = isOnlyNamed(exported) && exported.resources.length === 0;
  const own = scopeFiles(ownPart(exported), nameOnly(exported), { file: `${folder}/organization.yaml`, folder });
  const inner = projects.flatMap((project) => {
    const part = projectPart(project, options);
    const path = `${folder}/projects/${project.key}`;
    const files = scopeFiles(part, { ...part, resources: [] }, { file: `${path}.yaml`, folder: path });
    return files.map(({ name, scope }) => ({ name, organizations: [{ ...nameOnly(exported), projects: [scope] }] }));
  });
  const ownFiles = own.map(({ name, scope }): FilePart => ({ name, organizations: [{ ...scope, projects: [] }] }));
  return isEmpty ? inner : [...ownFiles, ...inner];
}

/** A part of a scope, with the file that declares it. */
interface ScopeFile {
  readonly name: string;
  readonly scope: DeclaredScope;
}

/**
 * The file of a scope, and the files of its collections that are too large for it.
 *
 * @param reference the scope without its resources, as the files of collections repeat it
 */
function scopeFiles(
  scope: DeclaredScope,
  reference: DeclaredScope,
  { file, folder }: { readonly file: string; readonly folder: string },
): readonly ScopeFile[] {
  const large = allKinds
    .map(({ name, collection }) => ({ collection, resources: scope.resources.filter(({ kind }) => kind === name) }))
    .filter(({ resources }) => isLarge(resources));
  const split = new Set(large.flatMap(({ resources }) => resources));
  const files = large.flatMap(({ collection, resources }) =>
    splitByName(resources).map((group) => ({
      name: `${folder}/${collection}/${group.prefix}.yaml`,
      scope: { ...reference, resources: group.resources },
    })),
  );
  return [{ name: file, scope: { ...scope, resources: scope.resources.filter((one) => !split.has(one)) } }, ...files];
}

function ownPart(exported: ExportedOrganization): DeclaredScope {
  const { organization, resources } = exported;
  const { fields } = isOnlyNamed(exported) ? nameOnly(exported) : organization;
  return { key: organization.name, fields, resources };
}

/** Whether no field of the organization is declared but those that find it. */
function isOnlyNamed({ projectsOnly, idOnly }: ExportedOrganization): boolean {
  return projectsOnly || idOnly;
}

/** The organization as a scope of its projects. With nothing but an id it is not compared. */
function nameOnly({ organization }: ExportedOrganization): DeclaredScope {
  const { id, ...others } = organization.fields;
  const keys = Object.entries(others).filter(([field]) => kinds[organization.kind].identity.keyFields.includes(field));
  const fields: ValueObject = id === undefined ? Object.fromEntries(keys) : { id };
  return { key: organization.name, fields, resources: [] };
}

/** The id finds the project. */
function projectPart({ id, name, key, resources }: ExportedProject, { ids }: ExportOptions): DeclaredScope {
  return { key, fields: ids ? { id, ...projectName(name) } : projectName(name), resources };
}

/** The name of a project as it is declared: for readers, unless it has none. */
export function projectName(name: string): ValueObject {
  return name.trim() === "" ? {} : { name };
}

function summaryOf(exported: readonly ExportedOrganization[], session: ExportSession): ExportSummary {
  const resources = exported.flatMap((one) => [
    ...(isOnlyNamed(one) ? [] : [one.organization]),
    ...one.resources,
    ...one.projects.flatMap((project) => project.resources),
  ]);
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
    references: [...new Set(session.references.map(([what]) => what))].toSorted(compareNaturally).flatMap((what) => {
      const having = session.references.flatMap(([other, kind]) => (other === what ? [kind] : []));
      return counted(having).map(([kind, count]) => [what, kind, count] as const);
    }),
  };
}
