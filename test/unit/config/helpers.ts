import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { loadConfig, type LoadedConfig, type LoadOptions } from "../../../src/config/index.ts";
import { withCommand } from "../../../src/model/command.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { Resource } from "../../../src/model/resource.ts";

/** Formats diagnostics as in the golden files: one line each, with the hint below. */
export function renderDiagnostics(diagnostics: readonly Diagnostic[]): string {
  return diagnostics.map((diagnostic) => `${renderDiagnostic(diagnostic)}\n`).join("");
}

function renderDiagnostic({ severity, code, message, hint, command, file, line, column, pointer }: Diagnostic): string {
  const place = [
    file,
    pointer === undefined ? undefined : `#${pointer}`,
    line === undefined ? undefined : `:${line}:${column}`,
  ];
  const where = file === undefined ? "" : `${place.join("")}: `;
  return `${where}${severity} ${code}: ${message}${hint === undefined ? "" : `\n  hint: ${withCommand(hint, command)}`}`;
}

/** Makes a temporary folder with the files, which is removed after the test. */
export function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "driftline-config-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Loads the files from a temporary folder. */
export async function load(
  files: Readonly<Record<string, string>> | string,
  options: Partial<LoadOptions> = {},
): Promise<LoadedConfig> {
  const cwd = folderOf(typeof files === "string" ? { "driftline.yaml": files } : files);
  return loadConfig({ paths: ["."], cwd, env: {}, vars: [], varFiles: [], ...options });
}

/** Loads a configuration and fails if there is any diagnostic. */
export async function loadGood(...given: Parameters<typeof load>): Promise<LoadedConfig> {
  const loaded = await load(...given);
  if (loaded.diagnostics.length > 0) throw new Error(renderDiagnostics(loaded.diagnostics));
  return loaded;
}

/** Finds the resource at an address. */
export function at(loaded: LoadedConfig, address: string): Resource {
  const found = loaded.graph.resources.find((resource) => resource.address === address);
  if (found === undefined) throw new Error(`no resource ${address}`);
  return found;
}

/** Lists the `code` of each diagnostic. */
export function codes(loaded: LoadedConfig): readonly string[] {
  return loaded.diagnostics.map(({ code }) => code);
}
