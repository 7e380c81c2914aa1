import { own } from "../../model/json/json.ts";
import { START_HINT } from "../../model/instead.ts";
import { type Document, isMap, LineCounter, Lexer } from "yaml";
import type { FoundFile } from "../source/files.ts";
import type { Problems } from "../problems.ts";
import { type MapNode, type Source, wholeFile } from "./tree.ts";
import { lowerFirst, syntaxProblems, TOO_DEEP } from "./yaml-errors.ts";
import { convertYaml } from "./yaml-tree.ts";
import { parseDocuments } from "./parse-documents.ts";

/** The documents of one YAML file. */
export interface YamlFile {
  /** The documents with the top-level key `driftline`, or all of them if the command line names the file. */
  readonly documents: readonly MapNode[];
  /** The numbers, from 1, of documents that are not driftline configuration. */
  readonly foreign: readonly number[];
  /** True if a document in the file is invalid. */
  readonly broken: boolean;
}

/**
 * Whether a file that does not parse may be a configuration: a line of it begins with the key `driftline`. Indentation, quotes,
 * brackets and the marker `---` may stand before it, and the colon may be missing.
 */
const MAY_BE_OURS = /^[\s{"'?-]*driftline\b/mu;

const SKIPPED = {
  code: "skipped_file",
  message: "the file is skipped: it is not valid YAML, and no line of it begins with driftline:",
} as const;

const EMPTY = { code: "empty_file", message: "the file is empty", hint: "Fill it in, or remove it." } as const;

/**
 * Parses YAML 1.2 (core schema, with `<<`). A syntax error stops the run if the file may be a configuration; else the file is
 * skipped with a warning.
 */
export function parseYaml(text: string, file: FoundFile, problems: Problems, hint = START_HINT): YamlFile {
  const isOurs = file.named || MAY_BE_OURS.test(text);
  const lines = new LineCounter();
  const all = nestsTooDeep(text) ? undefined : parseDocuments(text, { lineCounter: lines });
  if (!isOurs && all?.every(({ errors }) => errors.length === 0) !== true) {
    problems.warning(wholeFile(file), SKIPPED);
    return { documents: [], foreign: [1], broken: false };
  }
  if (all === undefined) {
    problems.error(wholeFile(file), TOO_DEEP);
    return { documents: [], foreign: [], broken: true };
  }
  const source: Source = {
    path: file.path,
    file: file.file,
    lineStarts: lines.lineStarts,
    // A backslash may begin an escape sequence that produces "$" or "{".
    isLiteral: !/\$\{|\\/.test(text),
    conceal: problems.conceal,
  };
  const documents: MapNode[] = [];
  const foreign: number[] = [];
  let broken = false;
  for (const [index, document] of all.entries()) {
    if (document.errors.length > 0) {
      for (const { mark, ...detail } of syntaxProblems(document.errors, text, source))
        problems.error({ source, mark }, detail);
      broken = true;
    } else if (file.named || (isMap(document.contents) && document.contents.has("driftline"))) {
      const node = convertDocument(document, source, problems, hint);
      if (node === undefined) broken ||= hasContent(document);
      else documents.push(node);
    } else if (hasContent(document)) foreign.push(index + 1);
  }
  if (broken || all.some(hasContent)) return { documents, foreign, broken };
  problems.error({ source, mark: 0 }, EMPTY);
  return { documents, foreign, broken: true };
}

function hasContent(document: Document.Parsed): boolean {
  const { contents } = document;
  return contents !== null && !("value" in contents && contents.value === null);
}

function convertDocument(
  document: Document.Parsed,
  source: Source,
  problems: Problems,
  hint: string,
): MapNode | undefined {
  if (!hasContent(document)) return undefined;
  if (reportMisleading(document, source, problems)) return undefined;
  const node = convertYaml(document.contents, source, problems);
  if (node?.type === "map") return node;
  if (node !== undefined) problems.error(node, { code: "wrong_type", message: "the document is not a mapping", hint });
  return undefined;
}

/** The hints for what the parser only warns about. */
const WARNED: Readonly<Record<string, string>> = {
  TAG_RESOLVE_FAILED: "Remove the tag. If ! belongs to a text, put the text in quotes.",
};

/** Reports unknown tags and directives, which would silently change the values. Returns whether there were any. */
function reportMisleading(document: Document.Parsed, source: Source, problems: Problems): boolean {
  for (const { code, message, pos } of document.warnings) {
    const detail = { code: "yaml_syntax", message: lowerFirst(message), hint: own(WARNED, code) };
    problems.error({ source, mark: pos[0] }, detail);
  }
  const isOld = document.directives?.yaml.version === "1.1";
  if (isOld) {
    const message = "%YAML 1.1 is not supported, because its yes, no and on are booleans";
    problems.error(
      { source, mark: 0 },
      { code: "yaml_syntax", message, hint: "Remove the directive. driftline reads YAML 1.2." },
    );
  }
  return isOld || document.warnings.length > 0;
}

/** Far above the limit of the conversion, and far below the depth at which the recursion of the library fails. */
const MAX_PARSER_DEPTH = 1_000;

/**
 * Whether YAML is nested so deeply that parsing it could end the process. The library recurses, and not every stack
 * overflow can be caught. Its lexer does not recurse, and recognizes quotes. It only runs if the text has enough
 * brackets, or a line that is long enough.
 */
export function nestsTooDeep(text: string): boolean {
  if (!mayNestTooDeep(text)) return false;
  let level = 0;
  let onLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") level += 1;
    else if (token === "]" || token === "}") level = Math.max(0, level - 1);
    else if (token === "\n" || token === "\r\n") onLine = 0;
    else if (level === 0 && (token === "-" || token === "?" || token === ":")) onLine += 1;
    if (level > MAX_PARSER_DEPTH || onLine > MAX_PARSER_DEPTH) return true;
  }
  return false;
}

function mayNestTooDeep(text: string): boolean {
  const hasLongLine = text.split("\n").some((line) => line.length > MAX_PARSER_DEPTH);
  return hasLongLine || text.split(/[[{]/u, MAX_PARSER_DEPTH + 2).length > MAX_PARSER_DEPTH + 1;
}
