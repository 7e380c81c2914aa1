/** Whole words that deployed servers write in capitals. */
const CAPITALS = /^(?:select|distinct|as|from|where|and|or|not|in|like|ilike|is|null|between)$/i;
/** A text, a name in quotes, a space, a word, or any other character. */
const PIECES = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\s+|[\p{L}_$][\p{L}\p{N}_$]*|./gsu;

/**
 * The text of a query as deployed servers show it: printed anew from what they understood, without the spaces, the case of the
 * key words and the semicolon that were sent.
 */
export function shownQuery(query: string): string {
  const printed: string[] = [];
  // After a dot stands a key, also if there is space between them.
  let isKey = false;
  for (const piece of query.match(PIECES) ?? []) {
    const isSpace = /^\s+$/.test(piece);
    const shown = CAPITALS.test(piece) && !isKey ? piece.toUpperCase() : piece;
    printed.push(isSpace ? " " : shown);
    if (!isSpace) isKey = piece === ".";
  }
  return printed.join("").trim().replace(/\s*;$/, "");
}
