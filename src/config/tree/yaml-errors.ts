/**
 * Says what is wrong with YAML that does not parse, in words about the file instead of the parser's words.
 *
 * Premise: the parser reports where it gives up. The mistake is often earlier, such as a bracket that was never closed.
 * Algorithm: each code of the parser has a function, which looks at the text around the position for the usual mistakes.
 */
import { Lexer, type YAMLError } from "yaml";
import type { ProblemDetail } from "../problems.ts";
import { describeOffset, lineOf, type Source } from "./tree.ts";

/** A mistake, and the offset of the place to mend. */
export interface SyntaxProblem extends ProblemDetail {
  readonly mark: number;
}

/** The document is nested so deeply that it could exhaust the stack. */
export const TOO_DEEP: ProblemDetail = { code: "too_deep", message: "the document is nested too deeply" };

const QUOTE_IT = "Put the text in quotes.";

/** Lists the mistakes of a document: the first of each line and at most three, because one mistake usually causes others. */
export function syntaxProblems(errors: readonly YAMLError[], text: string, source: Source): readonly SyntaxProblem[] {
  const conflict = /^(?:<{7}|={7}|>{7})(?: |$)/mu.exec(text);
  if (conflict !== null) {
    const message = "the file has the conflict markers of an unfinished merge";
    return [
      { mark: conflict.index, code: "yaml_syntax", message, hint: "Resolve the conflict, and remove the markers." },
    ];
  }
  const found: SyntaxProblem[] = [];
  const lines = new Set<number>();
  for (const error of errors) {
    const [start] = error.pos;
    const problem = syntaxProblem(error, text, source);
    const [line, reported] = [lineOf(source.lineStarts, problem.mark), lineOf(source.lineStarts, start)];
    if (!lines.has(line) && !lines.has(reported)) found.push(problem);
    lines.add(line).add(reported);
    // Brackets, quotes and indentation decide how all that follows is read, so later errors would mislead.
    const decidesRest = problem.mark < start || problem.message === BAD_INDENT || STRAY_CLOSE.test(error.message);
    if (found.length === 3 || decidesRest) break;
  }
  return found;
}

const BAD_INDENT = "the indentation of this line does not fit the lines before it";
const STRAY_CLOSE = /^Unexpected flow-(?:map|seq)-end token/u;

type Explained = Pick<SyntaxProblem, "message" | "hint"> & { readonly mark?: number };

function syntaxProblem({ code, message, pos }: YAMLError, text: string, source: Source): SyntaxProblem {
  const [mark] = pos;
  if (code === "RESOURCE_EXHAUSTION") return { mark, ...TOO_DEEP };
  const explain = EXPLAINED[code];
  const found = explain?.({ code, message, start: mark, end: pos[1], text, source });
  return { mark, code: "yaml_syntax", ...(found ?? { message: lowerFirst(message) }) };
}

interface Failure {
  readonly code: string;
  /** The parser's words. */
  readonly message: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly source: Source;
}

const EXPLAINED: Readonly<Record<string, (failure: Failure) => Explained | undefined>> = {
  TAB_AS_INDENT: () => ({ message: "tabs are not allowed as indentation", hint: "Indent with spaces." }),
  BAD_SCALAR_START: plainStart,
  BAD_ALIAS: plainStart,
  BAD_DQ_ESCAPE: ({ message }) => ({
    message: lowerFirst(message),
    hint: "Use single quotes, in which a backslash is a backslash, or write the backslash twice.",
  }),
  BAD_INDENT: (failure) => unclosedBracket(failure) ?? badIndent(failure),
  MISSING_CHAR: (failure) =>
    unclosedQuote(failure) ?? unclosedBracket(failure) ?? missingComma(failure) ?? noColon(failure),
  BLOCK_AS_IMPLICIT_KEY: (failure) => colonInText(failure) ?? badIndent(failure),
  BLOCK_IN_FLOW: () => ({
    message: "this text contains a colon",
    hint: `${QUOTE_IT} If it is the key of another value, add the missing comma before that key.`,
  }),
  MULTILINE_IMPLICIT_KEY: noColon,
  UNEXPECTED_TOKEN: (failure) =>
    strayBracket(failure) ?? blockHeader(failure) ?? textAfterEnd(failure) ?? strayComma(failure),
};

function plainStart({ text, start }: Failure): Explained {
  return { message: `a text that begins with ${text.charAt(start)} must be in quotes`, hint: QUOTE_IT };
}

function colonInText({ text, start }: Failure): Explained | undefined {
  if (!/:(?:\s|$)/u.test(lineFrom(text, start))) return undefined;
  const hint = /[“”„]/u.test(text.charAt(start)) ? 'Use straight quotes: "...".' : QUOTE_IT;
  return { message: "a text with a colon and a space in it must be in quotes", hint };
}

/** The parser reports a line that is indented too far at the value of the line before it, and another at its first blank. */
function badIndent({ code, text, start }: Failure): Explained {
  const next = code === "BLOCK_AS_IMPLICIT_KEY" ? /\n\s*/gu : / */gu;
  next.lastIndex = start;
  const mark = next.test(text) ? next.lastIndex : start;
  return {
    mark,
    message: BAD_INDENT,
    hint: "Indent the keys of one mapping by the same number of spaces.",
  };
}

