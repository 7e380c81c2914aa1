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
 * Chooses the file by the name of the resource. Returns undefined if the collection is not split in this way.
 *
 * @param places where the files of the collection declare it
 */
export function splitFileFor(name: string, collection: string, places: readonly Position[]): SplitFile | undefined {
  const files = places.flatMap((position) =>
    position.file === undefined ? [] : [{ position, folder: dirname(position.file), prefix: stem(position.file) }],
  );
  const [first, second] = files;
  if (first === undefined || second === undefined || basename(first.folder) !== collection) return undefined;
  if (files.some(({ folder }) => folder !== first.folder)) return undefined;
  const [nearest] = files
    .filter(({ prefix }) => name.toLowerCase().startsWith(prefix))
    .toSorted((left, right) => right.prefix.length - left.prefix.length);
  if (nearest !== undefined) return { position: nearest.position };
  let prefix = nextPrefix(name, "");
  while (files.some((other) => other.prefix.startsWith(prefix))) prefix = nextPrefix(name, prefix);
  return { newFile: join(first.folder, `${prefix}.yaml`) };
}

function stem(file: string): string {
  return basename(file, extname(file));
}
