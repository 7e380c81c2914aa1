/**
 * Finds the parts of a configuration that were left out.
 *
 * Premise: `exclusive` says that everything is declared. Given only some of the files, what the others declare looks undeclared,
 * and pruning would delete it.
 * Algorithm: search the folder of the file that declares `exclusive`, as if it had been given, and look for files that were not
 * read and declare the same organization or project.
 */
import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { compareNaturally } from "../../model/compare-text.ts";
import { Problems } from "../problems.ts";
import type { ScopeDeclaration } from "../resources/declarations.ts";
import { mapMembers, type MapNode, type Node } from "../tree/tree.ts";
import { parseYaml } from "../tree/yaml.ts";
import { displayPath, findFiles, isProgram, type FoundFile } from "./files.ts";
import { readText } from "./read.ts";

/** A scope that says that it is declared completely, and the files that declare more of it. */
export interface UnreadParts {
  readonly scope: string;
  /** The folder that holds all of them, relative to the working directory. */
  readonly folder: string;
  /** Relative to the working directory, by name. */
  readonly files: readonly string[];
}

/**
 * Returns the scopes with `exclusive` that files beside its declaration declare more of.
 *
 * @param files the files that were read, relative to `cwd`
 */
export function findUnreadParts(
  scopes: readonly ScopeDeclaration[],
  files: readonly string[],
  cwd: string,
): readonly UnreadParts[] {
  const read = new Set(files.map((file) => realpathSync(resolve(cwd, file))));
  return scopes.flatMap((scope) => {
    const declaration = scope.own.get("exclusive");
    if (declaration === undefined) return [];
    const folder = dirname(declaration.source.path);
    const { files: near } = findFiles([folder], cwd, new Problems());
    const unread = near.filter((file) => !read.has(realpathSync(file.path)) && declares(file, scope.address));
    const names = unread.map(({ file }) => file).toSorted(compareNaturally);
    return names.length === 0 ? [] : [{ scope: scope.address, folder: displayPath(folder, cwd), files: names }];
  });
}

/** Whether a file declares something of a scope. A program is not run for that, and a broken file may declare anything. */
function declares(file: FoundFile, address: string): boolean {
  if (isProgram(file.path)) return true;
  const problems = new Problems();
  const text = readText(file, problems);
  if (text === undefined) return true;
  const { documents, broken } = parseYaml(text, file, problems);
  return broken || documents.some((document) => hasScope(document, address));
}

function hasScope(document: MapNode, address: string): boolean {
  let node: Node = document;
  for (const key of ["organizations", ...address.split("/")]) {
    const inner: Node | undefined = mapMembers(node)?.get(key)?.value;
    if (inner === undefined) return false;
    node = inner;
  }
  return true;
}
