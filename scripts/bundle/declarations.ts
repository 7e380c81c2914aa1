import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

/** Removes the declarations that neither an entry nor what it names needs. @param entries by their paths, without an ending */
export async function keepDeclarations(folder: string, entries: readonly string[]): Promise<void> {
  const needed = new Set(entries.map((entry) => `${entry}.d.ts`));
  // What is added on the way is visited as well.
  for (const file of needed) {
    const text = await readFile(join(folder, file), "utf8");
    for (const [, path = ""] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+)\.[jt]s"/gu))
      needed.add(join(file, "..", `${path}.d.ts`));
  }
  const all = await readdir(folder, { recursive: true });
  for (const file of all) if (file.endsWith(".d.ts") && !needed.has(file)) await rm(join(folder, file));
}
