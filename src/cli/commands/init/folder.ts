/** The folder of the files. A configuration that is there already is never mixed with them. */
import { existsSync, statSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { entriesIn } from "../../../config/source/files.ts";
import { command, type Hint } from "../../../model/command.ts";
import { sanitize } from "../../../model/text/quote.ts";
import { configurationsIn } from "../../steps/configurations-in.ts";
import { invalidError } from "../../failure.ts";
import { askFor } from "../../terminal/ask.ts";
import type { Runtime } from "../../runtime.ts";
import { freeFolder } from "./example.ts";

const DEFAULT_FOLDER = "analytics";

/**
 * Refuses to begin if there is a configuration in the given folder, or without one in the current or in the usual folder.
 *
 * @throws EngineError
 */
export function requireNoConfiguration({ cwd }: Pick<Runtime, "cwd">, out: string | undefined): void {
  for (const folder of out === undefined ? [".", DEFAULT_FOLDER] : [out]) {
    const problem = folderProblem(cwd, folder);
    if (problem === undefined) continue;
    const words = command("import", {}, ...(folder === "." ? [] : [`${folder}/`]));
    const start = "Choose another folder with --out. Or add what is missing to the files that you have:";
    const hint: Hint = isFolder(resolve(cwd, folder))
      ? { hint: start, command: words }
      : "Choose another name with --out.";
    throw invalidError("file_exists", problem, hint);
  }
}

/** The folder to write into. */
export async function chooseFolder(runtime: Runtime, out: string | undefined): Promise<string> {
  const free = freeFolder(runtime.cwd, DEFAULT_FOLDER);
  if (out !== undefined || !runtime.interactive) return out ?? free;
  runtime.err("\n");
  for (;;) {
    const folder = (await askFor(runtime, `Folder for the files [${free}]: `)) || free;
    const problem = folder.startsWith("~")
      ? "only a shell knows what ~ stands for"
      : folderProblem(runtime.cwd, folder);
    if (problem === undefined) return folder;
    runtime.err(`${sanitize(problem)}. Choose another folder.\n`);
  }
}

function folderProblem(cwd: string, folder: string): string | undefined {
  const path = resolve(cwd, folder);
  if (!existsSync(path)) return undefined;
  if (!isFolder(path)) return `${folder} already exists, and is no folder`;
  // An export has a folder for each organization.
  const inner = folder === "." ? [] : entriesIn(path).filter((entry) => entry.isDirectory());
  for (const searched of [path, ...inner.map(({ name }) => join(path, name))]) {
    const [found] = configurationsIn(searched);
    if (found !== undefined) return `${relative(cwd, join(searched, found))} is a configuration already`;
  }
  return undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
