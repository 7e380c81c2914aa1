import type { Jiti } from "jiti";
import { dirname, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Position } from "../../model/diagnostic.ts";
import { isSecretVariable } from "../../model/secret-values.ts";
import { defineConfig } from "../define.ts";
import { type FoundFile, isProgram } from "./files.ts";
import type { Problems } from "../problems.ts";
import { fromProgram } from "./program-value.ts";
import { describeNode, type MapNode } from "../tree/tree.ts";

/**
 * Runs a TypeScript or JavaScript configuration. It reports a default export that is not a JSON mapping.
 *
 * @param readPaths gets the modules of the user that it imports
 */
export async function loadProgram(
  file: FoundFile,
  problems: Problems,
  readPaths: Set<string>,
): Promise<MapNode | undefined> {
  const hidden = Object.entries(process.env).filter(([name]) => isSecretVariable(name) || NOT_FOR_PROGRAMS.test(name));
  for (const [name] of hidden) delete process.env[name];
  try {
    return await runProgram(file, problems, readPaths);
  } finally {
    Object.assign(process.env, Object.fromEntries(hidden));
  }
}

/** What the later steps of a pipeline obey. This guards against accidents only: a program can read what its user can read. */
const NOT_FOR_PROGRAMS = /^(?:GITHUB_(?:ENV|PATH|OUTPUT|STEP_SUMMARY|STATE)|ACTIONS_.*|BASH_ENV)$/iu;

async function runProgram(file: FoundFile, problems: Problems, readPaths: Set<string>): Promise<MapNode | undefined> {
  const conceal = (text: string): string => problems.conceal?.(text, true) ?? text;
  const source = { path: file.path, file: file.file, lineStarts: [], isLiteral: false, conceal };
  const root = { source, mark: "" };
  try {
    const loaded: unknown = await (await createLoader(readPaths)).import(file.path);
    if (!hasDefaultExport(loaded)) {
      const message = "the file has no default export";
      return problems.error(root, { code: "no_default_export", message, hint: HOW_TO_EXPORT });
    }
    // The conversion is inside of the try block because a getter may throw.
    const node = fromProgram(await loaded.default, source, problems);
    if (node === undefined || node.type === "map") return node;
    const message = `the default export is ${describeNode(node)}, not a mapping`;
    return problems.error(root, { code: "wrong_type", message, hint: HOW_TO_EXPORT });
  } catch (error) {
    return reportThrown(error, file, problems);
  }
}

const HOW_TO_EXPORT = "Write export default defineConfig({ ... }).";

/**
 * Loads modules in which `driftline` always resolves to this package, regardless of the packages that are installed beside the
 * configuration. The module `driftline` has only the export `defineConfig` (types are erased), so jiti does not transpile the
 * whole library.
 */
async function createLoader(readPaths: Set<string>): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const virtualModules = { driftline: { defineConfig } };
  // There is no cache because validate and plan must not write files, and because a changed file must be read again.
  const options = { fsCache: false, moduleCache: false, interopDefault: false, sourceMaps: false, virtualModules };
  const plain = createJiti(import.meta.url, options);
  return createJiti(import.meta.url, {
    ...options,
    transform: (file) => {
      if (file.filename !== undefined) readPaths.add(file.filename);
      return { code: plain.transform(file) };
    },
  });
}

function hasDefaultExport(loaded: unknown): loaded is { readonly default: unknown } {
  return typeof loaded === "object" && loaded !== null && "default" in loaded;
}

function reportThrown(thrown: unknown, config: FoundFile, problems: Problems): undefined {
  const text = firstLine(problems.conceal?.(thrownText(thrown), true) ?? thrownText(thrown));
  const position = positionOfError(thrown, config);
  const [, syntax] = /^ParseError: (.*)/u.exec(text) ?? [];
  const problem = syntax === undefined ? `could not be run: ${text}` : `is not valid TypeScript: ${syntax}`;
  const subject = position.file === config.file ? "the file" : config.file;
  const message = `${subject} ${problem}`;
  problems.add({ severity: "error", code: "ts_failed", message, hint: moduleHint(text), ...position });
}

function thrownText(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message;
  return typeof thrown === "object" && thrown !== null ? "it threw an object that is not an Error" : String(thrown);
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.trim() ?? "";
}

/** What to do about an import that leads nowhere. */
function moduleHint(text: string): string | undefined {
  const name = /^Cannot find (?:module|package) '([^']+)'/u.exec(text)?.[1];
  if (name === undefined) return undefined;
  return /^[./]/u.test(name)
    ? "Check the path of the import. It is relative to the file that contains it."
    : "Check the name of the import, and install its package beside the configuration.";
}

/**
 * The place that a syntax error names, or else the first line of the stack that is in a file of the user. Transpiled files keep
 * their lines, but not their columns.
 */
function positionOfError(thrown: unknown, { path, file }: FoundFile): Position {
  const { message = "", stack = "" } = thrown instanceof Error ? thrown : {};
  const positionIn = (named: string, line: string, column: number): Position => {
    const beside = posix.join(dirname(file), relative(dirname(path), named));
    return { file: named === path ? file : beside, line: Number(line), column };
  };
  const [, broken, brokenLine = "", before] = /^ParseError: [^\n]*\n\s*(.+):(\d+):(\d+)$/mu.exec(message) ?? [];
  if (broken !== undefined) return positionIn(broken, brokenLine, Number(before) + 1);
  for (const [, named = "", line = ""] of stack.matchAll(/^ +at .*?((?:file:|\/|[A-Z]:\\)[^()\n]*):(\d+):\d+\)?$/gmu)) {
    const module = named.startsWith("file:") ? fileURLToPath(named) : named;
    if (isOfUser(module)) return positionIn(module, line, 1);
  }
  return { file, pointer: "" };
}

/** The folder of this program: src or dist. In the bundle, this module lies elsewhere in dist. */
const [OWN_FOLDER = ""] = /^.*[\\/](?:src|dist)[\\/]/u.exec(fileURLToPath(import.meta.url)) ?? [];

function isOfUser(path: string): boolean {
  return isProgram(path) && !path.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/u.test(path);
}
