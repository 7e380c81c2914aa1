/**
 * Commands that messages suggest, as data.
 *
 * Premise: a command is suggested where the problem is known, far below the command line, and documents keep it. There, it has
 * only the words that solve the problem. How the run was typed (paths, variables, options) is known to the command line
 * alone, and must not change a document.
 * Algorithm: the words travel beside the text of the message. A report adds the arguments of the run and writes them at the end
 * of the text. Nothing looks for commands in texts, because names and answers of the service stand there, too.
 */

/** The words of a command line, without quotes of a shell. The first one is `driftline`. */
export type CommandWords = readonly string[];

/** The options of a command, by the name of the option in camelCase. */
type CommandOptions = Readonly<Record<string, string | readonly string[] | true | undefined>>;

/** What to do about a problem, and the command that does it, which stands at the end of the text. */
export interface Suggestion {
  readonly hint: string;
  readonly command: CommandWords;
}

/** A hint as functions that report a problem take it: text alone, or with a command. */
export type Hint = string | Suggestion;

/** Stands for the hash of the plan in a command that the plan itself contains. */
export const PLAN_HASH = "HASH";

/**
 * The words of a suggested command.
 *
 * @example
 * command("apply", { recreate: [address], prune: true }); // driftline apply --recreate ADDRESS --prune
 */
export function command(name: string, options: CommandOptions = {}, ...values: readonly string[]): CommandWords {
  const flags = Object.entries(options).flatMap(([option, value]) => optionWords(option, value));
  return ["driftline", name, ...flags, ...values];
}

/** An option of a command as words. An option without a value, or with the value false, has none. */
export function optionWords(
  name: string,
  value: string | number | boolean | readonly string[] | undefined,
): readonly string[] {
  const flag = flagOf(name);
  if (value === undefined || value === false) return [];
  if (value === true) return [flag];
  return typeof value === "object" ? value.flatMap((one) => [flag, one]) : [flag, String(value)];
}

/** `allowLoss` becomes `--allow-loss`. */
export function flagOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Writes words as a line that works when it is pasted into a shell. Only words that need quotes get them. */
export function commandLine(words: CommandWords): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : quoteWord(word))).join(" ");
}

/** Quotes a text, so that a shell reads it as one word. */
export function quoteWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A text with the command that it suggests at its end, as documents hold it. */
export function withCommand(text: string, words: CommandWords | undefined): string {
  if (words === undefined) return text;
  return `${text}${text === "" ? "" : " "}\`${commandLine(words)}\``;
}

/** The text without the command that {@link withCommand} added. Undefined if it does not end with it. */
export function withoutCommand(text: string, words: CommandWords): string | undefined {
  const end = withCommand("", words);
  if (text === end) return "";
  return text.endsWith(` ${end}`) ? text.slice(0, -end.length - 1) : undefined;
}

/** A hint as text alone, for a sentence that goes on behind it. */
export function hintText(hint: Hint): string {
  return typeof hint === "string" ? hint : withCommand(hint.hint, hint.command);
}

/** The fields of a hint, for a structure that has a `hint` and a `command`. */
export function hintFields(hint: Hint | undefined): { readonly hint?: string; readonly command?: CommandWords } {
  if (hint === undefined) return {};
  return typeof hint === "string" ? { hint } : hint;
}
