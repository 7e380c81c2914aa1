import type { Jiti, TransformOptions, TransformResult } from "jiti";
import { dirname, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Position } from "../../model/diagnostic.ts";
import { isSecretVariable } from "../../model/secret-values.ts";
import { defineConfig } from "../define.ts";
import { type FoundFile, isProgram } from "./files.ts";
import type { Problems } from "../problems.ts";
import { ProgramPlaces, type SourceLocation } from "./program-places.ts";
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
  const places = new ProgramPlaces();
  const findPlace = (pointer: string): Position | undefined => {
    const place = places.find(file.path, pointer);
    return place && positionIn(file, place);
  };
  const conceal = (text: string): string => problems.conceal?.(text, true) ?? text;
  const source = { path: file.path, file: file.file, lineStarts: [], isLiteral: false, findPlace, conceal };
  const root = { source, mark: "" };
  try {
    const loaded: unknown = await (await createLoader(places, readPaths)).import(file.path);
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
async function createLoader(places: ProgramPlaces, readPaths: Set<string>): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const virtualModules = { driftline: { defineConfig } };
  // There is no cache because validate and plan must not write files, and because a changed file must be read again.
  const options = { fsCache: false, moduleCache: false, interopDefault: false, sourceMaps: false, virtualModules };
  const plain = createJiti(import.meta.url, options);
  const transform = (file: TransformOptions): TransformResult => {
    const { filename = "" } = file;
    const note = ({ ast }: ParsedFile): void => places.add(filename, ast.program.body);
    if (isOfUser(filename)) readPaths.add(filename);
    const plugins = isOfUser(filename) ? [() => ({ pre: note })] : [];
    return { code: plain.transform({ ...file, babel: { ...file.babel, plugins } }) };
  };
  return createJiti(import.meta.url, { ...options, transform });
}

/** A file as a plugin of the transpiler gets it. */
interface ParsedFile {
  readonly ast: { readonly program: { readonly body: Parameters<ProgramPlaces["add"]>[1] } };
}

function hasDefaultExport(loaded: unknown): loaded is { readonly default: unknown } {
  return typeof loaded === "object" && loaded !== null && "default" in loaded;
}

function reportThrown(thrown: unknown, config: FoundFile, problems: Problems): undefined {
  const text = firstLine(problems.conceal?.(thrownText(thrown), true) ?? thrownText(thrown));
  const place = placeOfError(thrown);
  const position = place === undefined ? { file: config.file, pointer: "" } : positionIn(config, place);
  const [, syntax] = /^ParseError: (.*)/u.exec(text) ?? [];
  const problem = syntax === undefined ? `could not be run: ${text}` : `is not valid TypeScript: ${syntax}`;
  const subject = position.file === config.file ? "the file" : config.file;
  const message = `${subject} ${problem}`;
  problems.add({ severity: "error", code: "ts_failed", message, hint: moduleHint(text), ...position });
}

/** A place in a file of the program, relative to the working directory, as diagnostics show it. */
function positionIn(config: FoundFile, { path, line, column }: SourceLocation): Position {
  const beside = posix.join(dirname(config.file), relative(dirname(config.path), path));
  return { file: path === config.path ? config.file : beside, line, column };
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
function placeOfError(thrown: unknown): SourceLocation | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const [, broken, brokenLine, before] = /^ParseError: [^\n]*\n\s*(.+):(\d+):(\d+)$/mu.exec(thrown.message) ?? [];
  if (broken !== undefined) return { path: broken, line: Number(brokenLine), column: Number(before) + 1 };
  for (const [, named = "", line] of (thrown.stack ?? "").matchAll(
    /^ +at .*?((?:file:|\/|[A-Z]:\\)[^()\n]*):(\d+):\d+\)?$/gmu,
  )) {
    const path = named.startsWith("file:") ? fileURLToPath(named) : named;
    if (isOfUser(path)) return { path, line: Number(line), column: 1 };
  }
  return undefined;
}

/** The folder of this program: src or dist. In the bundle, this module lies elsewhere in dist. */
const [OWN_FOLDER = ""] = /^.*[\\/](?:src|dist)[\\/]/u.exec(fileURLToPath(import.meta.url)) ?? [];

function isOfUser(path: string): boolean {
  return isProgram(path) && !path.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/u.test(path);
}
