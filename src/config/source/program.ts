import type { Jiti, TransformOptions, TransformResult } from "jiti";
import { readFileSync } from "node:fs";
import { SourceMap, type SourceMapPayload } from "node:module";
import { fileURLToPath } from "node:url";
import { defineConfig } from "../define.ts";
import { type FoundFile, isProgram } from "./files.ts";
import type { Problems } from "../problems.ts";
import { fromProgram, literalNotes, shownFile } from "./program-value.ts";
import { describeNode, type MapNode } from "../tree/tree.ts";

/** Runs a TypeScript or JavaScript configuration. It reports a default export that is not a JSON mapping. */
export async function loadProgram(file: FoundFile, problems: Problems): Promise<MapNode | undefined> {
  const source = { path: file.path, file: file.file, lineStarts: [], isLiteral: false, places: new Map() };
  const root = { source, mark: "" };
  try {
    const loaded: unknown = await (await createLoader()).import(file.path);
    if (!hasDefaultExport(loaded)) {
      const hint = "Write export default defineConfig({ ... }).";
      problems.error(root, { code: "no_default_export", message: "the file has no default export", hint });
      return undefined;
    }
    // The conversion is inside of the try block because a getter may throw.
    const node = fromProgram(await loaded.default, source, problems);
    if (node === undefined || node.type === "map") return node;
    const hint = "Write export default defineConfig({ ... }).";
    problems.error(root, {
      code: "wrong_type",
      message: `the default export is ${describeNode(node)}, not a mapping`,
      hint,
    });
  } catch (error) {
    await reportThrown(error, file, problems);
  }
  return undefined;
}

/**
 * Loads modules in which `driftline` always resolves to this package, regardless of the packages that are installed beside the
 * configuration. The module `driftline` has only the export `defineConfig` (types are erased), so jiti does not transpile the
 * whole library.
 */
async function createLoader(sourceMaps = false): Promise<Jiti> {
  const { createJiti } = await import("jiti");
  const virtualModules = { driftline: { defineConfig } };
  // There is no cache because validate and plan must not write files, and because a changed file must be read again.
  const options = { fsCache: false, moduleCache: false, interopDefault: false, sourceMaps, virtualModules };
  const plain = createJiti(import.meta.url, options);
  const transform = (file: TransformOptions): TransformResult => {
    const plugins = file.filename !== undefined && isOfUser(file.filename) ? [literalNotes(file.filename)] : [];
    return { code: plain.transform({ ...file, babel: { ...file.babel, plugins } }) };
  };
  return createJiti(import.meta.url, { ...options, transform });
}

function hasDefaultExport(loaded: unknown): loaded is { readonly default: unknown } {
  return typeof loaded === "object" && loaded !== null && "default" in loaded;
}

async function reportThrown(thrown: unknown, config: FoundFile, problems: Problems): Promise<void> {
  const text = firstLine(thrownText(thrown));
  const { path = config.path, ...place } = (await placeOfError(thrown)) ?? { pointer: "" };
  const isOwn = path === config.path;
  const [, syntax] = /^ParseError: (.*)/u.exec(text) ?? [];
  const problem = syntax === undefined ? `could not be run: ${text}` : `is not valid TypeScript: ${syntax}`;
  const message = `${isOwn ? "the file" : config.file} ${problem}`;
  problems.add({
    severity: "error",
    code: "ts_failed",
    message,
    hint: moduleHint(text),
    file: shownFile(path, config),
    ...place,
  });
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

interface ErrorPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The place that a syntax error names, or else the first place of the stack that is in a file of the user. */
async function placeOfError(thrown: unknown): Promise<ErrorPlace | undefined> {
  if (!(thrown instanceof Error)) return undefined;
  const [, broken, brokenLine, before] = /^ParseError: [^\n]*\n\s*(.+):(\d+):(\d+)$/mu.exec(thrown.message) ?? [];
  if (broken !== undefined) return { path: broken, line: Number(brokenLine), column: Number(before) + 1 };
  for (const [, named = "", line, column] of (thrown.stack ?? "").matchAll(
    /^ +at .*?((?:file:|\/|[A-Z]:\\)[^()\n]*):(\d+):(\d+)\)?$/gmu,
  )) {
    const path = named.startsWith("file:") ? fileURLToPath(named) : named;
    if (!isOfUser(path)) continue;
    const place = { path, line: Number(line), column: Number(column) };
    return originalPlace(place).catch(() => ({ ...place, column: 1 }));
  }
  return undefined;
}

/** The folder of this program: src or dist. In the bundle, this module lies elsewhere in dist. */
const [OWN_FOLDER = ""] = /^.*[\\/](?:src|dist)[\\/]/u.exec(fileURLToPath(import.meta.url)) ?? [];

function isOfUser(path: string): boolean {
  return isProgram(path) && !path.startsWith(OWN_FOLDER) && !/[\\/]node_modules[\\/]/u.test(path);
}

/** What jiti puts before the first line of a module. */
const WRAPPER = "(async function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) { "
  .length;

/**
 * The place in the file that was written. The stack has that of the transpiled text, which has the same lines but other columns, so
 * the file is transpiled again, with a source map.
 */
async function originalPlace({ path, line, column }: ErrorPlace): Promise<ErrorPlace> {
  const loader = await createLoader(true);
  const text = loader.transform({ source: readFileSync(path, "utf8"), filename: path, ts: true, async: true });
  const [, encoded = ""] = /sourceMappingURL=data:application\/json;[^,]*base64,([\w+/=]+)/u.exec(text) ?? [];
  const map = new SourceMap(JSON.parse(Buffer.from(encoded, "base64").toString()) as SourceMapPayload);
  const entry = map.findEntry(line - 1, column - 1 - (line === 1 ? WRAPPER : 0));
  if (!("originalLine" in entry)) return { path, line, column: 1 };
  return { path, line: entry.originalLine + 1, column: entry.originalColumn + 1 };
}
