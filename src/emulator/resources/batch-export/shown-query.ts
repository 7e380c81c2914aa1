/** Whole words that deployed servers write in capitals. */
const CAPITALS = /^(?:select|distinct|as|from|where|and|or|not|in|like|ilike|is|null|between)$/i;
/** A text, a name in quotes, a space, a word, or any other character. */
const PIECES = /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|\s+|[\p{L}_$][\p{L}\p{N}_$]*|./gsu;

/**
 * The text of a query as deployed servers show it: printed anew from what they understood, without the spaces, the case of the
 * key words and the semicolon that were sent.
 */
export function shownQuery(query: string): string {
  const pieces = query.match(PIECES) ?? [];
  const printed = pieces.map((piece, index) => {
    if (/^\s+$/.test(piece)) return " ";
    return CAPITALS.test(piece) && pieces[index - 1] !== "." ? piece.toUpperCase() : piece;
  });
  return printed.join("").trim().replace(/\s*;$/, "");
}
