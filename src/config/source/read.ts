import { CODES } from "../../model/diagnostic-codes.ts";
import { command } from "../../model/command.ts";
import { createHash } from "node:crypto";
import { statSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ProblemDetail, Problems } from "../problems.ts";
import { type MapNode, wholeFile, type TreePosition } from "../tree/tree.ts";
import { parseYaml, type YamlFile } from "../tree/yaml.ts";
import {
  configurationNear,
  displayPath,
  entriesIn,
  type FoundFile,
  type FileSearchResult,
  findFiles,
  isProgram,
  placeIn,
  readAtMost,
  unreadable,
} from "./files.ts";
import { loadProgram } from "./program.ts";
import { terraformPointer, terraformProblem } from "./terraform.ts";

/** The most bytes of a file that is read. A larger one is a mistake, and parsing it would take gigabytes of memory. */
export const MAX_BYTES = 10 * 1024 * 1024;

/** All configuration documents, with the files they were read from. */
export interface ReadConfig {
  readonly documents: readonly MapNode[];
  /** Files that were read as configuration, relative to the working directory. */
  readonly files: readonly string[];
  /** The {@link textHash} of each YAML file. Before a file is edited, it shows whether somebody else has edited it. */
  readonly fileHashes: ReadonlyMap<string, string>;
  /** The texts that `${file:path}` includes, by the path of the file itself. */
  readonly included: Map<string, IncludedText>;
  /** Files, or documents in them, that are not driftline configuration. */
  readonly skippedFiles: readonly string[];
  /** The paths of all files that were read, of those as well that are included or imported, or are no configuration. */
  readonly readPaths: Set<string>;
  readonly roots: readonly string[];
  /** True if a file could not be read. A missing definition may be in that file. */
  readonly incomplete: boolean;
}

/** The text of a file in the place of an expression. */
export interface IncludedText {
  /** How many values have it. */
  readonly uses: number;
  readonly hash: string;
}

/** What is done with a configuration that is a program. `refuse` is an error; `skip` takes no notice of what it declares. */
export type Programs = "run" | "refuse" | "skip";

/** Reads and parses everything under the paths. */
export async function readDocuments(
  paths: readonly string[],
  cwd: string,
  problems: Problems,
  programs: Programs = "run",
): Promise<ReadConfig> {
  const search = findFiles(paths, cwd, problems);
  const documents: MapNode[] = [];
  const files: string[] = [];
  const skipped: string[] = [];
  const fileHashes = new Map<string, string>();
  const readPaths = new Set(search.files.map(({ path }) => path));
  let broken = search.broken;
  for (const file of search.files) {
    const read = isProgram(file.path)
      ? await readProgram(file, problems, readPaths, programs)
      : readYaml(file, problems, fileHashes);
    const isConfig = read.documents.length > 0 || read.broken;
    if (isConfig) files.push(file.file);
    skipped.push(...read.foreign.map((number) => (isConfig ? `${file.file} (document ${number})` : file.file)));
    documents.push(...read.documents);
    broken ||= read.broken;
  }
  if (files.length === 0 && !broken) reportNoDocuments(search, cwd, problems);
  const skippedFiles = [...new Set(skipped)];
  return {
    documents,
    files,
    fileHashes,
    included: new Map(),
    skippedFiles,
    readPaths,
    roots: search.roots,
    incomplete: broken,
  };
}

const UNREADABLE: YamlFile = { documents: [], foreign: [], broken: true };

function readYaml(file: FoundFile, problems: Problems, hashes: Map<string, string>): YamlFile {
  const foreign = terraformProblem(file.file);
  if (foreign !== undefined) {
    problems.error(wholeFile(file), foreign);
    return UNREADABLE;
  }
  const text = readText(file, problems);
  if (text === undefined) return UNREADABLE;
  hashes.set(file.file, textHash(text));
  return parseYaml(text, file, problems);
}

/** The hash of the text of a file, without its byte order mark. */
export function textHash(text: string): string {
  return createHash("sha256")
    .update(text.replace(/^\uFEFF/, ""))
    .digest("hex");
}

async function readProgram(
  file: FoundFile,
  problems: Problems,
  readPaths: Set<string>,
  programs: Programs,
): Promise<YamlFile> {
  if (programs === "refuse") {
    const message = `${file.file} is a program, and programs are not run here`;
    const hint =
      "Declare it in YAML. Without --no-programs and DRIFTLINE_NO_PROGRAMS it is run, which is safe only if you trust it.";
    problems.error(wholeFile(file), { code: "program_refused", message, hint });
  }
  if (programs !== "run") return UNREADABLE;
  const document = await loadProgram(file, problems, readPaths);
  return document === undefined ? UNREADABLE : { documents: [document], foreign: [], broken: false };
}

