/**
 * Decides where imported resources are written.
 *
 * Premise: a new resource belongs where people would look for it, and where driftline reads it again.
 * Algorithm: what is in a declared scope goes to the others of its kind if one document has all of them, else below the
 * declaration of the scope. A new project goes to the other projects of its
 * organization: into a file beside theirs if each has its own, else below the declaration of the organization.
 */
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isProgram } from "../../config/source/files.ts";
import type { LoadedConfig } from "../../config/index.ts";
import { renderDocument } from "../../export/document.ts";
import { projectName } from "../../export/export.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Position } from "../../model/diagnostic.ts";
import { pointer, type ValueObject } from "../../model/json.ts";
import type { ProjectScope } from "../../model/resource.ts";
import { type Addition, prepareAdditions, type PreparedAdditions } from "../edit/additions.ts";
import type { Candidate, Importable } from "./find.ts";

/** Where files are read and written. */
export interface ImportFolders {
  readonly cwd: string;
  /** Absolute paths of the folders that are read completely. A new file has to be in one of them. */
  readonly folders: readonly string[];
  /** Where an editor finds the schema of a file in a folder: a URL, or a path from the folder. */
  readonly schema: (folder: string) => string;
}

/**
 * Prepares the files that declare the candidates. Writes nothing.
 *
 * @throws EngineError `stale` if a file is no longer as it was loaded
 */
export async function prepareImport(
  candidates: readonly Candidate[],
  { projects, comments }: Pick<Importable, "projects" | "comments">,
  config: LoadedConfig,
  where: ImportFolders,
): Promise<PreparedAdditions> {
  const { cwd } = where;
  const positions = new Map(
    [...config.graph.resources, ...config.graph.projects].map(({ address, position }) => [address, position]),
  );
  const additions: Addition[] = [];
  const files: PreparedAdditions["files"][number][] = [];
  for (const scope of new Set(candidates.map((one) => one.scope))) {
    const own = candidates.filter((one) => one.scope === scope);
    const project = projects.find(({ address }) => address === scope);
    if (project === undefined) {
      const positionFor = ({ collection }: Candidate): Position =>
        config.collectionPlaces.get(collection) ?? positions.get(scope) ?? {};
      additions.push(...own.map((one) => additionOf(one, positionFor(one))));
    } else {
      const key = keyOfProject(project);
      const fields = { id: project.id ?? "", ...projectName(project.name ?? "") };
      const members = { [key]: { ...fields, ...collectionsTree(own) } };
      const addition: Addition = {
        address: scope,
        position: positions.get(project.organization) ?? {},
        path: pointer("projects"),
        members,
        addresses: own.map(({ address }) => address),
      };
      const file = fileForProject(project, config, where, files);
      if (file === undefined) additions.push(addition);
      else {
        const path = resolve(cwd, file);
        const declared = { key, fields, resources: own };
        const organization = { key: project.organization, fields: {}, resources: [], projects: [declared] };
        const after = renderDocument([organization], comments, where.schema(dirname(file)));
        const edit = { line: 1, column: 1, path: "", value: members };
        files.push({
          file,
          path,
          isNew: true,
          before: "",
          after,
          made: [{ file, edit, additions: [addition] }],
          refused: [],
        });
      }
    }
  }
  const prepared = await prepareAdditions(additions, config, cwd, comments);
  return { files: [...prepared.files, ...files], left: prepared.left };
}

function additionOf({ kind, name, fields, address }: Candidate, position: Position): Addition {
  return { address, position, path: pointer(kinds[kind].collection), members: { [name]: fields } };
}

function keyOfProject({ address }: ProjectScope): string {
  return address.slice(address.lastIndexOf("/") + 1);
}

function collectionsTree(candidates: readonly Candidate[]): ValueObject {
  const tree: Record<string, Record<string, ValueObject>> = {};
  for (const { kind, name, fields } of candidates) (tree[kinds[kind].collection] ??= {})[name] = fields;
  return tree;
}

/** A file for a new project, if the other projects of its organization have files of their own. Relative to `cwd`. */
function fileForProject(
  project: ProjectScope,
  { graph }: LoadedConfig,
  { cwd, folders }: ImportFolders,
  planned: readonly { readonly path: string }[],
): string | undefined {
  const organization = graph.resources.find(({ address }) => address === project.organization)?.position.file;
  const siblings = graph.projects.filter((one) => one.organization === project.organization);
  const own = siblings.flatMap(({ position: { file } }) => (file === undefined || file === organization ? [] : [file]));
  const folder = own
    .map((file) => dirname(resolve(cwd, file)))
    .find((one) => folders.some((read) => isBelow(one, read)));
  if (folder === undefined || own.some(isProgram)) return undefined;
  const base = keyOfProject(project);
  for (let count = 1; ; count++) {
    const path = join(folder, `${base}${count === 1 ? "" : `-${count}`}.yaml`);
    if (!existsSync(path) && !planned.some((file) => file.path === path))
      return relative(cwd, path).split(sep).join("/");
  }
}

function isBelow(path: string, folder: string): boolean {
  const steps = relative(folder, path).split(sep);
  return steps[0] !== "..";
}
