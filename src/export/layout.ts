/** Which file an exported object gets. */
import { collectionOf, kinds } from "../kinds/registry.ts";
import { groupBy } from "../model/group-by.ts";
import type { ValueObject } from "../model/json/json.ts";
import type { DeclaredOrganization, DeclaredScope } from "./document.ts";
import { isLarge, splitByName } from "./split-collection.ts";
import type { ExportedOrganization, ExportedProject, ExportOptions } from "./types.ts";
import { kindNames } from "../model/kind-name.ts";

interface FilePart {
  readonly name: string;
  readonly organizations: readonly DeclaredOrganization[];
}

/** The files of an export, with what each of them declares. */
export function layOut(exported: readonly ExportedOrganization[], options: ExportOptions): readonly FilePart[] {
  return options.layout === "tree" ? exported.flatMap((one) => treeOf(one, options)) : singleFile(exported, options);
}

/** The name that commands look for in the current folder. */
const SINGLE_FILE = "driftline.yaml";

function singleFile(exported: readonly ExportedOrganization[], options: ExportOptions): readonly FilePart[] {
  if (exported.length === 0) return [];
  const organizations = exported.map((one) => ({
    ...ownPart(one, options),
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
  const beside = { file: `${folder}/organization.yaml`, folder };
  const own = scopeFiles(ownPart(exported, options), nameOnly(exported), beside, options);
  const inner = projects.flatMap((project) => {
    const part = projectPart(project, options);
    const path = `${folder}/projects/${project.key}`;
    const inFolder = { file: `${path}.yaml`, folder: path };
    const files = scopeFiles(part, { ...part, resources: [], noted: [] }, inFolder, options);
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
 * The file of a scope, and the files of its collections that are to be split, or are too large for it.
 *
 * @param reference the scope without its resources, as the files of collections repeat it
 */
function scopeFiles(
  scope: DeclaredScope,
  reference: DeclaredScope,
  { file, folder }: { readonly file: string; readonly folder: string },
  { split: wanted = [] }: ExportOptions,
): readonly ScopeFile[] {
  const groups = kindNames.flatMap((name) => {
    const collection = collectionOf(name);
    const resources = scope.resources.filter(({ kind }) => kind === name);
    const each = wanted.includes(collection)
      ? // Some systems take names for one that only differ in capital letters.
        [...groupBy(resources, (one) => one.name.toLowerCase())].map(([prefix, own]) => ({ prefix, resources: own }))
      : undefined;
    const fileGroups = each ?? (isLarge(resources) ? splitByName(resources) : []);
    return fileGroups.map((group) => ({ ...group, collection }));
  });
  const split = new Set(groups.flatMap(({ resources }) => resources));
  const files = groups.map(({ collection, prefix, resources }) => ({
    name: `${folder}/${collection}/${prefix}.yaml`,
    scope: { ...reference, resources },
  }));
  return [{ name: file, scope: { ...scope, resources: scope.resources.filter((one) => !split.has(one)) } }, ...files];
}

function ownPart(exported: ExportedOrganization, { exclusive = [] }: ExportOptions): DeclaredScope {
  const { organization, resources } = exported;
  const { fields } = isOnlyNamed(exported) ? nameOnly(exported) : organization;
  const complete = exclusive.length === 0 ? {} : { exclusive: exclusive.map((name) => collectionOf(name)) };
  return { key: organization.name, fields: { ...fields, ...complete }, resources, noted: resources };
}

/** Whether no field of the organization is declared but those that find it. */
export function isOnlyNamed({ projectsOnly, idOnly }: ExportedOrganization): boolean {
  return projectsOnly || idOnly;
}

/** The organization as a scope of its projects. With nothing but an id it is not compared. */
function nameOnly({ organization }: ExportedOrganization): DeclaredScope {
  const { id, ...others } = organization.fields;
  const keys = Object.entries(others).filter(([field]) => kinds[organization.kind].identity.keyFields.includes(field));
  const fields: ValueObject = id === undefined ? Object.fromEntries(keys) : { id };
  return { key: organization.name, fields, resources: [], noted: [] };
}

/** The id finds the project. */
function projectPart({ id, name, key, resources }: ExportedProject, { ids }: ExportOptions): DeclaredScope {
  return { key, fields: ids ? { id, ...projectName(name) } : projectName(name), resources, noted: resources };
}

/** The name of a project as it is declared: for readers, unless it has none. */
export function projectName(name: string): ValueObject {
  return name.trim() === "" ? {} : { name };
}
