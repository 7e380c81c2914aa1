/** Loads a configuration as it was, from texts that no folder has any more. */
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { loadConfig, type LoadOptions } from "../../config/index.ts";
import type { Resource } from "../../model/resource.ts";

/** How a former configuration is loaded: no program is started. */
export type FormerOptions = Omit<LoadOptions, "programs">;

/**
 * The resources of these files, without running a program. None if they cannot be loaded.
 *
 * @param files by absolute path, as `paths` and `cwd` of the options are
 */
export async function loadFormer(
  files: ReadonlyMap<string, string>,
  options: FormerOptions,
): Promise<readonly Resource[]> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "driftline-history-")));
  try {
    const root = join(folder, "root");
    // A path above the working directory lies above that folder as well.
    const at = (path: string): string => join(root, resolve("/", path));
    for (const [path, text] of files) {
      await mkdir(dirname(at(path)), { recursive: true });
      await writeFile(at(path), text, { flag: "wx" });
    }
    await mkdir(at(options.cwd), { recursive: true });
    const here = { paths: options.paths.map(at), cwd: at(options.cwd), programs: "skip" } as const;
    const { graph, diagnostics } = await loadConfig({ ...options, ...here });
    return diagnostics.some(({ severity }) => severity === "error") ? [] : graph.resources;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
