import { Lexer } from "yaml";

/** Far more than is taken later on, far less than the library's recursion survives. */
const MAX_DEPTH = 1_000;

/**
 * Whether YAML nests so deeply that parsing it could end the process: the library recurses, and at the end of the stack not
 * every failure can be caught. Its lexer does not recurse, and knows what is in quotes. It is asked only where there are as many
 * brackets, or dashes on one line, as it takes.
 */
export function nestsTooDeep(text: string): boolean {
  if (!mayNest(text)) return false;
  let level = 0;
  let onLine = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === "[" || token === "{") level += 1;
    else if (token === "]" || token === "}") level = Math.max(0, level - 1);
    else if (token === "\n" || token === "\r\n") onLine = 0;
    else if (level === 0 && (token === "-" || token === "?" || token === ":")) onLine += 1;
    if (level > MAX_DEPTH || onLine > MAX_DEPTH) return true;
  }
  return false;
}

function mayNest(text: string): boolean {
  let open = 0;
  let onLine = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === LINE_FEED) onLine = 0;
    // A brace is its bracket with one more bit.
    else if ((unit & BRACE_BIT_OFF) === BRACKET) open += 1;
    else if (unit === DASH || unit === QUESTION_MARK || unit === COLON) onLine += 1;
    if (open > MAX_DEPTH || onLine > MAX_DEPTH) return true;
  }
  return false;
}

const LINE_FEED = 0x0a;
const DASH = 0x2d;
const COLON = 0x3a;
const QUESTION_MARK = 0x3f;
const BRACKET = 0x5b;
const BRACE_BIT_OFF = 0xff_df;
