/**
 * Says what is wrong with YAML that does not parse.
 *
 * Premise: the parser reports where it gives up. The mistake is often earlier, such as a bracket that was never closed.
 * Algorithm: codes of the parser have functions, which look at the text around the position for the usual mistakes. For all other
 * mistakes, the parser's words are shown.
 */
import { own } from "../../model/json/json.ts";
import type { YAMLError } from "yaml";
import type { ProblemDetail } from "../problems.ts";
import { lineOf, type Source } from "./tree.ts";
import { yamlTokens } from "./yaml-tokens.ts";

/** A mistake, and the offset of the place to mend. */
export interface SyntaxProblem extends ProblemDetail {
  readonly mark: number;
}

/** The document is nested so deeply that it could exhaust the stack. */
export const TOO_DEEP: ProblemDetail = { code: "too_deep", message: "the document is nested too deeply" };

/** Lists the mistakes of a document: the first of each line and at most three, because one mistake usually causes others. */
export function syntaxProblems(errors: readonly YAMLError[], text: string, source: Source): readonly SyntaxProblem[] {
  const conflict = /^(?:<{7}|={7}|>{7})(?: |$)/mu.exec(text);
  if (conflict !== null) {
    const message = "the file has the conflict markers of an unfinished merge";
    return [
      { mark: conflict.index, code: "yaml_syntax", message, hint: "Resolve the conflict, and remove the markers." },
    ];
  }
  const problems: SyntaxProblem[] = [];
  const lines = new Set<number>();
  for (const error of errors) {
    const [start] = error.pos;
    const problem = syntaxProblem(error, text);
    const [line, reported] = [lineOf(source.lineStarts, problem.mark), lineOf(source.lineStarts, start)];
    if (!lines.has(line) && !lines.has(reported)) problems.push(problem);
    lines.add(line).add(reported);
    // Brackets, quotes and indentation decide how all that follows is read, so later errors would mislead.
    const decidesRest = problem.mark < start || problem.message === BAD_INDENT || STRAY_CLOSE.test(error.message);
    if (problems.length === 3 || decidesRest) break;
  }
  return problems;
}

const BAD_INDENT = "the indentation of this line does not fit the lines before it";
const STRAY_CLOSE = /^Unexpected flow-(?:map|seq)-end token/u;

type Explained = Pick<SyntaxProblem, "message" | "hint"> & { readonly mark?: number };

function syntaxProblem({ code, message, pos }: YAMLError, text: string): SyntaxProblem {
  const [mark] = pos;
  if (code === "RESOURCE_EXHAUSTION") return { mark, ...TOO_DEEP };
  const explained = own(EXPLAINED, code)?.({ code, message, start: mark, text });
  return { mark, code: "yaml_syntax", ...(explained ?? { message: lowerFirst(message) }) };
}

interface Failure {
  readonly code: string;
  /** The parser's words. */
  readonly message: string;
  readonly start: number;
  readonly text: string;
}

/** What is wrong for the usual mistakes. The parser's own words stand for all others. */
const EXPLAINED: Readonly<Record<string, (failure: Failure) => Explained | undefined>> = {
  BAD_SCALAR_START: plainStart,
  BAD_ALIAS: plainStart,
  TAB_AS_INDENT: () => ({ message: "tabs are not allowed as indentation", hint: "Indent with spaces." }),
  BAD_INDENT: (failure) => unclosedBracket(failure) ?? badIndent(failure),
  MISSING_CHAR: (failure) => unclosedQuote(failure) ?? unclosedBracket(failure) ?? noColon(failure),
  BLOCK_AS_IMPLICIT_KEY: (failure) => colonInText(failure) ?? badIndent(failure),
  BLOCK_IN_FLOW: () => ({
    message: "this text contains a colon",
    hint: "Put the text in quotes. If it is the key of another value, add the missing comma before that key.",
  }),
  MULTILINE_IMPLICIT_KEY: noColon,
  UNEXPECTED_TOKEN: (failure) => strayBracket(failure) ?? bareExpression(failure) ?? quoteInText(failure),
};

