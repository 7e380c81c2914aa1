import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { Problems } from "../problems.ts";
import type { TreePosition } from "../tree/tree.ts";

const MAX_BYTES = 1024 * 1024;

/** Reads what `${file:path}` names: UTF-8 as it is, at most 1 MiB, inside the configuration's folders. */
export function fileIncluder(
  roots: readonly string[],
  problems: Problems,
): (path: string, place: TreePosition) => string | undefined {
  const cache = new Map<string, string>();
  return (path, place) => {
    const fail = (code: string, message: string, hint: string): undefined =>
      problems.error(place, { code, message, hint });
    const outside = (): undefined =>
      fail(
        "file_outside",
        `${path} lies outside of the configuration's folder`,
        "move the file into the folder of the configuration",
      );
    try {
      const target = resolve(realpathSync(dirname(place.source.path)), path);
      // First by name: whether something is there outside is nobody's business.
      if (!isInside(target, roots)) return outside();
      const real = realpathSync(target);
      if (!isInside(real, roots)) return outside();
      const cached = cache.get(real);
      if (cached !== undefined) return cached;
      const stats = statSync(real);
      if (!stats.isFile()) return fail("file_unreadable", `${path} is not a file`, "name a text file");
      if (stats.size > MAX_BYTES) return fail("too_large", `${path} is larger than 1 MiB`, "name a smaller file");
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(real));
      cache.set(real, text);
      return text;
    } catch (error) {
      return fail(
        "file_unreadable",
        `${path} ${whyUnreadable(error)}`,
        "the path is relative to the file that mentions it",
      );
    }
  };
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path.startsWith(root.endsWith(sep) ? root : root + sep));
}

function whyUnreadable(error: unknown): string {
  if (error instanceof TypeError) return "is not UTF-8 text";
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" ? "does not exist" : `cannot be read: ${String(code)}`;
}
