import { own } from "../../../model/json/json.ts";
import { command, withCommand } from "../../../model/command.ts";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { EXIT, type ExitCode } from "../../exit-codes.ts";
import { schemaLine } from "../../../export/document.ts";
import { packageFolder, schemaFor } from "../../program/package.ts";
import type { Runtime } from "../../runtime.ts";
import { writeNewFiles } from "../export/files.ts";
import { freeName } from "./empty.ts";

/** `driftline init --example NAME [FOLDER]`: copies an example of the package. Overwrites nothing. */
export async function initExampleCommand(runtime: Runtime, example: string, folder = "."): Promise<ExitCode> {
  const source = join(packageFolder(), "examples", example);
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)))
    .toSorted();
  const files = names.map(async (name) => {
    const text = await readFile(join(source, name), "utf8");
    return { name, text: withSchema(text, dirname(resolve(runtime.cwd, folder, name))) };
  });
  const words = command("init", { example }, freeFolder(runtime.cwd, example));
  await writeNewFiles(runtime, folder, await Promise.all(files), {
    hint: "To copy the example into a new folder:",
    command: words,
  });
  const written = names.map((name) => `  ${join(folder, name)}\n`);
  runtime.out(`Wrote:\n${written.join("")}${nextSteps(folder, names, own(DIALECTS, example))}`);
  return EXIT.ok;
}

/** In the package, a file names the schema by its path there. */
function withSchema(text: string, folder: string): string {
  return text.replace(/^# yaml-language-server: .*\n/u, () => schemaLine(schemaFor(folder)));
}

/** A folder for an example that does not exist yet. */
export function freeFolder(cwd: string, example: string): string {
  return existsSync(resolve(cwd, example)) ? freeName(cwd, example) : example;
}

/** The server that the data of an example is for, if it is not any. Its README says the same. */
const DIALECTS: Readonly<Record<string, string>> = {
  "batch-exports": "current",
  existing: "deployed",
  teams: "current",
};

/** What to do with the files. The emulator serves an example that has data for it, and data alone can be exported. */
function nextSteps(folder: string, names: readonly string[], dialect: string | undefined): string {
  if (!names.includes("seed.json")) return `Next: read ${join(folder, "README.md")}.\n`;
  const emulator = command("emulator", {
    seed: join(folder, "seed.json"),
    ...(dialect === undefined ? {} : { dialect }),
  });
  // An example of several configurations has a folder for each.
  const folders = names
    .filter((name) => /\.(?:yaml|driftline\.ts)$/.test(name))
    .map((name) => join(folder, dirname(name)));
  const [top] = folders.toSorted((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1));
  const paths = top === undefined || top === "." ? [] : [top];
  const next = top === undefined ? command("export", { out: "analytics" }) : command("plan", {}, ...paths);
  return `${withCommand("Next, in one terminal:", emulator)}
${withCommand("In another, run the two lines that it prints, then:", next)}
`;
}