/** A key without a colon, or with a colon that no space follows. */
function noColon({ text, start }: Failure): Explained {
  const line = lineFrom(text, start);
  if (/^[^\s:]+:\S/u.test(line))
    return { message: "there is no space after the colon", hint: "Write a space after the colon." };
  return {
    message: "the line has no colon",
    hint: "Write a colon after a key. Put a text of several lines in quotes.",
  };
}

/** The parser reports an unclosed bracket where the collection had to end. */
function unclosedBracket({ message, start, text, source }: Failure): Explained | undefined {
  if (!/^Flow (?:map|sequence)/u.test(message)) return undefined;
  const open = openBrackets(text, start).at(-1);
  if (open === undefined) return undefined;
  const close = CLOSING[text.charAt(open)] ?? "";
  const bracket = text.charAt(open);
  const hint = `Add the ${close} ${beforeOffset(text, open, start, source)}. If ${bracket} belongs to a text, put the text in quotes.`;
  return { mark: open, message: `this ${bracket} is never closed`, hint };
}

function beforeOffset(text: string, open: number, end: number, source: Source): string {
  if (text.slice(end).trim() === "") return "at the end";
  const line = lineOf(source.lineStarts, end);
  const isSameLine = line === lineOf(source.lineStarts, open);
  return `before ${isSameLine ? describeOffset(source, end) : `line ${String(line)}`}`;
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** The offsets of the brackets before an offset that are still open there. */
function openBrackets(text: string, before: number): readonly number[] {
  const open: number[] = [];
  for (const { token, offset } of tokensOf(text)) {
    if (offset >= before) break;
    if (token === "{" || token === "[") open.push(offset);
    if (token === "}" || token === "]") {
      const match = open.findLastIndex((one) => CLOSING[text.charAt(one)] === token);
      if (match >= 0) open.length = match;
    }
  }
  return open;
}

/** What the lexer yields besides the text: the beginning of a document, the early end of brackets, and that of a text. */
const MARKS: ReadonlySet<string> = new Set(["\u0002", "\u0018", "\u001F"]);

/** The tokens of a text with their offsets. */
function* tokensOf(text: string): Generator<{ readonly token: string; readonly offset: number }> {
  let offset = 0;
  for (const token of new Lexer().lex(text)) {
    if (MARKS.has(token)) continue;
    yield { token, offset };
    offset += token.length;
  }
}

function unclosedQuote({ message, text }: Failure): Explained | undefined {
  const quote = /^Missing closing (["'])quote/u.exec(message)?.[1];
  if (quote === undefined) return undefined;
  const last = [...tokensOf(text)].findLast(({ token }) => token.startsWith(quote));
  return {
    ...(last === undefined ? {} : { mark: last.offset }),
    message: `this ${quote} is never closed`,
    hint: `Add the missing ${quote}. If it belongs to the text, put the whole text in the other kind of quotes.`,
  };
}

function missingComma({ message }: Failure): Explained | undefined {
  if (!message.startsWith("Missing ,")) return undefined;
  return { message: "a comma is missing before this", hint: "Write commas between the items." };
}

function strayBracket({ message, text, start }: Failure): Explained | undefined {
  if (!STRAY_CLOSE.test(message)) return undefined;
  const bracket = text.charAt(start);
  return { message: `this ${bracket} closes nothing`, hint: "Remove it, or add the bracket that it closes." };
}

function strayComma({ message }: Failure): Explained | undefined {
  return message.startsWith("Unexpected ,")
    ? { message: "there is nothing before this comma", hint: "Remove it." }
    : undefined;
}

function blockHeader({ message }: Failure): Explained | undefined {
  if (!/^Block scalar header|^Not a YAML token/u.test(message)) return undefined;
  return {
    message: "a text cannot follow | or > on the same line",
    hint: "Begin the text on the next line, indented. If | or > belongs to the text, put the text in quotes.",
  };
}

/** Something follows a value that has ended: a closing quote, or `$` inside of brackets. */
function textAfterEnd({ message, text, start, source }: Failure): Explained | undefined {
  if (!message.endsWith("at node end")) return undefined;
  if (text.startsWith("${", start - 1)) {
    return {
      mark: start - 1,
      message: "${...} must be in quotes inside of { } and [ ]",
      hint: 'Write "${...}" with the quotes.',
    };
  }
  const before = [...tokensOf(text)].findLast(({ token, offset }) => offset < start && /^["']/u.test(token));
  if (before === undefined || text.slice(before.offset + before.token.length, start).trim() !== "") return undefined;
  const place = describeOffset(source, before.offset);
  return {
    message: `text follows a quoted text, which begins at ${place}`,
    hint: "Put the whole text in one pair of quotes. If the text contains such quotes, use the other kind around it.",
  };
}

/** The rest of the line at an offset. */
function lineFrom(text: string, start: number): string {
  return text.slice(start).split(/\r?\n/u, 1)[0] ?? "";
}

/** The message of the parser with a small first letter. */
export function lowerFirst(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}
