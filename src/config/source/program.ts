import { defineConfig } from "../define.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { FoundFile } from "./files.ts";
import type { Problems } from "../problems.ts";
import { fromProgram } from "./program-tree.ts";
import { describeNode, type MapNode, type Source } from "../tree/tree.ts";

/** Runs a TypeScript or JavaScript configuration. It reports a default export that is not a JSON mapping. */
export async function loadProgram(file: FoundFile, problems: Problems): Promise<MapNode | undefined> {
  const source: Source = { path: file.path, file: file.file, lineStarts: [], isLiteral: false };
  const root = { source, mark: "" };
  try {
    const loaded = await importModule(file.path);
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
    reportThrown(error, file, problems);
  }
  return undefined;
}

/**
 * Imports a module in which `driftline` always resolves to this package, regardless of the packages that are installed
 * beside the configuration. The module `driftline` has only the export `defineConfig` (types are erased), so jiti does
 * not transpile the whole library.
 */
async function importModule(path: string): Promise<unknown> {
  const { createJiti } = await import("jiti");
  const virtualModules = { driftline: { defineConfig } };
  // There is no cache because validate and plan must not write files, and because a changed file must be read again.
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules,
  });
  return jiti.import(path);
}

function hasDefaultExport(loaded: unknown): loaded is { readonly default: unknown } {
  return typeof loaded === "object" && loaded !== null && "default" in loaded;
}

function reportThrown(thrown: unknown, { path, file }: FoundFile, problems: Problems): void {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  const stack = thrown instanceof Error ? `${thrown.message}\n${thrown.stack ?? ""}` : "";
  const place = positionInStack(stack, path) ?? { pointer: "" };
  const message = `the file could not be run: ${firstLine(text)}`;
  problems.add({ severity: "error", code: "ts_failed", message, file, ...place });
}

function firstLine(text: string): string {
  return text.trim().split("\n")[0]?.trim() ?? "";
}

/**
 * The first position in the file that the stack names. The transpiled code keeps the lines of the file, but not the
 * columns.
 */
function positionInStack(stack: string, path: string): Pick<Diagnostic, "line" | "column"> | undefined {
  const start = stack.indexOf(`${path}:`);
  const match = start < 0 ? null : /^(\d+):(\d+)/.exec(stack.slice(start + path.length + 1));
  if (match === null) return undefined;
  const isSyntax = stack.startsWith("ParseError");
  return { line: Number(match[1]), column: isSyntax ? Number(match[2]) + 1 : 1 };
}
