/**
 * Decides where imported resources are written.
 *
 * Premise: a new resource belongs where people would look for it, and where driftline reads it again.
 * Algorithm: what is in a declared scope goes to the others of its kind if one document has all of them, or if an export has split
 * them by their names. Otherwise it goes below the declaration of the scope. A new project goes to the other projects of its
 * organization: into a file beside theirs if each has its own, else below the declaration of the organization.
 */
import { readdirSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { isProgram, isSkipped } from "../../config/source/files.ts";
import type { LoadedConfig } from "../../config/index.ts";
import type { Comments, Edit, EditSource } from "../../edit/edit.ts";
import { renderDocument } from "../../export/document.ts";
import { projectName } from "../../export/layout.ts";
import { collectionOf, addressOf } from "../../kinds/registry.ts";
import type { Position } from "../../model/diagnostic.ts";
import type { ValueObject } from "../../model/json/json.ts";
import { pointer } from "../../model/pointer.ts";
import { groupBy } from "../../model/group-by.ts";
import { keyIn, type ProjectScope } from "../../model/resource.ts";
import { type PreparedEdits, type PreparedFile, prepareEdits } from "../../edit/files.ts";
import type { ImportCandidate, Importable } from "./candidates.ts";
import { type SplitFile, splitFileFor } from "./split-file.ts";

export interface ImportSource extends EditSource {
  /** The addresses of the resources in it. */
  readonly addresses: readonly string[];
}

/** Where files are read and written. */
export interface ImportFolders {
  readonly cwd: string;
  /** Absolute paths of the folders that are read completely. A new file has to be in one of them. */
  readonly folders: readonly string[];
  /** Where an editor finds the schema of a file in a folder: a URL, or a path from the folder. */
  readonly schema: (folder: string) => string | undefined;
}

export interface ImportEdits {
  /** Edits of the files that were loaded. */
  readonly edits: readonly Edit<ImportSource>[];
  readonly newFiles: readonly PreparedFile<ImportSource>[];
}

/**
 * Prepares the files that declare the candidates. Writes nothing.
 *
 * @throws EngineError `stale` if a file is no longer as it was loaded
 */
export async function prepareImport(
  candidates: readonly ImportCandidate[],
  importable: Pick<Importable, "projects" | "comments">,
  config: LoadedConfig,
  where: ImportFolders,
): Promise<PreparedEdits<ImportSource>> {
  const { edits, newFiles } = importEdits(candidates, importable, config, where);
  const { files, manual } = await prepareEdits(edits, config, where.cwd);
  return { files: [...files, ...newFiles], manual };
}

/**
 * Returns what declares the candidates: each in an edit of its own, or with the others of a new project. A new file takes the name of
 * no other one.
 */
export function importEdits(
  candidates: readonly ImportCandidate[],
  { projects, comments }: Pick<Importable, "projects" | "comments">,
  config: LoadedConfig,
  where: ImportFolders,
): ImportEdits {
  const targets = new ImportTargets(config, comments, where);
  for (const scope of new Set(candidates.map((one) => one.scope))) {
    const ofScope = candidates.filter((one) => one.scope === scope);
    const project = projects.find(({ address }) => address === scope);
    if (project === undefined) for (const candidate of ofScope) targets.add(candidate);
    else targets.addProject(project, ofScope);
  }
  return { edits: targets.edits, newFiles: targets.newFiles() };
}

/** Collects the edits of existing files, and what new files declare. */
class ImportTargets {
  readonly edits: Edit<ImportSource>[] = [];
  /** By their paths, because links lead to one file under several names. */
  readonly #files = new Map<string, NewFile>();
  readonly #config: LoadedConfig;
  readonly #comments: Comments;
  readonly #where: ImportFolders;
  readonly #positions: ReadonlyMap<string, Position>;

  constructor(config: LoadedConfig, comments: Comments, where: ImportFolders) {
    this.#config = config;
    this.#comments = comments;
    this.#where = where;
    const { resources, projects } = config.graph;
    this.#positions = new Map([...resources, ...projects].map(({ address, position }) => [address, position]));
  }

  /** Adds a resource to a scope that is declared. */
  add(candidate: ImportCandidate): void {
    const target = targetFor(candidate, this.#config, (file) => this.#isFree(file, candidate.scope));
    if (target === undefined) this.#declare(candidate, this.#positions.get(candidate.scope) ?? {});
    else if ("position" in target) this.#declare(candidate, target.position);
    else this.#addToFile(target.newFile, declaredScope(candidate, this.#config), candidate);
  }

  /**
   * Whether resources of a scope can be declared in a new file of this name: no file has the name, unless it is a new one of the same
   * scope, and the next run will read the file.
   */
  #isFree(file: string, scope: string): boolean {
    const planned = this.#files.get(realPathOf(this.#where.cwd, file));
    const isOurs = planned === undefined || planned.resources[0]?.scope === scope;
    const path = resolve(this.#where.cwd, file);
    return isOurs && !isTaken(path) && this.#where.folders.some((folder) => isFoundIn(path, folder));
  }

  /** Adds a project that nothing declares, with its resources. */
  addProject(project: ProjectScope, own: readonly ImportCandidate[]): void {
    const { address, organization, id = "", name = "" } = project;
    const key = keyIn(address);
    const fields = { id, ...projectName(name) };
    const file = fileForProject(project, this.#config, this.#where, (one) => this.#isFree(one, address));
    if (file !== undefined) {
      for (const candidate of own) this.#addToFile(file, { organization, project: { key, fields } }, candidate);
      return;
    }
    const value = { [key]: { ...fields, ...collectionsTree(own) } };
    const source = { address, addresses: own.map((one) => one.address) };
    this.#edit({ at: this.#positions.get(organization) ?? {}, path: pointer("projects"), value, source });
  }

  newFiles(): readonly PreparedFile<ImportSource>[] {
    const { schema } = this.#where;
    // It is watched as the other files are.
    const form = { schema, reporting: this.#config.graph.reporting !== undefined };
    return [...this.#files.values()].map((file) => prepareNewFile(file, this.#comments, form));
  }

  #declare(candidate: ImportCandidate, at: Position): void {
    this.#edit(declaration(candidate, at));
  }

  #edit(edit: Edit<ImportSource>): void {
    this.edits.push({ ...edit, add: true, comments: this.#comments });
  }

  #addToFile(file: string, scope: NewFileScope, candidate: ImportCandidate): void {
    const path = realPathOf(this.#where.cwd, file);
    const known = this.#files.get(path);
    if (known === undefined) this.#files.set(path, { file, path, scope, resources: [candidate] });
    else known.resources.push(candidate);
  }
}

/** Declares a candidate below the key of its scope, or of its collection. */
function declaration({ kind, name, fields, address }: ImportCandidate, at: Position): Edit<ImportSource> {
  const source = { address, addresses: [address] };
  return { at, path: pointer(collectionOf(kind)), value: { [name]: fields }, source };
}

/** A file that does not exist yet, with what it declares. */
interface NewFile {
  readonly file: string;
  readonly path: string;
  readonly scope: NewFileScope;
  readonly resources: ImportCandidate[];
}

interface NewFileScope {
  /** The key of the organization. */
  readonly organization: string;
  readonly project?: { readonly key: string; readonly fields: ValueObject } | undefined;
}

function prepareNewFile(
  { file, path, scope: { organization, project }, resources }: NewFile,
  comments: Comments,
  { schema, reporting }: Pick<ImportFolders, "schema"> & { readonly reporting: boolean },
): PreparedFile<ImportSource> {
  const edits = resources.map((one) => declaration(one, { file }));
  const textWith = (some: readonly Pick<Edit, "value">[]): string => {
    const values = new Set(some.map(({ value }) => value));
    const chosen = resources.filter((_, index) => values.has(edits[index]?.value));
    const direct = project === undefined ? chosen : [];
    // A file beside those of a scope repeats no notes.
    const noted = Object.keys(project?.fields ?? {}).length === 0 ? [] : chosen;
    const projects = project === undefined ? [] : [{ ...project, resources: chosen, noted }];
    return renderDocument(
      [{ key: organization, fields: {}, resources: direct, noted: [], projects }],
      comments,
      schema(dirname(file)),
      reporting,
    );
  };
  return { file, path, textWith, before: "", after: textWith(edits), edits };
}

/** The place beside the others of a collection. Undefined if they are in several files, and no rule says which is right. */
function targetFor(
  { collection, name, kind }: ImportCandidate,
  { collectionPlaces, graph }: LoadedConfig,
  isFree: (file: string) => boolean,
): SplitFile | undefined {
  const places = collectionPlaces.get(collection) ?? [];
  const names = graph.resources.filter((one) => addressOf(one) === collection).map((one) => one.name);
  const [only, ...others] = places;
  const beside = splitFileFor(name, collectionOf(kind), places, names, isFree);
  return beside ?? (only === undefined || others.length > 0 ? undefined : { position: only });
}

/** The scope of a resource, as a new file names it. What the scope itself declares is in another file. */
function declaredScope({ scope }: ImportCandidate, { graph }: LoadedConfig): NewFileScope {
  const project = graph.projects.find(({ address }) => address === scope);
  if (project === undefined) return { organization: scope };
  return { organization: project.organization, project: { key: keyIn(scope), fields: {} } };
}

function collectionsTree(candidates: readonly ImportCandidate[]): ValueObject {
  const groups = groupBy(candidates, ({ kind }) => collectionOf(kind));
  const named = (group: readonly ImportCandidate[]): ValueObject =>
    Object.fromEntries(group.map(({ name, fields }) => [name, fields]));
  return Object.fromEntries([...groups].map(([collection, group]) => [collection, named(group)]));
}

/** A file for a new project, if the other projects of its organization have files of their own. Relative to `cwd`. */
function fileForProject(
  project: ProjectScope,
  { graph }: LoadedConfig,
  { cwd, folders }: ImportFolders,
  isFree: (file: string) => boolean,
): string | undefined {
  const organization = graph.resources.find(({ address }) => address === project.organization)?.position.file;
  const siblings = graph.projects.filter((one) => one.organization === project.organization);
  const filesBeside = siblings.flatMap(({ position: { file } }) =>
    file === undefined || file === organization ? [] : [file],
  );
  const folder = filesBeside
    .map((file) => dirname(resolve(cwd, file)))
    .find((one) => folders.some((read) => isFoundIn(one, read)));
  const base = keyIn(project.address);
  if (folder === undefined || filesBeside.some(isProgram) || isSkipped(base)) return undefined;
  for (let count = 1; ; count++) {
    const path = join(folder, `${base}${count === 1 ? "" : `-${count}`}.yaml`);
    const file = relative(cwd, path).split(sep).join("/");
    if (isFree(file)) return file;
  }
}

/** Whether the search in a folder finds what has this path. The steps to a path outside are ".." and so skipped, too. */
function isFoundIn(path: string, folder: string): boolean {
  return !relative(folder, path).split(sep).some(isSkipped);
}

/** Whether a file has this name, also if it differs in capital letters: some systems take both for one. */
function isTaken(path: string): boolean {
  const name = basename(path).toLowerCase();
  return readdirSync(dirname(path)).some((other) => other.toLowerCase() === name);
}

/** The path of a file whose folder exists, without links. */
function realPathOf(cwd: string, file: string): string {
  const path = resolve(cwd, file);
  return join(realpathSync(dirname(path)), basename(path));
}
