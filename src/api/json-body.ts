import type { Json } from "../model/json.ts";

/** Deeper bodies are refused: what walks over values is recursive. */
export const MAX_DEPTH = 200;

export type Parsed = { readonly value: Json | undefined } | { readonly problem: "invalid_json" | "too_deep" };

/** A body as JSON; nothing at all counts as no value. */
export function parseJson(bytes: Uint8Array): Parsed {
  try {
    // Fatal, as replacement characters in place of a broken byte would be taken for the object's real values.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (text.trim() === "") return { value: undefined };
    // Before parsing: a value that is too deep must not come into being.
    if (depth(text) > MAX_DEPTH) return { problem: "too_deep" };
    return { value: JSON.parse(text) as Json };
  } catch {
    return { problem: "invalid_json" };
  }
}

/** How deep the brackets outside of strings nest. By hand: a pattern would need a stack as deep as the longest string. */
function depth(text: string): number {
  let deepest = 0;
  let level = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === BACKSLASH) index += 1;
      else if (unit === QUOTE) inString = false;
    } else if (unit === QUOTE) inString = true;
    else if (unit === OPEN_BRACKET || unit === OPEN_BRACE) deepest = Math.max(deepest, ++level);
    else if (unit === CLOSE_BRACKET || unit === CLOSE_BRACE) level -= 1;
  }
  return deepest;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
