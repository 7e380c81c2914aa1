/** Quotes a text, so that a shell reads it as one word. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Writes a command line that works when it is pasted into a shell. Only words that need quotes get them. */
export function commandLine(...words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : quoteWord(word))).join(" ");
}
