import { Composer, type CST, type Document, isMap, LineCounter, Parser, type YAMLError, Lexer } from "yaml";
import type { FoundFile } from "../source/files.ts";
import type { Problems, ProblemDetail } from "../problems.ts";
import type { MapNode, Source } from "./tree.ts";
import { convertYaml } from "./yaml-tree.ts";

/** The documents of one YAML file. */
export interface YamlFile {
  /** Those with the top-level key `driftline`, or all of them where the file was named. */
  readonly documents: readonly MapNode[];
  /** Numbers, from 1, of those that are somebody else's. */
  readonly foreign: readonly number[];
  /** Something in it does not parse. */
  readonly broken: boolean;
}

/** How a configuration begins. */
const START_HINT = "start it with driftline: 1";

/**
 * Parses YAML 1.2 (core schema, with `<<`). A text that does not parse is reported whoever it belongs to: what cannot be
 * read may have been ours.
 */
export function parseYaml(text: string, file: FoundFile, problems: Problems, hint = START_HINT): YamlFile {
  if (nestsTooDeep(text)) {
    problems.add({ severity: "error", ...TOO_DEEP, file: file.file, line: 1, column: 1 });
    return { documents: [], foreign: [], broken: true };
  }
  const lines = new LineCounter();
  const all = parseDocuments(text, lines);
  // An escape may stand for either character.
  const isLiteral = !/\$\{|\\/.test(text);
  const source: Source = { path: file.path, file: file.file, lineStarts: lineStartsOf(lines), isLiteral };
  const documents: MapNode[] = [];
  const foreign: number[] = [];
  let broken = false;
  for (const [index, document] of all.entries()) {
    if (document.errors.length > 0) {
      reportSyntaxErrors(document.errors, source, problems);
      broken = true;
    } else if (file.named || (isMap(document.contents) && document.contents.has("driftline"))) {
      const node = convertDocument(document, source, problems, hint);
      if (node === undefined) broken ||= hasContent(document);
      else documents.push(node);
    } else if (hasContent(document)) foreign.push(index + 1);
  }
  if (!all.some(hasContent) && !broken) {
    problems.error(
      { source, mark: 0 },
      { code: "empty_file", message: "the file is empty", hint: "fill it in, or remove it" },
    );
    broken = true;
  }
  return { documents, foreign, broken };
}

/**
 * What parseAllDocuments gives. That makes its array first, which grows old while the file is parsed; an old array keeps the
 * young documents in it alive as they are collected, so that all of them grow old, too: a tenth of the time of a long run.
 */
function parseDocuments(text: string, lines: LineCounter): readonly Document.Parsed[] {
  const composer = new Composer({
    version: "1.2",
    schema: "core",
    merge: true,
    // Told here with both places.
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    lineCounter: lines,
  });
  return [...composer.compose(parseTokens(text, lines))];
}

/**
 * The tokens of a text, each taken apart as soon as a document was made of it. The first tokens of a long file grow old while
 * the rest of it is read, and would keep all of that alive until the next full collection: a tenth of the time, and a quarter of
 * the memory.
 */
function* parseTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  for (const token of new Parser(lines.addNewLine).parse(text)) {
    yield token;
    releaseTokens(token);
  }
}

function releaseTokens(token: CST.Token): void {
  if (token.type === "document") {
    if (token.value !== undefined) releaseTokens(token.value);
  } else if ("items" in token) {
    for (const { key, value } of token.items) {
      if (key) releaseTokens(key);
      if (value) releaseTokens(value);
    }
    token.items.length = 0;
  }
}

function lineStartsOf(lines: LineCounter): readonly number[] {
  return lines.lineStarts.length === 0 ? [0] : lines.lineStarts;
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

/** A tag or directive that is not understood would silently change what is meant. */
function reportMisleading(document: Document.Parsed, source: Source, problems: Problems): boolean {
  for (const { code, message, pos } of document.warnings) {
    const remark = { code: "yaml_syntax", message: lowerFirst(message), hint: hintFor(code) };
    problems.error({ source, mark: pos[0] }, remark);
  }
  const isOld = document.directives?.yaml.version === "1.1";
  if (isOld) {
    const message = "%YAML 1.1 is not understood: its yes, no and on are booleans";
    problems.error(
      { source, mark: 0 },
      { code: "yaml_syntax", message, hint: "remove the directive; YAML 1.2 is read" },
    );
  }
  return isOld || document.warnings.length > 0;
}

/** One error usually brings others along: the first of each line, and no more than three. */
function reportSyntaxErrors(errors: readonly YAMLError[], source: Source, problems: Problems): void {
  const lines = new Set<number>();
  for (const { code, message, pos } of errors) {
    const line = source.lineStarts.findLastIndex((start) => start <= pos[0]);
    if (lines.has(line) || lines.size === 3) continue;
    lines.add(line);
    problems.error({ source, mark: pos[0] }, syntaxProblem(code, message));
  }
}

const TOO_DEEP: ProblemDetail = { code: "too_deep", message: "the document is nested too deeply" };

function syntaxProblem(code: string, message: string): ProblemDetail {
  if (code === "RESOURCE_EXHAUSTION") return TOO_DEEP;
  return { code: "yaml_syntax", message: lowerFirst(message).replace(/(["'])quote$/, "$1"), hint: hintFor(code) };
}

function hintFor(code: string): string | undefined {
  if (code === "TAB_AS_INDENT") return "indent with spaces";
  if (code === "TAG_RESOLVE_FAILED") return "remove the tag";
  if (code === "BAD_SCALAR_START") return "put the value in quotes";
  if (code === "BLOCK_AS_IMPLICIT_KEY") return "put a value that contains a colon in quotes, or check the indentation";
  return undefined;
}

function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** Far more than is taken later on, far less than the library's recursion survives. */
const MAX_PARSER_DEPTH = 1_000;

/**
 * Whether YAML nests so deeply that parsing it could end the process: the library recurses, and at the end of the stack not
 * every failure can be caught. Its lexer does not recurse, and knows what is in quotes. It is asked only where there are as many
 * brackets, or dashes on one line, as it takes.
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
  let open = 0;
  let onLine = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === LINE_FEED) onLine = 0;
    // A brace is its bracket with one more bit.
    else if ((unit & BRACE_BIT_OFF) === BRACKET) open += 1;
    else if (unit === DASH || unit === QUESTION_MARK || unit === COLON) onLine += 1;
    if (open > MAX_PARSER_DEPTH || onLine > MAX_PARSER_DEPTH) return true;
  }
  return false;
}

const LINE_FEED = 0x0a;
const DASH = 0x2d;
const COLON = 0x3a;
const QUESTION_MARK = 0x3f;
const BRACKET = 0x5b;
const BRACE_BIT_OFF = 0xff_df;
