/**
 * The file of a new resource in a collection that an export has split: its folder has the name of the collection, its files begin
 * the names.
 */
import { basename, dirname, extname, join } from "node:path";
import { nextPrefix } from "../../export/split-collection.ts";
import type { Position } from "../../model/diagnostic.ts";

/** The declaration in an existing file, or the name of a new one. */
export type SplitFile = { readonly position: Position } | { readonly newFile: string };

/**
 * Chooses the file by the name of the resource. Returns undefined if the collection is not split in this way, or no name is left.
 *
 * @param places where the files of the collection declare it
 * @param names of the resources there: where each has a file of its own, a new one gets its own, too
 * @param isFree whether a new file may have this name
 */
export function splitFileFor(
  name: string,
  collection: string,
  places: readonly Position[],
  names: readonly string[],
  isFree: (file: string) => boolean,
): SplitFile | undefined {
  const files = places.flatMap((position) =>
    position.file === undefined
      ? []
      : [{ position, folder: dirname(position.file), prefix: stem(position.file).toLowerCase() }],
  );
  const [first] = files;
  if (first === undefined || basename(first.folder) !== collection) return undefined;
  if (files.some(({ folder }) => folder !== first.folder)) return undefined;
  const stems = new Set(files.map(({ prefix }) => prefix));
  const lower = [...new Set(names.map((one) => one.toLowerCase()))];
  if (lower.some((one) => !files.some(({ prefix }) => one.startsWith(prefix)))) return undefined;
  const isOneEach = lower.length === stems.size && lower.every((one) => stems.has(one));
  const [nearest] = files
    .filter(({ prefix }) => !isOneEach && name.toLowerCase().startsWith(prefix))
    .toSorted((left, right) => right.prefix.length - left.prefix.length);
  if (nearest !== undefined) return { position: nearest.position };
  const newFile = (isOneEach ? [name.toLowerCase()] : prefixesOf(name))
    .filter((prefix) => prefix === name.toLowerCase() || !files.some((other) => other.prefix.startsWith(prefix)))
    .map((prefix) => join(first.folder, `${prefix}.yaml`))
    .find(isFree);
  return newFile === undefined ? undefined : { newFile };
}

/** The beginnings of a name, the shortest first. */
function prefixesOf(name: string, prefix = nextPrefix(name, "")): readonly string[] {
  const next = nextPrefix(name, prefix);
  return next === prefix ? [prefix] : [prefix, ...prefixesOf(name, next)];
}

function stem(file: string): string {
  return basename(file, extname(file));
}
