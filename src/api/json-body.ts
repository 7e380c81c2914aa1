import { isAscii } from "node:buffer";
import type { Json } from "../model/json.ts";

/** Deeper bodies are refused: what walks over values is recursive. */
export const MAX_DEPTH = 200;

export type Parsed = { readonly value: Json | undefined } | { readonly problem: "invalid_json" | "too_deep" };

/** A body as JSON; nothing at all counts as no value. */
export function parseJson(bytes: Uint8Array): Parsed {
  try {
    const text = textOf(bytes);
    if (text.trim() === "") return { value: undefined };
    // Before parsing: a value that is too deep must not come into being.
    if (depth(text) > MAX_DEPTH) return { problem: "too_deep" };
    return { value: JSON.parse(text) as Json };
  } catch {
    return { problem: "invalid_json" };
  }
}

/** Fatal, as replacement characters in place of a broken byte would be taken for the object's real values. */
function textOf(bytes: Uint8Array): string {
  // Most bodies are, and need no decoding then: it would be a tenth of what reading a page costs.
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** How deep the brackets outside of strings nest. By hand: a pattern would need a stack as deep as the longest string. */
function depth(text: string): number {
  let deepest = 0;
  let level = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) {
      index = endOfString(text, index);
      continue;
    }
    // A brace is its bracket with one more bit.
    const bracket = unit & BRACE_BIT_OFF;
    if (bracket === OPEN_BRACKET) {
      level += 1;
      if (level > deepest) deepest = level;
    } else if (bracket === CLOSE_BRACKET) level -= 1;
  }
  return deepest;
}

/** Where the string that begins at `start` ends: at a quote before which stands an even number of backslashes. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end;
    while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    if ((end - first) % 2 === 0) return end;
  }
  return text.length;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const BRACE_BIT_OFF = 0xff_df;
