import { isCollection, isMap, isNode, isPair, isScalar, type Node, type Pair } from "yaml";
import { yamlTokens } from "../../config/tree/yaml-tokens.ts";
import type { Comments } from "../edit.ts";

/** A range of the text, by offsets, and its replacement. */
export interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** A part of a text, by offsets. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A part of a text, with all its splices made; undefined if they overlap. */
export function spliced(text: string, splices: readonly Splice[], { from: start, to: end }: Range): string | undefined {
  const ordered = splices.toSorted((a, b) => a.from - b.from || a.to - b.to || indentOf(b) - indentOf(a));
  let [edited, position] = ["", start];
  for (const { from, to, text: piece } of ordered) {
    if (from < position) return undefined;
    edited += text.slice(position, from) + piece;
    position = to;
  }
  return edited + text.slice(position, end);
}

/** Lines that are inserted at one place belong to nested mappings, which end there. The innermost comes first. */
function indentOf({ text }: Splice): number {
  return /^\n?( *)/.exec(text)?.[1]?.length ?? 0;
}

/** The text of a file, with what an edit needs to know about it. */
export interface SourceText {
  readonly text: string;
  /** Whether it is JSON, and has to stay JSON. */
  readonly isJson: boolean;
  /** Columns by which the file indents. */
  readonly step: number;
  /** The ranges of lines that hold nothing but a comment, line ends included, in order. */
  readonly commentLines: readonly Range[];
  /** Comments for new mappings, by mapping. */
  readonly comments?: Comments | undefined;
  /** Whether the text that `${file:path}` includes may be written. By default none may. */
  readonly mayWrite?: MayWrite | undefined;
}

/** Whether the text of a file may be written that an expression includes by its path. */
export type MayWrite = (path: string) => boolean;

/** The new text of a file that an expression includes. */
export interface NewIncludedText {
  readonly path: string;
  readonly text: string;
}

/** The new text of the file in a `${file:path}` that is a whole value, if it may be written. Line ends are those of the file, not of the text. */
export function includedText(written: unknown, text: unknown, mayWrite?: MayWrite): NewIncludedText | undefined {
  if (typeof written !== "string" || typeof text !== "string" || text.includes("\r\n")) return undefined;
  const path = /^\$\{file:([^}]*)\}$/u.exec(written)?.[1];
  return path !== undefined && mayWrite?.(path) === true ? { path, text } : undefined;
}

const DEFAULT_STEP = 2;

export function sourceText(text: string): SourceText {
  const isJson = isJsonText(text);
  const first = isJson
    ? /\n( +)/.exec(text)
    : /^[^\s#-][^\n]*:[^\n]*\r?\n(?:[ \t]*(?:#[^\n]*)?\r?\n)*( +)[^\s#-]/m.exec(text);
  return { text, isJson, step: first?.[1]?.length ?? DEFAULT_STEP, commentLines: commentLinesOf(text) };
}

export function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether every comment that has a line of its own, and is not in a range that is gone, is still there after an edit. */
export function keepsComments({ text, commentLines }: SourceText, edited: string, gone: readonly Range[]): boolean {
  const left = commentLinesOf(edited).map(({ from, to }) => edited.slice(from, to).trim());
  return commentLines.every((line) => {
    if (gone.some(({ from, to }) => from <= line.from && line.to <= to)) return true;
    const index = left.indexOf(text.slice(line.from, line.to).trim());
    return index >= 0 && left.splice(index, 1).length === 1;
  });
}

function commentLinesOf(text: string): readonly Range[] {
  const ranges: Range[] = [];
  for (const { token, offset, isText } of yamlTokens(text))
    if (token.startsWith("#") && !isText && isFirstOnLine(text, offset))
      ranges.push({ from: lineStart(text, offset), to: nextLine(text, offset) });
  return ranges;
}

/** The lines of a range that hold nothing but a comment, as they are. */
export function commentsIn({ text, commentLines }: SourceText, from: number, to: number): string {
  return commentLines
    .filter((line) => line.from >= from && line.to <= to)
    .map((line) => withLineEnd(text.slice(line.from, line.to)))
    .join("");
}

export function withLineEnd(line: string): string {
  return line.endsWith("\n") ? line : `${line}\n`;
}

/** Where the content of a node ends: comments and empty lines behind it do not belong to it. */
export function contentEnd(node: Node, text: string): number {
  if (isCollection(node) && node.flow !== true) {
    const last: unknown = node.items.at(-1);
    if (isPair(last)) return pairEnd(last, text);
    if (isNode(last)) return contentEnd(last, text);
  }
  const end = node.range?.[1] ?? 0;
  // A block of text ends with a line end. Empty lines count only if its header keeps them, and blanks if they are text.
  const source = text.slice(node.range?.[0] ?? 0, end);
  const keepsEnd = /^[|>]\d?\+/.test(source) || (isScalar(node) && /(?:^|\n)[ \t]+\n*$/.test(String(node.value)));
  return keepsEnd ? end : end - (/\r?\n\s*$/.exec(source)?.[0].length ?? 0);
}

/** Where the content of a member ends. */
export function pairEnd({ key, value }: Pair, text: string): number {
  const keyEnd = isNode(key) ? (key.range?.[1] ?? 0) : 0;
  const colonEnd = text.indexOf(":", keyEnd) + 1;
  return isNode(value) && !isEmptyNode(value) ? contentEnd(value, text) : colonEnd;
}

/** Whether a value is null because nothing is written. */
export function isEmptyNode(node: Node): boolean {
  return isScalar(node) && node.value === null && (node.source ?? "") === "";
}

export function isBlock(node: Node): boolean {
  return isCollection(node) && node.flow !== true;
}

export function isFlow(node: Node): boolean {
  return isCollection(node) && node.flow === true;
}

export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** The start of the next line, or the end of the text. An offset at the start of a line is one already. */
export function nextLine(text: string, offset: number): number {
  if (offset > 0 && text[offset - 1] === "\n") return offset;
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** Whether only blanks stand before an offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

/** The text of a key as it is written, without quotes. */
export function writtenKey({ key }: Pair): string {
  return isScalar(key) ? String(key.source ?? key.value) : "";
}

/** The members of a mapping without merge keys. */
export function ownPairs(node: Node): readonly Pair[] {
  return isMap(node) ? node.items.filter((pair) => writtenKey(pair) !== "<<" || !isPlain(pair)) : [];
}

function isPlain({ key }: Pair): boolean {
  return isScalar(key) && key.type === "PLAIN";
}
