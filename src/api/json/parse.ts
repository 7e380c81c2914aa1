import { isAscii } from "node:buffer";
import type { Json } from "../../model/json/json.ts";
import { mayBeInexact, parseExactly } from "./exact-numbers.ts";

/** Deeper bodies are rejected, because recursive functions read them. */
export const MAX_DEPTH = 200;

export type Parsed =
  | { readonly value: Json | undefined }
  | { readonly problem: "invalid_json" | "not_a_number" | "too_deep" };

/** Parses a body as JSON. An empty body has no value. */
export function parseJson(bytes: Uint8Array): Parsed {
  try {
    return parseText(decodeUtf8(bytes));
  } catch {
    return { problem: "invalid_json" };
  }
}

/** Parses a text as JSON and keeps all numbers exact. */
export function parseText(text: string): Parsed {
  if (text.trim() === "") return { value: undefined };
  // Scanned before parsing: too deep values must not be built, and parsing loses the digits of numbers.
  const { deepest, suspects } = scan(text);
  if (deepest > MAX_DEPTH) return { problem: "too_deep" };
  try {
    return { value: suspects.length === 0 ? (JSON.parse(text) as Json) : parseExactly(text, suspects) };
  } catch {
    // Some libraries write NaN and Infinity, which JSON does not have.
    return { problem: /[:,[]\s*-?(?:NaN|Infinity)\s*[,\]}]/u.test(text) ? "not_a_number" : "invalid_json" };
  }
}

/** Throws on invalid bytes, because replacement characters would look like real values of the object. */
function decodeUtf8(bytes: Uint8Array): string {
  // Most bodies are ASCII. Decoding would be a tenth of the cost of reading a page.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** The result of scanning the text outside of strings. */
interface Scan {
  /** The depth of nested brackets. */
  readonly deepest: number;
  /** Positions of numbers that may change when they are parsed. */
  readonly suspects: readonly (readonly [from: number, to: number])[];
}

/** Written as a loop, because a regular expression would overflow the stack on long strings. */
function scan(text: string): Scan {
  const suspects: [number, number][] = [];
  let deepest = 0;
  let level = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      index = endOfString(text, index);
      continue;
    }
    if (unit >= ZERO && unit <= NINE) {
      const end = endOfNumber(text, index);
      const from = text.charCodeAt(index - 1) === MINUS ? index - 1 : index;
      if (end - from >= SHORTEST_SUSPECT && mayBeInexact(text.slice(from, end))) suspects.push([from, end]);
      index = end - 1;
      continue;
    }
    // The codes of braces and brackets differ in one bit.
    const bracket = unit & BRACE_BIT_OFF;
    if (bracket === OPEN_BRACKET) {
      level += 1;
      if (level > deepest) deepest = level;
    } else if (bracket === CLOSE_BRACKET) level -= 1;
  }
  return { deepest, suspects };
}

function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end += 1) {
    const unit = text.charCodeAt(end);
    const isPart = (unit >= ZERO && unit <= NINE) || unit === DOT || unit === PLUS || unit === MINUS;
    if (!isPart && (unit & LETTER_CASE_OFF) !== LETTER_E) return end;
  }
  return end;
}

/** Finds the quote that ends a string: the first one after an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

/** 1e400 is the shortest number that JavaScript cannot hold. */
const SHORTEST_SUSPECT = 5;
const QUOTE = 0x22;
const PLUS = 0x2b;
const MINUS = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const LETTER_E = 0x45;
const LETTER_CASE_OFF = 0xff_df;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BRACE_BIT_OFF = 0xff_df;