function plainStart({ text, start }: Failure): Explained {
  return {
    message: `a text that begins with ${text.charAt(start)} must be in quotes`,
    hint: "Put the text in quotes.",
  };
}

function colonInText({ text, start }: Failure): Explained | undefined {
  if (!/:(?:\s|$)/u.test(lineFrom(text, start))) return undefined;
  const hint = /[“”„]/u.test(text.charAt(start)) ? 'Use straight quotes: "...".' : "Put the text in quotes.";
  return { message: "a text with a colon and a space in it must be in quotes", hint };
}

/** The parser reports a line that is indented too far at the value of the line before it, and another at its first blank. */
function badIndent({ code, text, start }: Failure): Explained {
  const next = code === "BLOCK_AS_IMPLICIT_KEY" ? /\n\s*/gu : / */gu;
  next.lastIndex = start;
  const mark = next.test(text) ? next.lastIndex : start;
  return { mark, message: BAD_INDENT, hint: "Indent the keys of one mapping by the same number of spaces." };
}

/** A key without a colon, or with a colon that no space follows. */
function noColon({ message, text, start }: Failure): Explained | undefined {
  if (message.startsWith("Missing ,")) return undefined;
  if (/^[^\s:]+:\S/u.test(lineFrom(text, start)))
    return { message: "there is no space after the colon", hint: "Write a space after the colon." };
  return {
    message: "the line has no colon",
    hint: "Write a colon after a key. Put a text of several lines in quotes.",
  };
}

const CLOSING: Readonly<Record<string, string>> = { "{": "}", "[": "]" };

/** The parser reports an unclosed bracket where the collection had to end. */
function unclosedBracket({ message, start, text }: Failure): Explained | undefined {
  if (!/^Flow (?:map|sequence)/u.test(message)) return undefined;
  const open: number[] = [];
  for (const { token, offset } of yamlTokens(text)) {
    if (offset >= start) break;
    if (Object.hasOwn(CLOSING, token)) open.push(offset);
    const isEnd = Object.values(CLOSING).includes(token);
    const match = isEnd ? open.findLastIndex((one) => own(CLOSING, text.charAt(one)) === token) : -1;
    if (match >= 0) open.length = match;
  }
  const mark = open.at(-1);
  if (mark === undefined) return undefined;
  const bracket = text.charAt(mark);
  const hint = `Add the missing ${own(CLOSING, bracket) ?? ""}. If ${bracket} belongs to a text, put the text in quotes.`;
  return { mark, message: `this ${bracket} is never closed`, hint };
}

function unclosedQuote({ message, text }: Failure): Explained | undefined {
  const quote = /^Missing closing (["'])quote/u.exec(message)?.[1];
  if (quote === undefined) return undefined;
  const last = [...yamlTokens(text)].findLast(({ token }) => token.startsWith(quote));
  return {
    ...(last === undefined ? {} : { mark: last.offset }),
    message: `this ${quote} is never closed`,
    hint: `Add the missing ${quote}. If it belongs to the text, put the whole text in the other kind of quotes.`,
  };
}

function strayBracket({ message, text, start }: Failure): Explained | undefined {
  if (!STRAY_CLOSE.test(message)) return undefined;
  const bracket = text.charAt(start);
  return { message: `this ${bracket} closes nothing`, hint: "Remove it, or add the bracket that it closes." };
}

/** A `${...}` inside of brackets, which would end at its brace. */
function bareExpression({ text, start }: Failure): Explained | undefined {
  if (!text.startsWith("${", start - 1)) return undefined;
  return {
    mark: start - 1,
    message: "${...} must be in quotes inside of { } and [ ]",
    hint: 'Write "${...}" with the quotes.',
  };
}

function quoteInText({ message, text, start }: Failure): Explained | undefined {
  if (!message.endsWith("at node end") || !/["']\s*$/u.test(text.slice(0, start))) return undefined;
  return {
    message: "text follows a quoted text",
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
