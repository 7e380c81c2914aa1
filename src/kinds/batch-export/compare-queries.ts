/**
 * Compares the declared text of a query with the one that a service shows.
 *
 * Terms: a piece is a word, a number, a text in quotes or a sign. Content is what an author chooses: names, keys, texts and
 * numbers, but not functions, key words and signs.
 * Premise: a service shows what it understood, in a form of its own. It surely changes spaces, the case of key words, quotes that a
 * name does not need, and a last semicolon. It may write operators as functions, and the table before a name. So two texts
 * differ for sure only if their content does, and only if both are of a form in which no content appears or disappears: no
 * constant condition, cast, comment, placeholder, minus or `*`.
 */

/** The key words, with their letters. */
const KEYWORDS: ReadonlyMap<string, string> = new Map([
  ["select", "S"],
  ["distinct", "D"],
  ["as", "A"],
  ["from", "F"],
  ["where", "W"],
  ["and", "&"],
  ["or", "|"],
  ["not", "N"],
  ["in", "I"],
  ["like", "L"],
  ["ilike", "L"],
]);

interface Piece {
  /** The letter of a key word, `w` for another word, `l` for a text or a number, a sign, or `?` for what is not understood. */
  readonly type: string;
  /** Equal for pieces that mean the same. */
  readonly text: string;
}

/** Whether a service that shows `live` may have been given `declared`, or surely was not. */
export function compareQueries(declared: string, live: string): "equal" | "different" | "unknown" {
  if (declared.trim() === live.trim()) return "equal";
  const [wanted, shown] = [piecesOf(declared), piecesOf(live)];
  if (COMMENT.test(declared) || COMMENT.test(live)) return "unknown";
  if (textOf(wanted) === textOf(shown)) return "equal";
  if (!isPlain(wanted) || !isPlain(shown)) return "unknown";
  const [mine, other] = [contentOf(wanted), contentOf(shown)];
  return mine.size === other.size && [...mine].every((item) => other.has(item)) ? "unknown" : "different";
}

/** Where a comment may begin. The end of a line counts there. */
const COMMENT = /--|\/[*/]|#/;

const PIECE =
  /\s+|'(?<string>(?:[^'\\]|\\.|'')*)'|(?<quote>["`])(?<name>(?:(?!\k<quote>)[^\\]|\\.)*)\k<quote>|(?<word>[\p{L}_$][\p{L}\p{N}_$]*)|(?<number>\d[\w.]*)|(?<sign>.)/gsu;
const PLAIN_NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

function piecesOf(query: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (const { 0: whole, groups = {} } of query.matchAll(PIECE)) {
    const piece = pieceOf(whole, groups, pieces.at(-1)?.text === ".");
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces.at(-1)?.text === ";" ? pieces.slice(0, -1) : pieces;
}

function pieceOf(
  whole: string,
  groups: Readonly<Record<string, string | undefined>>,
  isKey: boolean,
): Piece | undefined {
  const { string, name, word, number, sign } = groups;
  if (string !== undefined) return { type: /['\\\p{Cc}]/u.test(string) ? "?" : "l", text: whole };
  if (name !== undefined) {
    const isNeeded = !PLAIN_NAME.test(name) || KEYWORDS.has(name.toLowerCase());
    return isNeeded ? { type: "?", text: whole } : { type: "w", text: name };
  }
  if (number !== undefined) return { type: Number.isNaN(Number(number)) ? "?" : "l", text: number };
  if (sign !== undefined) return { type: PLAIN_SIGNS.includes(sign) ? sign : "?", text: sign };
  if (word === undefined) return undefined;
  const keyword = isKey ? undefined : KEYWORDS.get(word.toLowerCase());
  if (keyword !== undefined) return { type: keyword, text: word.toUpperCase() };
  return { type: /^(?:true|false|null)$/i.test(word) ? "?" : "w", text: word };
}

const PLAIN_SIGNS = "(),.=!<>+%";

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join(" ");
}

/** Whether a service can only write these pieces in another form, and neither add nor remove content. */
function isPlain(pieces: readonly Piece[]): boolean {
  let depth = 0;
  for (const { type } of pieces) {
    if (type === "(") depth += 1;
    if (type === ")") depth -= 1;
    // Casts and other functions have a syntax of their own.
    if (depth > 0 && /[AFS]/.test(type)) return false;
  }
  return !UNSURE.test(pieces.map(({ type }) => type).join(""));
}

/**
 * What is not understood; two values side by side, as in an interval; and a constant where a condition stands, or on the left of an
 * operator, because a service may work it out.
 */
const UNSURE = /\?|[wl)][wl]|\.l|[&|WN]l|l[^,)AF&|]/;

/** The names, texts and numbers of a query, without functions and tables. A key may be shown as a text. */
function contentOf(pieces: readonly Piece[]): ReadonlySet<string> {
  const types = pieces.map(({ type }) => type);
  const isTable = new Set(pieces.flatMap(({ text }, index) => (types[index - 1] === "F" ? [text] : [])));
  const items = pieces.filter(({ type, text }, index) => {
    return type === "l" || (type === "w" && types[index + 1] !== "(" && !isTable.has(text));
  });
  return new Set(items.map(({ type, text }) => (type === "l" ? valueOf(text) : text)));
}

function valueOf(text: string): string {
  return text.startsWith("'") ? text.slice(1, -1) : String(Number(text));
}
