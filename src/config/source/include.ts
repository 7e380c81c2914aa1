import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, resolve, sep } from "node:path";
import type { Problems } from "../problems.ts";
import type { TreePosition } from "../tree/tree.ts";

const MAX_BYTES = 1024 * 1024;

/** Reads the file of a `${file:path}`: unchanged UTF-8 text of at most 1 MiB, inside the configuration folders. */
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
        `${path} is outside of the configuration folder`,
        "Move the file into the configuration folder.",
      );
    try {
      const target = resolve(realpathSync(dirname(place.source.path)), path);
      // The path is checked before it is resolved, so an error does not reveal whether a file outside exists.
      if (!isInside(target, roots)) return outside();
      const real = realpathSync(target);
      if (!isInside(real, roots)) return outside();
      const cached = cache.get(real);
      if (cached !== undefined) return cached;
      const stats = statSync(real);
      if (!stats.isFile()) return fail("file_unreadable", `${path} is not a file`, "Use the path of a text file.");
      if (stats.size > MAX_BYTES) return fail("too_large", `${path} is larger than 1 MiB`, "Use a smaller file.");
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(real));
      cache.set(real, text);
      return text;
    } catch (error) {
      return fail(
        "file_unreadable",
        `${path} ${whyUnreadable(error)}`,
        "Check the path. It is relative to the file that mentions it.",
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
