/** Characters that a reader takes for one of ASCII: Cyrillic and Greek letters, dashes and quotation marks. */

/** Each stands for the character below it. Capitals come first: in lower case, a small letter wins over that of a capital. */
const OTHERS = "АΑВΒСЕΕНΗІΙЈКΚМΜΝОΟРΡЅТΤХΧУΥΖаαсԁеɡһіιıјϳӏпηоοрρԛѕυѵνԝωхχуγ‐‑‒–—−’‘“”";
const ASCII = "AABBCEEHHIIJKKMMNOOPPSTTXXYYZaacdeghiiijjlnnooppqsuvvwwxxyy------''\"\"";

/** The character of ASCII that each of them is taken for. Both are normalized (NFKC) before. */
export const TAKEN_FOR: ReadonlyMap<string, string> = new Map(
  Array.from(OTHERS, (one, index) => [one, ASCII[index] ?? one]),
);