/** Reads the text of a file of at most 10 MiB. It reports a file that cannot be read and returns undefined. */
export function readText(file: Pick<FoundFile, "path" | "file">, problems: Problems): string | undefined {
  const place = wholeFile(file);
  try {
    const stats = statSync(file.path);
    const bytes = stats.isFile() && stats.size > MAX_BYTES ? undefined : readAtMost(file.path, MAX_BYTES);
    if (bytes === undefined) {
      const has = stats.isFile() ? `has ${(stats.size / 1024 / 1024).toFixed(1)} MiB` : "is larger";
      const message = `the file ${has}; the limit is 10 MiB`;
      return problems.error(place, { code: "too_large", message, hint: "Split it into several files." });
    }
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const notText = { code: "file_unreadable", message: "the file is not UTF-8 text", hint: "Save it as UTF-8." };
    return problems.error(place, error instanceof TypeError ? notText : unreadable(file.file, error));
  }
}

const isJson = (name: string): boolean => /\.json$/iu.test(name);

function reportNoDocuments(found: FileSearchResult, cwd: string, problems: Problems): void {
  const folder = found.folders[0] ?? cwd;
  const file = displayPath(folder, cwd);
  const names = entriesIn(folder).flatMap((entry) => (entry.isFile() ? [entry.name] : []));
  const json = names.find((name) => isJson(name));
  const near = json !== undefined && names.every((name) => isJson(name)) ? undefined : configurationNear(folder);
  const meant =
    near !== undefined
      ? `Did you mean ${displayPath(near, cwd)}?`
      : json && `JSON is read only if its file is named: is ${displayPath(join(folder, json), cwd)} meant?`;
  problems.add({
    severity: "error",
    code: CODES.noDocuments,
    message: 'found no document with the top-level key "driftline"',
    hint: [meant, terraformPointer(folder), "To create one:"].filter((part) => part !== undefined).join(" "),
    command: command("init", {}, ...(file === "." ? [] : [`${file}/driftline.yaml`])),
    file,
  });
}

/** The largest text that `${file:path}` includes. Bytes. */
const MAX_INCLUDED = 1024 * 1024;

/** Reads the file of a `${file:path}`: UTF-8 text of at most 1 MiB, inside the configuration folders and not hidden. */
export function fileIncluder(
  { roots, readPaths, included }: Pick<ReadConfig, "roots" | "readPaths" | "included">,
  problems: Problems,
): (path: string, place: TreePosition) => string | undefined {
  const cache = new Map<string, string>();
  return (path, place) => {
    const fail = (code: string, message: string, hint: string): undefined =>
      problems.error(place, { code, message, hint });
    try {
      const target = resolve(realpathSync(dirname(place.source.path)), path);
      // The path is checked before it is resolved, so an error does not reveal whether a file outside exists.
      const real = placeIn(roots, target) === "inside" ? realpathSync(target) : target;
      const at = placeIn(roots, real);
      if (at !== "inside") return problems.error(place, notIncluded(path, at));
      const cached = cache.get(real);
      const known = included.get(real);
      if (cached !== undefined && known !== undefined) {
        included.set(real, { ...known, uses: known.uses + 1 });
        return cached;
      }
      const stats = statSync(real);
      if (!stats.isFile()) return fail("file_unreadable", `${path} is not a file`, "Use the path of a text file.");
      if (stats.size > MAX_INCLUDED) return fail("too_large", `${path} is larger than 1 MiB`, "Use a smaller file.");
      const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(real));
      // As in a text in YAML, so that a work tree with other line ends declares the same.
      const text = content.replaceAll("\r\n", "\n");
      cache.set(real, text);
      included.set(real, { uses: 1, hash: textHash(content) });
      readPaths.add(real);
      return text;
    } catch (error) {
      return fail(
        "file_unreadable",
        `${path} ${unreadableReason(error)}`,
        "Check the path. It is relative to the file that mentions it.",
      );
    }
  };
}

/** The error for a file that may hold what nobody wants in a configuration. */
function notIncluded(path: string, at: "hidden" | "outside"): ProblemDetail {
  const code = "file_outside";
  if (at === "outside")
    return {
      code,
      message: `${path} is outside of the configuration folder`,
      hint: "Move the file into the configuration folder.",
    };
  return {
    code,
    message: `${path} is hidden, or in a hidden folder: its name begins with a dot`,
    hint: "Such files may hold secrets. Move the text into a file that is not hidden.",
  };
}

function unreadableReason(error: unknown): string {
  if (error instanceof TypeError) return "is not UTF-8 text";
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" || code === "ENOTDIR" ? "does not exist" : `cannot be read: ${String(code)}`;
}
