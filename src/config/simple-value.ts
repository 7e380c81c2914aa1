import type { Member, Node, Source } from "./tree.ts";

/** Where reading a text is: at `pos`, which is in `column` of a line that ends at `end`. */
export interface Cursor {
  readonly text: string;
  readonly source: Source;
  readonly lineStarts: number[];
  pos: number;
  column: number;
  end: number;
  /** Collections that are open. */
  depth: number;
}

/** What is nested deeper is left to the library, which knows its limits. */
export const DEEPEST = 50;

const KEY = /(?:([A-Za-z0-9_][\w.@/+$-]{0,200})|"([^"\\\n]{0,200})"|'([^'\n]{0,200})'):(?: +|(?=\n)|$)/y;
const QUOTED = /"([^"\\\n]*)"|'([^'\n]*)'/y;
/** What can begin a value without quotes, and is neither an indicator nor a number's odd sign. */
const PLAIN = /(?:[A-Za-z0-9_$/.(+~^\u00a1-\uffff]|-(?=[A-Za-z0-9.]))[^\n]*/y;
const PLAIN_IN_FLOW = /(?:[A-Za-z0-9_$/.(+~^\u00a1-\uffff]|-(?=[A-Za-z0-9.]))[^\n,[\]{}:#"']*/y;
const OVER = / *(?: #[^\n]*)?(?=\n|$)/y;

/** The key that stands here with its colon; undefined where there is none, or one that is not certainly a text. */
export function readKey(cursor: Cursor): string | undefined {
  const found = match(KEY, cursor);
  if (found === undefined) return undefined;
  const [, plain, double, single] = found;
  if (plain === undefined) return double ?? single;
  const value = resolve(plain);
  if (typeof value === "string" || (typeof value === "number" && String(value) === plain)) return plain;
  cursor.pos -= found[0].length;
  return undefined;
}

/** Whether nothing but a comment follows. */
export function isLineOver({ text, pos, end }: Cursor): boolean {
  return pos === end || text[pos] === "#";
}

/** The value that stands between here and the end of the line. */
export function readInline(cursor: Cursor): Node | undefined {
  const { text, source, pos: mark } = cursor;
  const first = text[mark];
  if (first === "[" || first === "{" || first === '"' || first === "'") {
    const node = readFlow(cursor);
    return match(OVER, cursor) === undefined ? undefined : node;
  }
  const found = match(PLAIN, cursor)?.[0];
  if (found === undefined) return undefined;
  const comment = found.indexOf(" #");
  const plain = (comment < 0 ? found : found.slice(0, comment)).trimEnd();
  // Another key on the same line, or a mistake.
  if (plain.includes(": ") || plain.endsWith(":")) return undefined;
  return scalar(resolve(plain), source, mark);
}

/** A value of a list in brackets, or such a list. */
function readFlow(cursor: Cursor): Node | undefined {
  const { text, source, pos: mark } = cursor;
  const first = text[mark];
  if (first === "[") return readBrackets(cursor);
  if (first === "{") return readBraces(cursor);
  const quoted = match(QUOTED, cursor);
  if (quoted !== undefined) return scalar(quoted[1] ?? quoted[2], source, mark);
  const plain = match(PLAIN_IN_FLOW, cursor)?.[0];
  return plain === undefined ? undefined : scalar(resolve(plain.trimEnd()), source, mark);
}

function readBrackets(cursor: Cursor): Node | undefined {
  const { source, pos: mark } = cursor;
  const items: Node[] = [];
  const isWhole = readItems(cursor, "]", () => {
    const item = readFlow(cursor);
    if (item !== undefined) items.push(item);
    return item !== undefined;
  });
  return isWhole ? { type: "list", source, mark, items } : undefined;
}

function readBraces(cursor: Cursor): Node | undefined {
  const { source, pos: mark } = cursor;
  const members = new Map<string, Member>();
  const isWhole = readItems(cursor, "}", () => {
    const { pos } = cursor;
    const key = readKey(cursor);
    const value = key === undefined || members.has(key) ? undefined : readFlow(cursor);
    if (key === undefined || value === undefined) return false;
    members.set(key, { key, source, mark: pos, value });
    return true;
  });
  return isWhole ? { type: "map", source, mark, members } : undefined;
}

/** Reads what stands between a bracket and the one that closes it, on one line. False where it is not certain. */
function readItems(cursor: Cursor, close: "]" | "}", readOne: () => boolean): boolean {
  const { text } = cursor;
  let next = ",";
  // A bracket within a bracket comes here again.
  cursor.depth++;
  for (let isFirst = true; next === ","; isFirst = false) {
    cursor.pos++;
    skipSpaces(cursor);
    if (isFirst && text[cursor.pos] === close) next = close;
    else {
      if (cursor.depth > DEEPEST || !readOne()) return false;
      skipSpaces(cursor);
      next = text[cursor.pos] ?? "";
    }
  }
  cursor.pos++;
  cursor.depth--;
  return next === close;
}

/** Moves to what is not a space. */
export function skipSpaces(cursor: Cursor): void {
  while (cursor.text[cursor.pos] === " ") cursor.pos++;
}

/** Moves behind what the pattern finds right here. */
function match(pattern: RegExp, cursor: Cursor): RegExpExecArray | undefined {
  pattern.lastIndex = cursor.pos;
  const found = pattern.exec(cursor.text);
  if (found === null) return undefined;
  cursor.pos += found[0].length;
  return found;
}

function scalar(value: null | boolean | number | string | undefined, source: Source, mark: number): Node | undefined {
  return value === undefined ? undefined : { type: "scalar", source, mark, value };
}

const WORDS: Readonly<Record<string, null | boolean>> = { null: null, "~": null, true: true, false: false };
const ODD_WORD = /^(?:null|true|false)$/i;
const SIMPLE_NUMBER = /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/;
const ODD_NUMBER = /^[-+]?(?:0[ox]|\.?\d[\d.]*(?:e[-+]?\d*)?$|\.(?:inf|nan)$)/i;

/** What a text without quotes means; undefined where that is not certain. */
function resolve(text: string): null | boolean | number | string | undefined {
  const first = text.charCodeAt(0);
  const isNumeric = first < 58 && first !== 36 && first !== 47 && first !== 40;
  if (isNumeric) {
    if (SIMPLE_NUMBER.test(text)) return Number(text);
    return ODD_NUMBER.test(text) ? undefined : text;
  }
  if (text.length > 5) return text;
  if (Object.hasOwn(WORDS, text)) return WORDS[text];
  return ODD_WORD.test(text) ? undefined : text;
}
