/**
 * Parts of messages: counts with their nouns, what somebody may have meant, and what hints suggest.
 *
 * Premise: a hint is written where the problem is known, far below the command line, and documents keep it. There, the
 * command has only the words that solve the problem. How the run was typed (paths, variables, options) is known to the
 * command line alone, and must not change a document.
 * Algorithm: a command is written into the text between backticks, with quotes where a shell needs them. Before a person
 * sees the text, `completeCommands` finds these commands and has the missing words added.
 */

/** A number with its noun: `1 change`, `2 changes`. */
export function plural(count: number, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The first texts, and how many there are besides: `a, b and 3 more`. */
export function firstOf(texts: readonly string[], most: number, separator = ", "): string {
  const more = texts.length > most ? ` and ${String(texts.length - most)} more` : "";
  return texts.slice(0, most).join(separator) + more;
}

/**
 * Suggests the candidate that is nearest to `word` by edits (insert, delete, replace, swap of neighbours), ignoring
 * case. Returns undefined if more than a third of the word would have to be edited.
 */
export function suggest(word: string, candidates: Iterable<string>): string | undefined {
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  // Sorted, so the result does not depend on the order of the candidates.
  for (const candidate of [...candidates].toSorted()) {
    const distance = edits(normal(word), normal(candidate));
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { candidate, distance };
  }
  return best?.candidate;
}

/** `jitProvisioningEnabled` and `jit-provisioning-enabled` become `jit_provisioning_enabled`. */
function normal(word: string): string {
  return word
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[-\s]/g, "_")
    .toLowerCase();
}

/** Optimal string alignment distance, three rows at a time. */
function edits(left: string, right: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        at(previous, column) + 1,
        at(current, column - 1) + 1,
        at(previous, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, at(before, column - 2) + 1);
      current.push(cost);
    }
    before = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}

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

/** How to leave paths to the service, as a hint. */
export function ignoreHint(paths: readonly string[]): string {
  return `To leave it to the service, declare in the resource: lifecycle: { ignore: ${JSON.stringify(paths)} } (ignoreChanges in a Pulumi program).`;
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
