/**
 * Parts of messages: counts with their nouns, what somebody may have meant, and what hints suggest.
 *
 * Premise: a hint is written where the problem is known, far below the command line, and documents keep it. There, the
 * command has only the words that solve the problem. How the run was typed (paths, variables, options) is known to the
 * command line alone, and must not change a document.
 * Algorithm: a command is written into the text between backticks, with quotes where a shell needs them. Before a person
 * sees the text, `completeCommands` finds these commands and has the missing words added.
 */

/** Adds words to a command, such as the paths of the run. The first word is the name of the command, without `driftline`. */
export type CompleteCommand = (words: readonly string[]) => readonly string[];

/** Stands for the hash of the plan in a command that the plan itself contains. */
export const PLAN_HASH = "HASH";

/** Quotes a text, so that a shell reads it as one word. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** Writes a command line that works when it is pasted into a shell. Only words that need quotes get them. */
export function commandLine(...words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : quoteWord(word))).join(" ");
}

/** A text from outside inside of a message: a name or an id, or what a service says. It cannot pass for a command in a hint. */
export function foreignText(text: string): string {
  return text.replaceAll(/`(?=driftline\b)/gu, String.raw`\u0060`);
}

/** A text from outside in quotes; see {@link foreignText}. */
export function quoted(text: string): string {
  return foreignText(JSON.stringify(text));
}

/**
 * The text of a command in a hint.
 *
 * @example
 * suggestedCommand("apply", "--prune"); // `driftline apply --prune`, in backticks
 */
export function suggestedCommand(...words: readonly string[]): string {
  return `\`${commandLine("driftline", ...words)}\``;
}

/** One word as {@link commandLine} writes it: parts without quotes, parts in quotes, and escaped quotes. */
const WORD = /(?:[\w@%+=:,./-]|'[^']*'|\\')+/u;
const COMMAND = new RegExp(`\`driftline((?: ${WORD.source})+)\``, "gu");

/** Completes every command in a text that {@link suggestedCommand} wrote. */
export function completeCommands(text: string, complete: CompleteCommand): string {
  return text.replaceAll(COMMAND, (_command, words: string) => suggestedCommand(...complete(splitWords(words))));
}

function splitWords(text: string): readonly string[] {
  const words = text.match(new RegExp(WORD.source, "gu")) ?? [];
  return words.map((word) => word.replaceAll(/'([^']*)'|\\'/gu, (part, inner?: string) => inner ?? part.slice(1)));
}
